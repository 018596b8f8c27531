// SPDX-License-Identifier: Apache-2.0
// The projection of previews of links that posts in notifications show.

import Domain
import Events
import Postgres
import Serving
import Views

enum CardStore {
    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    static func keep(
        _ news: CardNews,
        at now: Timestamp,
        repairing: Bool = false,
        in transaction: some Transacting
    ) async throws {
        _ = try await news.keep(at: now, repairing: repairing, in: transaction)
    }

    /// The preview that a post shows; of one without a link nothing is asked.
    static func card(of post: PostSnapshot, in database: some Querying) async throws -> CardSnapshot? {
        guard let link = post.previewedLink else { return nil }
        return try await database.query("SELECT card FROM cards WHERE hash = \(CardNews.hash(of: link))")
            .one { try $0.next(JSONB?.self) }??.snapshot()
    }

    /// Forgets some of the cards that no post has shown for long.
    ///
    /// - Returns: how many were looked at.
    static func forget(before moment: Timestamp, at now: Timestamp, in database: some Querying) async throws -> Int {
        try await CardNews.forget(
            before: moment,
            at: now,
            unless: "EXISTS (SELECT FROM posts p WHERE p.link_hash = c.hash)",
            in: database
        )
    }
}
