// SPDX-License-Identifier: Apache-2.0
// The projection of previews of links that posts in notifications show.

import Domain
import Events
import Postgres
import Serving
import Views

extension CardStore {
    /// Whether anything shows the card `c`.
    static let isShown: SQL = "EXISTS (SELECT FROM posts p WHERE p.link_hash = c.hash)"

    /// The preview that a post shows; of one without a link nothing is asked.
    static func card(of post: PostSnapshot, in database: some Querying) async throws -> CardSnapshot? {
        guard let link = post.previewedLink else { return nil }
        return try await database.query("SELECT card FROM cards WHERE hash = \(CardNews.hash(of: link))")
            .one { try $0.next(JSONB?.self) }??.snapshot()
    }
}
