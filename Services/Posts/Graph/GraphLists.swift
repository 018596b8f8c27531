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

/// Reads one page of a list, newest entry first: one walk along an index.
enum GraphLists {
    static func followers(of id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await list(
            "SELECT id, follower_id AS account_id FROM follows WHERE followee_id = \(id)",
            page,
            in: database
        )
    }

    static func following(by id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await list(
            "SELECT id, followee_id AS account_id FROM follows WHERE follower_id = \(id)",
            page,
            in: database
        )
    }

    static func requests(to id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await list(
            "SELECT id, follower_id AS account_id FROM follow_requests WHERE followee_id = \(id)",
            page,
            in: database
        )
    }

    static func blocks(by id: AccountID, _ page: Page, in database: Database) async throws -> [ListedAccount] {
        try await list("SELECT id, target_id AS account_id FROM blocks WHERE account_id = \(id)", page, in: database)
    }

    static func mutes(
        by id: AccountID,
        _ page: Page,
        now: Timestamp,
        in database: Database
    ) async throws -> [ListedAccount] {
        let mutes: SQL = """
            SELECT id, target_id AS account_id, expires_at FROM mutes
            WHERE account_id = \(id) AND (expires_at IS NULL OR expires_at > \(now))
            """
        return try await list(mutes, page, expires: "page.expires_at", in: database)
    }

    /// - Parameters:
    ///   - entries: a statement that gives `id` and `account_id`, ending in a condition.
    ///   - expires: the column that tells when an entry ends.
    private static func list(
        _ entries: SQL,
        _ page: Page,
        expires: SQL = "NULL::timestamptz",
        in database: Database
    ) async throws -> [ListedAccount] {
        try await database.query(
            """
            WITH page AS (\(entries) AND \(page.cut("id")))
            SELECT page.id, \(AccountSnapshot.columns), \(expires)
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
            SELECT wanted.id, \(AccountSnapshot.columns)
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
