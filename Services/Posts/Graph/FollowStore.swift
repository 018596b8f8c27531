// SPDX-License-Identifier: Apache-2.0
// The SQL on follows and on requests to follow.

import Domain
import Events
import Postgres

/// Reads and writes who follows whom, and who asks to.
enum FollowStore {
    /// What already is between two accounts; true only while their rows are locked.
    struct Standing: Sendable {
        let isBlocked: Bool
        let isFollowing: Bool
        let isRequested: Bool
    }

    static func standing(_ pair: Pair, in transaction: Transaction) async throws -> Standing {
        let rows = try await transaction.query(
            """
            SELECT
                EXISTS (
                    SELECT FROM blocks
                    WHERE (account_id = \(pair.actor) AND target_id = \(pair.target))
                        OR (account_id = \(pair.target) AND target_id = \(pair.actor))
                ),
                EXISTS (SELECT FROM follows WHERE follower_id = \(pair.actor) AND followee_id = \(pair.target)),
                EXISTS (SELECT FROM follow_requests WHERE follower_id = \(pair.actor) AND followee_id = \(pair.target))
            """
        )
        guard var columns = rows.first?.columns else { throw PostgresError.closed }
        return Standing(
            isBlocked: try columns.next(),
            isFollowing: try columns.next(),
            isRequested: try columns.next()
        )
    }

    static func insertFollow(
        _ follower: AccountID,
        _ followee: AccountID,
        id: Int64,
        options: FollowOptions,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            INSERT INTO follows (follower_id, followee_id, id, show_boosts, notify, languages)
            VALUES (\(follower), \(followee), \(id), \(options.showBoosts ?? true), \(options.notify ?? false),
                \(options.storedLanguages))
            """
        )
    }

    static func updateFollow(_ pair: Pair, options: FollowOptions, in transaction: Transaction) {
        transaction.enqueue(
            """
            UPDATE follows
            SET show_boosts = coalesce(\(options.showBoosts), show_boosts),
                notify = coalesce(\(options.notify), notify),
                languages = CASE
                    WHEN \(options.languages == nil) THEN languages
                    ELSE \(options.storedLanguages)
                END
            WHERE follower_id = \(pair.actor) AND followee_id = \(pair.target)
            """
        )
    }

    /// Takes a follow away.
    ///
    /// - Returns: whether there was one.
    static func deleteFollow(
        _ follower: AccountID,
        _ followee: AccountID,
        in transaction: Transaction
    ) async throws -> Bool {
        try await transaction.query(
            "DELETE FROM follows WHERE follower_id = \(follower) AND followee_id = \(followee)"
        ).affected > 0
    }

    /// Adds a follow to, or takes it from, the counts of both accounts.
    ///
    /// - Returns: the follower.
    static func count(
        _ follower: AccountID,
        _ followee: AccountID,
        by difference: Int,
        in transaction: Transaction
    ) async throws -> AccountSnapshot {
        let accounts = try await transaction.query(
            """
            UPDATE accounts a
            SET following_count = following_count + CASE WHEN id = \(follower) THEN \(difference) ELSE 0 END,
                followers_count = followers_count + CASE WHEN id = \(followee) THEN \(difference) ELSE 0 END,
                version = version + 1
            WHERE id IN (\(follower), \(followee))
            RETURNING \(AccountSnapshot.columns)
            """
        ).accounts()
        guard let account = accounts.first(where: { $0.id == follower }) else { throw PostgresError.closed }
        return account
    }

    /// A version for an event of a pair in which `actor` acts, above every earlier one whatever any clock says; the
    /// caller holds the account's lock.
    ///
    /// - Parameter number: by this process's clock; keeps versions above those told before rows counted.
    static func nextVersion(of actor: AccountID, above number: Int64, in transaction: Transaction) async throws -> Int64
    {
        let rows = try await transaction.query(
            """
            UPDATE accounts
            SET graph_version = greatest(graph_version + 1, \(number))
            WHERE id = \(actor)
            RETURNING graph_version
            """
        )
        guard var columns = rows.first?.columns else { throw PostgresError.closed }
        return try columns.next()
    }

    static func insertRequest(_ pair: Pair, id: Int64, options: FollowOptions, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO follow_requests (follower_id, followee_id, id, show_boosts, notify, languages)
            VALUES (\(pair.actor), \(pair.target), \(id), \(options.showBoosts ?? true), \(options.notify ?? false),
                \(options.storedLanguages))
            """
        )
    }

    static func updateRequest(_ pair: Pair, options: FollowOptions, in transaction: Transaction) {
        transaction.enqueue(
            """
            UPDATE follow_requests
            SET show_boosts = coalesce(\(options.showBoosts), show_boosts),
                notify = coalesce(\(options.notify), notify),
                languages = CASE
                    WHEN \(options.languages == nil) THEN languages
                    ELSE \(options.storedLanguages)
                END
            WHERE follower_id = \(pair.actor) AND followee_id = \(pair.target)
            """
        )
    }

    /// Takes a request away.
    ///
    /// - Returns: what the follow was to be like; nil when there was no request.
    static func deleteRequest(
        _ follower: AccountID,
        _ followee: AccountID,
        in transaction: Transaction
    ) async throws -> FollowOptions? {
        let rows = try await transaction.query(
            """
            DELETE FROM follow_requests
            WHERE follower_id = \(follower) AND followee_id = \(followee)
            RETURNING show_boosts, notify, languages
            """
        )
        guard var columns = rows.first?.columns else { return nil }
        return FollowOptions(
            showBoosts: try columns.next(),
            notify: try columns.next(),
            languages: try columns.next()
        )
    }
}

/// How somebody wants to follow; nil leaves a thing as it is.
struct FollowOptions: Sendable {
    var showBoosts: Bool?
    var notify: Bool?
    /// Empty for all languages.
    var languages: [String]?

    var storedLanguages: [String]? { languages.flatMap { $0.isEmpty ? nil : $0 } }
}
