// SPDX-License-Identifier: Apache-2.0
// Posts of the last days that somebody thinks something of.

import Domain
import Postgres

enum PopularStore {
    /// - Parameter popularity: of posts, each once.
    static func keep(_ popularity: [SearchPopularity], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO popular (post_id, popularity, version)
            SELECT post_id, popularity, version FROM unnest(
                \(popularity.map(\.id)), \(popularity.map(\.popularity)), \(popularity.map(\.version))
            ) AS p (post_id, popularity, version)
            ORDER BY post_id
            ON CONFLICT (post_id) DO UPDATE SET popularity = excluded.popularity, version = excluded.version
            WHERE excluded.version >= popular.version
                AND (excluded.popularity, excluded.version) IS DISTINCT FROM (popular.popularity, popular.version)
            """
        )
    }

    /// Public posts since an id, best first: what is thought of them, half of it after a day, and of an account the best three.
    static func trending(
        since first: PostID,
        now: PostID,
        for viewer: AccountID?,
        in database: some Querying
    ) async throws -> [PostID] {
        try await database.query(
            """
            SELECT r.id FROM (
                SELECT d.id, s.score, row_number() OVER (PARTITION BY d.author_id ORDER BY s.score DESC, d.id DESC) AS place
                FROM (
                    SELECT p.post_id, p.popularity * power(0.5, greatest((\(now) - p.post_id) / 65536.0, 0) / 86400000) AS score
                    FROM popular p WHERE p.post_id > \(first)
                    ORDER BY score DESC LIMIT 1000
                ) s
                JOIN documents d ON d.kind = 2 AND d.id = s.post_id
                WHERE d.audience = 1 AND NOT d.gone AND \(Visible.to(viewer))
                    AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false)
            ) r
            WHERE r.place <= 3
            ORDER BY r.score DESC, r.id DESC
            LIMIT 400
            """
        ).all { try $0.next() }
    }
}
