// SPDX-License-Identifier: Apache-2.0
// The projection of previews of links, and which messages show them.

import Domain
import Events
import Postgres
import Serving

extension CardStore {
    /// Whether anything shows the card `c`.
    static let isShown: SQL = "EXISTS (SELECT FROM messages m WHERE m.link_hash = c.hash)"

    /// The newest messages with a link, in the order in which channels are held.
    ///
    /// - Parameters:
    ///   - first: older messages are left out.
    ///   - most: how many at most.
    static func messages(
        with url: String,
        from first: MessageID,
        most: Int,
        in database: some Querying
    ) async throws -> [CarryingMessage] {
        try await database.query(
            """
            SELECT \(CarryingMessage.columns)
            FROM (
                SELECT m.id, m.channel_id, m.seq
                FROM messages m
                WHERE m.link_hash = \(CardNews.hash(of: url)) AND m.id >= \(first)
                ORDER BY m.id DESC
                LIMIT \(most)
            ) newest
            ORDER BY channel_id, seq
            """
        ).all(as: CarryingMessage.init)
    }
}
