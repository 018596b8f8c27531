// SPDX-License-Identifier: Apache-2.0
// The projection of previews of links, and which posts show them.

import Domain
import Events
import Outbox
import Postgres
import Serving

enum CardStore {
    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    ///
    /// - Returns: whether another card is to be shown than before.
    static func keep(
        _ news: CardNews,
        at now: Timestamp,
        repairing: Bool = false,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await news.keep(at: now, repairing: repairing, in: transaction)
    }

    /// What goes in a rebuild: cards of which nobody told. That a page shows nothing any more nobody tells again.
    static let untold = UntoldRows(from: "cards", where: "card IS NOT NULL", kind: "'card'", "link_id")

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

    /// Forgets some of the cards that no post and no project has shown for long.
    ///
    /// - Returns: how many were looked at.
    static func forget(before moment: Timestamp, at now: Timestamp, in database: some Querying) async throws -> Int {
        try await CardNews.forget(
            before: moment,
            at: now,
            unless: """
                EXISTS (SELECT FROM posts p WHERE p.link_hash = c.hash)
                OR EXISTS (SELECT FROM projects p WHERE p.link_hash = c.hash)
                """,
            in: database
        )
    }
}
