// SPDX-License-Identifier: Apache-2.0
// The SQL of the lists of accounts: followers, following, requests, blocks, mutes.

import Domain
import Events
import Postgres

/// An account in a list, with the id of its entry, by which the list is paged.
struct ListedAccount: Sendable {
    let entry: Int64
    let account: AccountSnapshot
    /// Of a mute.
    var expires: Timestamp?
}

/// Reads one page of a list, newest entry first.
///
/// Each statement has two halves of which one is asked for no rows: the newest entries below a bound, and the
/// entries just above one. So every page is one walk along an index.
enum GraphLists {
    static func followers(of id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await database.query(
            """
            WITH page AS (
                (SELECT id, follower_id AS account_id FROM follows
                WHERE followee_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id DESC LIMIT \(page.newest))
                UNION ALL
                (SELECT id, follower_id FROM follows
                WHERE followee_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id LIMIT \(page.oldest))
            )
            SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked, a.bot, a.discoverable,
                a.created_at, a.last_post_at, a.posts_count, a.followers_count, a.following_count, a.version
            FROM page
            JOIN accounts a ON a.id = page.account_id
            ORDER BY page.id DESC
            """
        ).listedAccounts()
    }

    static func following(by id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await database.query(
            """
            WITH page AS (
                (SELECT id, followee_id AS account_id FROM follows
                WHERE follower_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id DESC LIMIT \(page.newest))
                UNION ALL
                (SELECT id, followee_id FROM follows
                WHERE follower_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id LIMIT \(page.oldest))
            )
            SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked, a.bot, a.discoverable,
                a.created_at, a.last_post_at, a.posts_count, a.followers_count, a.following_count, a.version
            FROM page
            JOIN accounts a ON a.id = page.account_id
            ORDER BY page.id DESC
            """
        ).listedAccounts()
    }

    static func requests(to id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await database.query(
            """
            WITH page AS (
                (SELECT id, follower_id AS account_id FROM follow_requests
                WHERE followee_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id DESC LIMIT \(page.newest))
                UNION ALL
                (SELECT id, follower_id FROM follow_requests
                WHERE followee_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id LIMIT \(page.oldest))
            )
            SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked, a.bot, a.discoverable,
                a.created_at, a.last_post_at, a.posts_count, a.followers_count, a.following_count, a.version
            FROM page
            JOIN accounts a ON a.id = page.account_id
            ORDER BY page.id DESC
            """
        ).listedAccounts()
    }

    static func blocks(by id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await database.query(
            """
            WITH page AS (
                (SELECT id, target_id AS account_id FROM blocks
                WHERE account_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id DESC LIMIT \(page.newest))
                UNION ALL
                (SELECT id, target_id FROM blocks
                WHERE account_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                ORDER BY id LIMIT \(page.oldest))
            )
            SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked, a.bot, a.discoverable,
                a.created_at, a.last_post_at, a.posts_count, a.followers_count, a.following_count, a.version
            FROM page
            JOIN accounts a ON a.id = page.account_id
            ORDER BY page.id DESC
            """
        ).listedAccounts()
    }

    static func mutes(
        by id: AccountID,
        _ page: Page,
        now: Timestamp,
        in database: Database
    ) async throws -> [ListedAccount] {
        try await database.query(
            """
            WITH page AS (
                (SELECT id, target_id AS account_id, expires_at FROM mutes
                WHERE account_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                    AND (expires_at IS NULL OR expires_at > \(now))
                ORDER BY id DESC LIMIT \(page.newest))
                UNION ALL
                (SELECT id, target_id, expires_at FROM mutes
                WHERE account_id = \(id) AND id > \(page.lower) AND id < \(page.upper)
                    AND (expires_at IS NULL OR expires_at > \(now))
                ORDER BY id LIMIT \(page.oldest))
            )
            SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked, a.bot, a.discoverable,
                a.created_at, a.last_post_at, a.posts_count, a.followers_count, a.following_count, a.version,
                page.expires_at
            FROM page
            JOIN accounts a ON a.id = page.account_id
            ORDER BY page.id DESC
            """
        ).map { row in
            var columns = row.columns
            let entry: Int64 = try columns.next()
            let account = try AccountSnapshot(columns: &columns)
            return ListedAccount(entry: entry, account: account, expires: try columns.next())
        }
    }

    /// For each of `ids`, accounts that `viewer` follows and that follow it, at most `limit`.
    static func familiarFollowers(
        of ids: [AccountID],
        viewer: AccountID,
        limit: Int,
        in database: Database
    ) async throws -> [AccountID: [AccountSnapshot]] {
        let rows = try await database.query(
            """
            SELECT wanted.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked, a.bot, a.discoverable,
                a.created_at, a.last_post_at, a.posts_count, a.followers_count, a.following_count, a.version
            FROM unnest(\(ids)) AS wanted (id)
            CROSS JOIN LATERAL (
                SELECT mine.followee_id
                FROM follows mine
                JOIN follows theirs ON theirs.follower_id = mine.followee_id AND theirs.followee_id = wanted.id
                WHERE mine.follower_id = \(viewer)
                ORDER BY mine.id DESC
                LIMIT \(limit)
            ) familiar
            JOIN accounts a ON a.id = familiar.followee_id
            """
        )
        var found: [AccountID: [AccountSnapshot]] = [:]
        for row in rows {
            var columns = row.columns
            let id: AccountID = try columns.next()
            found[id, default: []].append(try AccountSnapshot(columns: &columns))
        }
        return found
    }
}

extension Rows {
    /// Rows of an entry's id and an account's columns.
    fileprivate func listedAccounts() throws -> [ListedAccount] {
        try map { row in
            var columns = row.columns
            let entry: Int64 = try columns.next()
            return ListedAccount(entry: entry, account: try AccountSnapshot(columns: &columns))
        }
    }
}

extension Page {
    /// Entries lie strictly between `lower` and `upper`.
    var lower: Int64 { after ?? since ?? 0 }
    var upper: Int64 { before ?? .max }
    /// How many entries to take from the newest end.
    var newest: Int { after == nil ? limit : 0 }
    /// How many entries to take from the oldest end, for reading forward.
    var oldest: Int { after == nil ? 0 : limit }
}
