// SPDX-License-Identifier: Apache-2.0
// Addresses that public posts of the last days hold.

import Domain
import Postgres

enum LinkStore {
    /// - Parameter links: each once.
    static func keep(_ links: [Link], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO links (id, url, last_post_id)
            SELECT id, url, last_post_id FROM unnest(
                \(links.map(\.id)), \(links.map(\.url)), \(links.map(\.post))
            ) AS l (id, url, last_post_id)
            ORDER BY id
            ON CONFLICT (id) DO UPDATE
            SET url = excluded.url, last_post_id = greatest(links.last_post_id, excluded.last_post_id)
            """
        )
    }

    /// The addresses of these; fewer where one is unknown.
    static func addresses(_ ids: [Int64], in database: some Querying) async throws -> [Int64: String] {
        let rows: [(Int64, String)] = try await database.query(
            "SELECT l.id, l.url FROM links l WHERE l.id = ANY (\(ids))"
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { $1 }
    }
}
