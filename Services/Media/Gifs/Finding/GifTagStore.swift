// SPDX-License-Identifier: Apache-2.0
// Words by which GIFs are found.

import Domain
import Postgres

enum GifTagStore {
    /// Tags that begin so, the most used first.
    static func beginning(with text: String, limit: Int, in database: some Querying) async throws -> [String] {
        try await database.query(
            """
            SELECT t.tag
            FROM (
                SELECT tag FROM gif_tags WHERE tag >= \(text) AND tag < \(text + "\u{10FFFF}") ORDER BY tag LIMIT 5000
            ) t
            GROUP BY t.tag
            ORDER BY count(*) DESC, t.tag
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// Tags of those GIFs that have this one, the most frequent first.
    static func beside(_ tag: String, limit: Int, in database: some Querying) async throws -> [String] {
        try await database.query(
            """
            SELECT b.tag
            FROM (SELECT gif_id FROM gif_tags WHERE tag = \(tag) LIMIT 1000) t
            JOIN gif_tags b ON b.gif_id = t.gif_id
            WHERE b.tag <> \(tag)
            GROUP BY b.tag
            ORDER BY count(*) DESC, b.tag
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// Tags of what was taken lately; such as everybody may see, for nobody asked for others.
    static func trending(limit: Int, in database: some Querying) async throws -> [String] {
        try await database.query(
            """
            SELECT t.tag
            FROM (
                SELECT g.tags, g.score FROM gifs g WHERE g.kind = 1 AND g.rating <= 1 ORDER BY g.score DESC, g.id DESC LIMIT 200
            ) g
            CROSS JOIN LATERAL unnest(g.tags) AS t (tag)
            GROUP BY t.tag
            ORDER BY sum(g.score) DESC, count(*) DESC, t.tag
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }
}
