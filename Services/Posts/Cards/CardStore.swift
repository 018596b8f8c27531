// SPDX-License-Identifier: Apache-2.0
// The projection of previews of links, and which posts show them.

import Domain
import Events
import Postgres
import Serving

extension CardStore {
    /// Whether anything shows the card `c`.
    static let isShown: SQL = """
        EXISTS (SELECT FROM posts p WHERE p.link_hash = c.hash)
        OR EXISTS (SELECT FROM projects p WHERE p.link_hash = c.hash)
        """

    /// Has the newest posts with a link told to open streams, as if they had been edited.
    ///
    /// - Parameters:
    ///   - first: older posts are not told.
    ///   - most: how many at most.
    static func tell(of url: String, from first: PostID, most: Int, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO fanouts (post_id, author_id, kind, after_id)
            SELECT p.id, p.account_id, 'refresh', 0
            FROM posts p
            WHERE p.link_hash = \(CardNews.hash(of: url)) AND p.id >= \(first) AND p.deleted_at IS NULL
            ORDER BY p.id DESC
            LIMIT \(most)
            ON CONFLICT (post_id, kind) DO UPDATE SET after_id = excluded.after_id, attempts = 0, due_at = now()
            """
        )
    }
}
