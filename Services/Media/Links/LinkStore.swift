// SPDX-License-Identifier: Apache-2.0
// Pages that something links to: who does, and when they are fetched.

import Domain
import Events
import Postgres
import Serving
import Views

/// A page that is fetched now.
struct DueLink: Sendable {
    let id: LinkID
    let url: String
    /// Which attempt this is: what an earlier one brings is refused.
    let attempt: Int

    static let columns: SQL = "id, url, attempts"
}

/// A page as it was before its fetching ended.
struct FetchedLink: Sendable {
    let version: Int64
    let isReady: Bool
    let image: MediaID?

    static let columns: SQL = "version, state = 'ready', image_id"
}

enum LinkStore {
    /// Keeps what things show, where nothing newer is known of them, and has pages fetched that are not known or no longer fresh.
    ///
    /// - Parameters:
    ///   - mentions: one of each thing at most.
    ///   - ids: for pages that are new, as many as mentions.
    static func mention(_ mentions: [Mention], ids: [LinkID], at now: Timestamp, in transaction: some Transacting)
        async throws
    {
        let (showings, urls) = (mentions.map(\.showing), mentions.map { $0.url ?? "" })
        _ = try await transaction.query(
            """
            WITH said AS (
                SELECT s.kind, s.subject_id, s.version, s.url, s.host, s.id,
                    CASE WHEN s.url <> '' THEN sha256(convert_to(s.url, 'UTF8')) END AS hash
                FROM unnest(\(showings.map(\.kind.rawValue)), \(showings.map(\.subject)), \(showings.map(\.version)),
                    \(urls), \(urls.map(LinkURL.host)), \(ids)) AS s (kind, subject_id, version, url, host, id)
            ), newer AS (
                INSERT INTO mentions (kind, subject_id, version, hash, touched_at)
                SELECT kind, subject_id, version, hash, \(now) FROM said
                ON CONFLICT (kind, subject_id) DO UPDATE
                SET version = excluded.version, hash = excluded.hash, touched_at = excluded.touched_at
                WHERE mentions.version < excluded.version
                RETURNING hash
            )
            INSERT INTO links (hash, id, url, host, touched_at, due_at)
            SELECT DISTINCT ON (said.hash) said.hash, said.id, said.url, said.host, \(now), CAST(\(now) AS timestamptz)
            FROM said
            WHERE said.hash IN (SELECT hash FROM newer)
            ORDER BY said.hash
            ON CONFLICT (hash) DO UPDATE SET touched_at = excluded.touched_at, due_at = excluded.due_at
            WHERE links.due_at IS NULL AND links.fresh_until <= \(now)
            """
        )
    }

    /// Waits until nobody else counts who fetches what from a host.
    static func hold(in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(\(0x6C69_6E6B_73))")
    }

    /// Takes the page that has been due longest and from whose host fewer than two are fetched. Hold before.
    ///
    /// - Parameters:
    ///   - retry: when it is due again if nobody says what came of it.
    ///   - lease: until when it counts for its host.
    static func claim(at now: Timestamp, retry: Timestamp, lease: Timestamp, in transaction: some Transacting)
        async throws
        -> DueLink?
    {
        try await transaction.query(
            """
            UPDATE links SET attempts = attempts + 1, due_at = \(retry), leased_until = \(lease)
            WHERE hash = (
                SELECT l.hash FROM links l
                WHERE l.due_at <= \(now)
                    AND 2 > (SELECT count(*) FROM links b WHERE b.host = l.host AND b.leased_until > \(now))
                ORDER BY l.due_at LIMIT 1
            )
            RETURNING \(DueLink.columns)
            """
        ).one(as: DueLink.init)
    }

    /// The page for whoever ends its fetching; nil when that is no longer this attempt's to say.
    static func lock(_ link: DueLink, in transaction: some Transacting) async throws -> FetchedLink? {
        try await transaction.query(
            """
            SELECT \(FetchedLink.columns) FROM links
            WHERE id = \(link.id) AND attempts = \(link.attempt) AND due_at IS NOT NULL
            FOR UPDATE
            """
        ).one(as: FetchedLink.init)
    }

    /// Keeps what came of it; a page without a card has none.
    static func finish(
        _ news: LinkPreviewReady,
        image: MediaID?,
        at now: Timestamp,
        fresh end: Timestamp,
        in transaction: some Transacting
    ) throws {
        transaction.enqueue(
            """
            UPDATE links
            SET state = \(news.card == nil ? "nothing" : "ready"), version = \(news.subjectVersion),
                card = \(try news.card.map { try JSONB(snapshot: $0) }), image_id = \(image), fetched_at = \(now),
                fresh_until = \(end), due_at = NULL, leased_until = NULL, attempts = 0
            WHERE id = \(news.linkID)
            """
        )
    }

    /// Leaves it as it was: nobody answered.
    static func leave(_ link: LinkID, at now: Timestamp, fresh end: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE links
            SET state = CASE state WHEN 'waiting' THEN 'nothing' ELSE state END, fetched_at = \(now), fresh_until = \(end),
                due_at = NULL, leased_until = NULL, attempts = 0
            WHERE id = \(link)
            """
        )
    }

    /// Some pages that may have been forgotten by all, held until the end of the transaction.
    static func old(before moment: Timestamp, in transaction: some Transacting) async throws -> [LinkID] {
        try await transaction.query(
            """
            SELECT id FROM links WHERE touched_at < \(moment)
            ORDER BY touched_at LIMIT 100 FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    /// Removes those of some pages to which nothing links, and knows again that something links to the others.
    ///
    /// - Returns: the images of those that went.
    static func settle(_ ids: [LinkID], at now: Timestamp, in transaction: some Transacting) async throws -> [MediaID] {
        try await transaction.query(
            """
            WITH needed AS (
                UPDATE links SET touched_at = \(now)
                WHERE id = ANY (\(ids)) AND EXISTS (SELECT FROM mentions m WHERE m.hash = links.hash)
            ), gone AS (
                DELETE FROM links
                WHERE id = ANY (\(ids)) AND NOT EXISTS (SELECT FROM mentions m WHERE m.hash = links.hash)
                RETURNING image_id
            )
            SELECT image_id FROM gone WHERE image_id IS NOT NULL
            """
        ).all { try $0.next() }
    }

    /// What is known of things that link to nothing any more.
    static let agedMentions = AgedRows(
        of: "mentions",
        by: "kind, subject_id",
        since: "touched_at",
        where: "hash IS NULL"
    )
}
