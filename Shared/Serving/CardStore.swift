// SPDX-License-Identifier: Apache-2.0
// The projection of previews of links: the table `cards` of every service that shows some.

public import Domain
public import Outbox
public import Postgres

public enum CardStore {
    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    ///
    /// - Returns: whether another card is to be shown than before.
    @discardableResult
    public static func keep(
        _ news: CardNews,
        at now: Timestamp,
        repairing: Bool = false,
        in transaction: some Transacting
    ) async throws -> Bool {
        let isNewer: SQL = repairing ? "excluded.version >= cards.version" : "excluded.version > cards.version"
        return try await transaction.query(
            """
            INSERT INTO cards (hash, url, link_id, version, card, touched_at)
            VALUES (\(CardNews.hash(of: news.url)), \(news.url), \(news.link), \(news.version),
                \(try news.card.map { try JSONB(snapshot: $0) }), \(now))
            ON CONFLICT (hash) DO UPDATE
            SET link_id = excluded.link_id, version = excluded.version, card = excluded.card,
                touched_at = excluded.touched_at
            WHERE \(isNewer)
            RETURNING card IS DISTINCT FROM (SELECT c.card FROM cards c WHERE c.hash = \(CardNews.hash(of: news.url)))
            """
        ).one { try $0.next(Bool.self) } ?? false
    }

    /// Removes some of the cards that have not been told for long and that nothing shows; the others count as told.
    ///
    /// - Parameter showing: whether anything shows the card `c`.
    /// - Returns: how many were looked at.
    public static func forget(
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

    /// What goes in a rebuild: cards of which nobody told. That a page shows nothing any more nobody tells again.
    public static let untold = UntoldRows(from: "cards", where: "card IS NOT NULL", kind: "'card'", "link_id")

    /// Forgets cards that nothing has shown for long.
    public static func sweep(unless showing: SQL, now: @escaping @Sendable () -> Timestamp) -> Sweep {
        Sweep("cards", every: .seconds(3600)) {
            try await forget(before: now() - CardNews.afterlife, at: now(), unless: showing, in: $0)
        }
    }
}
