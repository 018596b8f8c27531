// SPDX-License-Identifier: Apache-2.0
// The projection of previews of links, and which messages show them.

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

    /// Forgets some of the cards that no message has shown for long.
    ///
    /// - Returns: how many were looked at.
    static func forget(before moment: Timestamp, at now: Timestamp, in database: some Querying) async throws -> Int {
        try await CardNews.forget(
            before: moment,
            at: now,
            unless: "EXISTS (SELECT FROM messages m WHERE m.link_hash = c.hash)",
            in: database
        )
    }
}
