// SPDX-License-Identifier: Apache-2.0
// The SQL on follows and on requests to follow.

import Domain
import Events
import Postgres

/// Reads and writes who follows whom, and who asks to; a request has the columns of the follow that it may become.
enum FollowStore {
    enum Table: Sendable {
        case follows, requests

        fileprivate var name: SQL {
            switch self {
            case .follows: "follows"
            case .requests: "follow_requests"
            }
        }
    }

    static func insert(
        _ follow: Follow,
        into table: Table,
        id: Int64,
        options: FollowOptions,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO \(table.name) (follower_id, followee_id, id, show_boosts, notify, languages)
            VALUES (\(follow.follower), \(follow.followee), \(id), \(options.showBoosts ?? true),
                \(options.notify ?? false), \(options.storedLanguages))
            """
        )
    }

    /// How many of some people do not follow somebody; nobody is a stranger to themself.
    static func strangers(
        among people: [AccountID],
        to account: AccountID,
        in database: some Querying
    ) async throws -> Int {
        try await database.query(
            """
            SELECT count(*)
            FROM unnest(\(people)) AS person (id)
            WHERE person.id <> \(account) AND NOT EXISTS (
                SELECT FROM follows f WHERE f.follower_id = person.id AND f.followee_id = \(account)
            )
            """
        ).number()
    }

    static func update(
        _ follow: Follow,
        of table: Table,
        options: FollowOptions,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE \(table.name)
            SET show_boosts = coalesce(\(options.showBoosts), show_boosts),
                notify = coalesce(\(options.notify), notify),
                languages = CASE
                    WHEN \(options.languages == nil) THEN languages
                    ELSE \(options.storedLanguages)
                END
            WHERE \(row(of: follow))
            """
        )
    }

    /// Takes a follow or a request away.
    ///
    /// - Returns: what it was like; nil when there was none.
    static func delete(
        _ follow: Follow,
        from table: Table,
        in transaction: some Transacting
    ) async throws -> FollowOptions? {
        try await transaction.query(
            """
            DELETE FROM \(table.name)
            WHERE \(row(of: follow))
            RETURNING \(FollowOptions.columns)
            """
        ).one(as: FollowOptions.init)
    }

    private static func row(of follow: Follow) -> SQL {
        "follower_id = \(follow.follower) AND followee_id = \(follow.followee)"
    }

    /// Adds a follow to, or takes it from, the counts of both accounts.
    ///
    /// - Parameter number: as of `PairStore.nextVersion`.
    /// - Returns: the follower, and the version of the event that tells it.
    static func count(
        _ follow: Follow,
        by difference: Int,
        above number: Int64,
        in transaction: some Transacting
    ) async throws -> (follower: AccountSnapshot, version: Int64) {
        let accounts = try await transaction.query(
            """
            UPDATE accounts a
            SET following_count = following_count + CASE WHEN id = \(follow.follower) THEN \(difference) ELSE 0 END,
                followers_count = followers_count + CASE WHEN id = \(follow.followee) THEN \(difference) ELSE 0 END,
                graph_version = CASE
                    WHEN id = \(follow.follower) THEN greatest(graph_version + 1, \(number))
                    ELSE graph_version
                END,
                version = version + 1
            WHERE id IN (\(follow.follower), \(follow.followee))
            RETURNING graph_version, \(AccountSnapshot.columns)
            """
        ).all { columns in
            let version: Int64 = try columns.next()
            return (follower: try AccountSnapshot(columns: &columns), version: version)
        }
        guard let account = accounts.first(where: { $0.follower.id == follow.follower }) else {
            throw PostgresError.closed
        }
        return account
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

extension FollowOptions {
    /// Of the tables of follows, in the order of the properties.
    static let columns: SQL = "show_boosts, notify, languages"
}
