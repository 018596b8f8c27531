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

    /// Begins follows of everything that their followees post, in whatever language.
    static func insert(_ follows: [NewFollow], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO follows (follower_id, followee_id, id, show_boosts, notify)
            SELECT follower_id, followee_id, id, show_boosts, notify
            FROM unnest(
                \(follows.map(\.follow.follower)), \(follows.map(\.follow.followee)), \(follows.map(\.id)),
                \(follows.map { $0.options.showBoosts ?? true }), \(follows.map { $0.options.notify ?? false })
            ) AS new (follower_id, followee_id, id, show_boosts, notify)
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

    /// Takes follows away.
    static func delete(_ follows: [Follow], in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM follows f
            USING unnest(\(follows.map(\.follower)), \(follows.map(\.followee))) AS gone (follower_id, followee_id)
            WHERE f.follower_id = gone.follower_id AND f.followee_id = gone.followee_id
            """
        )
    }

    private static func row(of follow: Follow) -> SQL {
        "follower_id = \(follow.follower) AND followee_id = \(follow.followee)"
    }

    /// A follower, and the version of the event that tells of a follow of theirs.
    typealias Counted = (follower: AccountSnapshot, version: Int64)

    /// Adds follows to, or takes them from, the counts of their accounts, whose locks the caller holds.
    ///
    /// - Parameter number: as of `PairStore.nextVersion`.
    /// - Returns: of each follow.
    static func count(
        _ follows: [Follow],
        by difference: Int,
        above number: Int64,
        in transaction: some Transacting
    ) async throws -> [Counted] {
        let followers = follows.map(\.follower)
        let counted = try await transaction.query(
            """
            UPDATE accounts a
            SET following_count = a.following_count + \(difference) * changed.following,
                followers_count = a.followers_count + \(difference) * changed.followers,
                graph_version = CASE
                    WHEN changed.following > 0 THEN greatest(a.graph_version + 1, \(number))
                    ELSE a.graph_version
                END,
                version = a.version + 1
            FROM (
                SELECT side.id, sum(side.following) AS following, sum(side.followers) AS followers
                FROM (
                    SELECT follower.id, 1 AS following, 0 AS followers FROM unnest(\(followers)) AS follower (id)
                    UNION ALL
                    SELECT followee.id, 0, 1 FROM unnest(\(follows.map(\.followee))) AS followee (id)
                ) AS side
                GROUP BY side.id
            ) AS changed
            WHERE a.id = changed.id
            RETURNING a.graph_version, \(AccountSnapshot.columns)
            """
        ).all { columns -> Counted in
            let version: Int64 = try columns.next()
            return (follower: try AccountSnapshot(columns: &columns), version: version)
        }
        let accounts = Dictionary(counted.map { ($0.follower.id, $0) }) { first, _ in first }
        return try follows.map { follow in
            guard let account = accounts[follow.follower] else { throw PostgresError.closed }
            return account
        }
    }
}

/// A follow that begins.
struct NewFollow: Sendable {
    let follow: Follow
    /// Of its row: the later the greater.
    let id: Int64
    let options: FollowOptions
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
