// SPDX-License-Identifier: Apache-2.0
// GIFs of others that somebody keeps.

import Domain
import Postgres

enum UpstreamGifStore {
    /// Keeps one under a number, for an hour at least; it goes when nobody has it as a favourite or in a collection.
    ///
    /// - Parameter number: for one that nobody kept yet.
    static func keep(_ gif: UpstreamGif, as number: MediaID, at now: Timestamp, in database: some Querying) async throws
        -> MediaID?
    {
        try await database.query(
            """
            INSERT INTO upstream_gifs (id, gif, item, touched_at) VALUES (\(number), \(gif.id), \(gif.json), \(now))
            ON CONFLICT (gif) DO UPDATE SET touched_at = excluded.touched_at
            RETURNING id
            """
        ).one { try $0.next() }
    }

    /// Its number; nil where nobody kept it.
    static func number(of id: String, in database: some Querying) async throws -> MediaID? {
        try await database.query("SELECT u.id FROM upstream_gifs u WHERE u.gif = \(id)").one { try $0.next() }
    }

    /// As it was when somebody first kept it; nil where nobody did.
    static func gif(_ id: String, in database: some Querying) async throws -> UpstreamGif? {
        try await database.query("SELECT u.gif, u.item FROM upstream_gifs u WHERE u.gif = \(id)")
            .one(as: UpstreamGif.init)
    }

    /// Some that were looked at long ago, held until the end of the transaction.
    static func old(before moment: Timestamp, in transaction: some Transacting) async throws -> [MediaID] {
        try await transaction.query(
            """
            SELECT id FROM upstream_gifs WHERE touched_at < \(moment)
            ORDER BY touched_at LIMIT 1000 FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    /// Removes those of some that nobody keeps, and knows again that somebody keeps the others.
    static func settle(_ numbers: [MediaID], at now: Timestamp, in transaction: some Transacting) {
        let isKept: SQL = """
            (EXISTS (SELECT FROM gif_favourites f WHERE f.gif_id = upstream_gifs.id)
                OR EXISTS (SELECT FROM gif_collected i WHERE i.gif_id = upstream_gifs.id))
            """
        transaction.enqueue(
            """
            WITH needed AS (
                UPDATE upstream_gifs SET touched_at = \(now) WHERE id = ANY (\(numbers)) AND \(isKept)
            )
            DELETE FROM upstream_gifs WHERE id = ANY (\(numbers)) AND NOT \(isKept)
            """
        )
    }
}
