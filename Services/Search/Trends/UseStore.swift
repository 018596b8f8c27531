// SPDX-License-Identifier: Apache-2.0
// Hashtags and links of public posts of the last days.

import Domain
import Postgres

/// A thing that many use just now.
struct Trend: Hashable, Sendable {
    let id: Int64
    let score: Double
}

/// How often a thing was used on a day.
struct DayOfUse: Hashable, Sendable {
    let id: Int64
    /// Since 1970, in UTC.
    let day: Int
    let uses: Int
    let accounts: Int
}

enum UseStore {
    /// Keeps uses of posts that have none here.
    static func keep(_ uses: [Use], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO uses (post_id, kind, thing_id, account_id)
            SELECT post_id, kind, thing_id, account_id FROM unnest(
                \(uses.map(\.post)), \(uses.map(\.thing.rawValue)), \(uses.map(\.id)), \(uses.map(\.account))
            ) AS u (post_id, kind, thing_id, account_id)
            ORDER BY post_id, kind, thing_id
            ON CONFLICT (post_id, kind, thing_id) DO NOTHING
            """
        )
    }

    /// Forgets what posts used.
    static func forget(_ posts: [PostID], in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM uses WHERE post_id = ANY (\(posts))")
    }

    /// What more accounts use just now than usual, best first. An account counts once, by the newest of its uses, and half after
    /// twelve hours; the usual is how many accounts use it on a day, on average of those before.
    ///
    /// - Parameters:
    ///   - recent: the first id of the time that is just now.
    ///   - usual: the first id of the days before, five of them.
    ///   - now: the id that is made now.
    static func trending(
        _ thing: Thing,
        since recent: PostID,
        usual: PostID,
        now: PostID,
        in database: some Querying
    ) async throws -> [Trend] {
        // Below the greatest id, as a second bound: a plan that is made once takes a range for few rows, but what is above an
        // unknown id for a third of all, and would read the whole kind instead of the newest.
        try await database.query(
            """
            WITH latest AS (
                SELECT u.thing_id, u.account_id, max(u.post_id) AS post_id FROM uses u
                WHERE u.post_id > \(recent) AND u.post_id < 9223372036854775807 AND u.kind = \(thing.rawValue)
                GROUP BY u.thing_id, u.account_id
            ), now AS (
                SELECT l.thing_id, sum(power(0.5, greatest((\(now) - l.post_id) / 65536.0, 0) / 43200000)) AS weight
                FROM latest l
                WHERE (SELECT a.indexable AND NOT a.gone FROM accounts a WHERE a.id = l.account_id)
                GROUP BY l.thing_id
                HAVING count(*) >= 2
                ORDER BY weight DESC
                LIMIT 200
            )
            SELECT n.thing_id, CAST(n.weight * n.weight / (1 + usual.daily) AS double precision) AS score
            FROM now n
            CROSS JOIN LATERAL (
                SELECT count(DISTINCT (u.account_id, (u.post_id >> 16) / 86400000)) / 5.0 AS daily FROM uses u
                WHERE u.kind = \(thing.rawValue) AND u.thing_id = n.thing_id AND u.post_id > \(usual) AND u.post_id <= \(recent)
            ) usual
            ORDER BY score DESC, n.thing_id
            """
        ).all { Trend(id: try $0.next(), score: try $0.next()) }
    }

    /// How often things were used by people who allow it to be known, by day; none where a day has none.
    static func history(
        of things: [Int64],
        _ thing: Thing,
        since first: PostID,
        in database: some Querying
    ) async throws -> [DayOfUse] {
        try await database.query(
            """
            SELECT u.thing_id, (u.post_id >> 16) / 86400000 AS day, count(*), count(DISTINCT u.account_id)
            FROM uses u
            WHERE u.kind = \(thing.rawValue) AND u.thing_id = ANY (\(things)) AND u.post_id >= \(first)
                AND (SELECT a.indexable AND NOT a.gone FROM accounts a WHERE a.id = u.account_id)
            GROUP BY u.thing_id, day
            """
        ).all { DayOfUse(id: try $0.next(), day: try $0.next(), uses: try $0.next(), accounts: try $0.next()) }
    }
}
