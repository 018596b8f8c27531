// SPDX-License-Identifier: Apache-2.0
// What catalogues of others answered.

import Domain
import Postgres
import Serving

/// An answer, or a part of it.
struct KeptGifs: Columned {
    let gifs: [UpstreamGif]
    let total: Int
    let isFresh: Bool

    static let columns: SQL = "ids, items, total, is_fresh"

    init(columns: inout Columns) throws {
        let ids: [String] = try columns.next()
        let items: [String] = try columns.next()
        gifs = zip(ids, items).map { UpstreamGif(id: $0, json: $1) }
        total = try columns.next()
        isFresh = try columns.next()
    }
}

enum GifAnswerStore {
    /// - Parameters:
    ///   - hash: of who is asked for what.
    ///   - range: of the GIFs that are read of it.
    ///   - oldest: what was answered before counts for nothing.
    static func answer(
        _ hash: [UInt8],
        _ range: Range<Int>,
        at now: Timestamp,
        since oldest: Timestamp,
        in database: some Querying
    ) async throws -> KeptGifs? {
        let (first, last) = (range.lowerBound + 1, range.upperBound)
        return try await database.query(
            """
            SELECT \(KeptGifs.columns)
            FROM (
                SELECT ids[\(first):\(last)] AS ids, items[\(first):\(last)] AS items, total, fresh_until > \(now) AS is_fresh
                FROM gif_answers
                WHERE hash = \(hash) AND fresh_until IS NOT NULL AND touched_at > \(oldest)
            ) a
            """
        ).one { try $0.next() }
    }

    /// Takes it upon oneself to ask; false where somebody does already, or it is known.
    static func claim(_ hash: [UInt8], at now: Timestamp, until lease: Timestamp, in database: some Querying)
        async throws -> Bool
    {
        try await database.query(
            """
            INSERT INTO gif_answers AS a (hash, touched_at, leased_until) VALUES (\(hash), \(now), \(lease))
            ON CONFLICT (hash) DO UPDATE SET leased_until = excluded.leased_until
            WHERE coalesce(a.fresh_until <= \(now), true) AND coalesce(a.leased_until <= \(now), true)
            """
        ).affected == 1
    }

    /// Lets others ask, after nobody answered.
    static func release(_ hash: [UInt8], in database: some Querying) async throws {
        _ = try await database.query("UPDATE gif_answers SET leased_until = NULL WHERE hash = \(hash)")
    }

    static func keep(
        _ answer: UpstreamGifs,
        as hash: [UInt8],
        at now: Timestamp,
        fresh end: Timestamp,
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            INSERT INTO gif_answers (hash, ids, items, total, touched_at, fresh_until)
            VALUES (\(hash), \(answer.gifs.map(\.id)), \(answer.gifs.map(\.json)), \(answer.total), \(now), \(end))
            ON CONFLICT (hash) DO UPDATE
            SET ids = excluded.ids, items = excluded.items, total = excluded.total, touched_at = excluded.touched_at,
                fresh_until = excluded.fresh_until, leased_until = NULL
            """
        )
    }

    /// Those of some ids that are in an answer, whatever was asked for, as they are in the newest.
    static func gifs(_ ids: [String], since oldest: Timestamp, in database: some Querying) async throws -> [UpstreamGif]
    {
        try await database.query(
            """
            SELECT n.id, a.items[array_position(a.ids, n.id)]
            FROM (
                SELECT DISTINCT ON (w.id) w.id, f.hash
                FROM unnest(\(ids)) AS w (id)
                JOIN gif_answers f ON f.ids @> ARRAY[w.id]
                WHERE f.touched_at > \(oldest)
                ORDER BY w.id, f.touched_at DESC
            ) n
            JOIN gif_answers a ON a.hash = n.hash
            """
        ).all(as: UpstreamGif.init)
    }

    static let aged = AgedRows(of: "gif_answers", by: "hash", since: "touched_at")
}
