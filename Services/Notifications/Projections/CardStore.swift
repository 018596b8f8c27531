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

    /// The previews that are known of links, by the link.
    static func cards(of links: Set<String>, in database: some Querying) async throws -> [String: CardSnapshot] {
        guard !links.isEmpty else { return [:] }
        let cards = try await database.query(
            """
            SELECT l.link, c.card
            FROM unnest(\(links.sorted())) AS l (link)
            JOIN cards c ON c.hash = \(CardNews.hash(ofColumn: "l.link"))
            WHERE c.card IS NOT NULL
            """
        ).all { (link: try $0.next(String.self), card: try $0.next(JSONB.self)) }
        return Dictionary(uniqueKeysWithValues: try cards.map { ($0.link, try $0.card.snapshot()) })
    }
}
