// SPDX-License-Identifier: Apache-2.0
// Which covers are kept, and which are fetched now.

import Domain
import Postgres

/// A cover that was fetched, or could not be had.
struct KeptCover: Sendable {
    /// Nil where there is none.
    let file: String?
    /// Whether nobody asks for it again yet.
    let isFresh: Bool
    let touchedAt: Timestamp

    static let columns: SQL = "file, is_fresh, touched_at"
}

/// A cover as it was before it was fetched.
struct FetchedCover: Sendable {
    let image: MediaID?

    static let columns: SQL = "image_id"
}

/// All by the SHA-256 of the picture's URL.
enum CoverStore {
    static func cover(_ hash: [UInt8], at now: Timestamp, in database: some Querying) async throws -> KeptCover? {
        try await database.query(
            """
            SELECT \(KeptCover.columns)
            FROM (
                SELECT file, fresh_until > \(now) AS is_fresh, touched_at
                FROM covers
                WHERE hash = \(hash) AND fresh_until IS NOT NULL
            ) c
            """
        ).one(as: KeptCover.init)
    }

    /// Knows that somebody looked at it.
    static func touch(_ hash: [UInt8], at now: Timestamp, in database: some Querying) async throws {
        _ = try await database.query("UPDATE covers SET touched_at = \(now) WHERE hash = \(hash)")
    }

    /// Waits until nobody else counts who fetches what from a host.
    static func hold(in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(\(0x636F_7665_7273))")
    }

    /// Takes it upon oneself to fetch it; false where somebody does already, it is known, or its host is asked enough. Hold before.
    ///
    /// - Parameter most: how many of a host are fetched at a time.
    static func claim(
        _ hash: [UInt8],
        of host: String,
        atOnce most: Int,
        at now: Timestamp,
        until lease: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO covers AS c (hash, host, touched_at, leased_until)
            SELECT \(hash), \(host), \(now), \(lease)
            WHERE \(most) > (SELECT count(*) FROM covers b WHERE b.host = \(host) AND b.leased_until > \(now))
            ON CONFLICT (hash) DO UPDATE SET leased_until = excluded.leased_until
            WHERE coalesce(c.fresh_until <= \(now), true) AND coalesce(c.leased_until <= \(now), true)
            """
        ).affected == 1
    }

    /// Lets others fetch it.
    static func release(_ hash: [UInt8], in database: some Querying) async throws {
        _ = try await database.query("UPDATE covers SET leased_until = NULL WHERE hash = \(hash)")
    }

    /// It, for whoever has fetched it; nil where it is forgotten by now.
    static func lock(_ hash: [UInt8], in transaction: some Transacting) async throws -> FetchedCover? {
        try await transaction.query(
            "SELECT \(FetchedCover.columns) FROM covers WHERE hash = \(hash) FOR UPDATE"
        ).one(as: FetchedCover.init)
    }

    /// - Parameters:
    ///   - image: under which its file stands in `renditions`.
    ///   - end: until when nobody asks for it again.
    static func keep(
        _ hash: [UInt8],
        file: String,
        as image: MediaID,
        until end: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE covers SET file = \(file), image_id = \(image), fresh_until = \(end), leased_until = NULL
            WHERE hash = \(hash)
            """
        )
    }

    /// Leaves it as it was: none came.
    static func leave(_ hash: [UInt8], until end: Timestamp, in transaction: some Transacting) {
        transaction.enqueue("UPDATE covers SET fresh_until = \(end), leased_until = NULL WHERE hash = \(hash)")
    }

    /// Removes some at which nobody looks any more.
    ///
    /// - Returns: the image of each, if it had one.
    static func forget(before moment: Timestamp, in transaction: some Transacting) async throws -> [MediaID?] {
        try await transaction.query(
            """
            DELETE FROM covers
            WHERE hash IN (
                SELECT hash FROM covers WHERE touched_at < \(moment)
                ORDER BY touched_at LIMIT 100 FOR UPDATE SKIP LOCKED
            )
            RETURNING image_id
            """
        ).all { try $0.next() }
    }
}
