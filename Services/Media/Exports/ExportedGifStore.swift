// SPDX-License-Identifier: Apache-2.0
// The SQL of what somebody keeps of the catalogue of GIFs, for archives.

import Domain
import Postgres

enum ExportedGifStore {
    /// A JSON array; there are 5,000 at most.
    static func favourites(of account: AccountID, in database: some Querying) async throws -> String? {
        try await database.query(
            """
            SELECT coalesce(json_agg(\(gif("f.gif_id")) ORDER BY f.place), '[]')::text
            FROM gif_favourites f WHERE f.account_id = \(account)
            """
        ).one { try $0.next() }
    }

    /// A JSON object with the GIFs of each; there are 200 of 1,000 at most.
    static func collections(of account: AccountID, after id: Int64, limit: Int, in database: some Querying) async throws
        -> [(id: Int64, json: String)]
    {
        try await database.query(
            """
            SELECT c.id, json_build_object(
                'id', c.id::text, 'name', c.name, 'created_at', c.created_at,
                'gifs', (
                    SELECT coalesce(json_agg(\(gif("i.gif_id")) ORDER BY i.place), '[]')
                    FROM gif_collected i WHERE i.collection_id = c.id
                )
            )::text
            FROM gif_collections c
            WHERE c.account_id = \(account) AND c.id > \(id)
            ORDER BY c.id LIMIT \(limit)
            """
        ).all { (try $0.next(), try $0.next()) }
    }

    /// By the id under which apps know it, our own's or another catalogue's.
    private static func gif(_ number: SQL) -> SQL {
        """
        json_build_object(
            'id', coalesce((SELECT u.gif FROM upstream_gifs u WHERE u.id = \(number)), \(number)::text),
            'title', (SELECT g.title FROM gifs g WHERE g.id = \(number))
        )
        """
    }
}
