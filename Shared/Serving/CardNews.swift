// SPDX-License-Identifier: Apache-2.0
// What a service keeps of previews of links: the table `cards` of posts and of chat.

package import Domain
package import Events
package import Postgres

/// What was heard of a page: its card, or that there is none.
package struct CardNews: Sendable {
    /// How long a card stays that nothing shows.
    package static let afterlife = Duration.seconds(30 * 24 * 3600)
    /// For how long what shows a link is told of its card: what is older shows it when it is asked for.
    package static let told = Duration.seconds(24 * 3600)
    /// Of as many posts or messages with one link, the newest.
    package static let most = 100

    package let url: String
    package let link: LinkID
    package let version: Int64
    package let card: CardSnapshot?

    package init(_ news: LinkPreviewReady) {
        url = news.url
        link = news.linkID
        version = news.subjectVersion
        card = news.card
    }

    /// The key of a link in its canonical form; null for none.
    package static func hash(of url: String?) -> SQL { "sha256(convert_to(\(url), 'UTF8'))" }

    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    ///
    /// - Returns: whether another card is to be shown than before.
    package func keep(at now: Timestamp, repairing: Bool = false, in transaction: some Transacting) async throws
        -> Bool
    {
        let isNewer: SQL = repairing ? "excluded.version >= cards.version" : "excluded.version > cards.version"
        return try await transaction.query(
            """
            INSERT INTO cards (hash, url, link_id, version, card, touched_at)
            VALUES (\(CardNews.hash(of: url)), \(url), \(link), \(version),
                \(try card.map { try JSONB(snapshot: $0) }), \(now))
            ON CONFLICT (hash) DO UPDATE
            SET link_id = excluded.link_id, version = excluded.version, card = excluded.card,
                touched_at = excluded.touched_at
            WHERE \(isNewer)
            RETURNING card IS DISTINCT FROM (SELECT c.card FROM cards c WHERE c.hash = \(CardNews.hash(of: url)))
            """
        ).one { try $0.next(Bool.self) } ?? false
    }

    /// Removes some of the cards that have not been told for long and that nothing shows; the others count as told.
    ///
    /// - Parameter showing: whether anything shows the card `c`.
    /// - Returns: how many were looked at.
    package static func forget(
        before moment: Timestamp,
        at now: Timestamp,
        unless showing: SQL,
        in database: some Querying
    ) async throws -> Int {
        try await database.query(
            """
            WITH old AS MATERIALIZED (
                SELECT c.hash, \(showing) AS is_shown
                FROM cards c
                WHERE c.touched_at < \(moment)
                ORDER BY c.touched_at LIMIT 100
            ), kept AS (
                UPDATE cards SET touched_at = \(now) FROM old WHERE cards.hash = old.hash AND old.is_shown
            ), gone AS (
                DELETE FROM cards USING old WHERE cards.hash = old.hash AND NOT old.is_shown
            )
            SELECT count(*) FROM old
            """
        ).number()
    }
}
