// SPDX-License-Identifier: Apache-2.0
// Uploads that wait to be worked on: each is its own job.

import Domain
import Events
import Postgres
import Serving

/// An upload that a worker has until its lease ends.
struct Job: Sendable {
    let upload: Upload
    /// Which attempt this is: what an earlier one brings is refused.
    let attempt: Int

    static let columns: SQL = "\(Upload.columns), attempts"
}

enum JobStore {
    /// Takes the upload that has waited longest.
    static func claim(at now: Timestamp, lease: Duration, in database: some Querying) async throws -> Job? {
        try await database.query(
            """
            UPDATE uploads SET attempts = attempts + 1, leased_until = \(now + lease)
            WHERE id = (
                SELECT id FROM uploads
                WHERE state = 'processing' AND (leased_until IS NULL OR leased_until < \(now))
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            RETURNING \(Job.columns)
            """
        ).one(as: Job.init)
    }

    /// False when somebody else has it by now.
    static func renew(_ id: MediaID, attempt: Int, until end: Timestamp, in database: some Querying) async throws
        -> Bool
    {
        try await database.query(
            """
            UPDATE uploads SET leased_until = \(end)
            WHERE id = \(id) AND state = 'processing' AND attempts = \(attempt)
            """
        ).affected == 1
    }

    /// Gives it back, to be taken again at a moment.
    ///
    /// - Parameter counts: whether the attempt was one: it is not when the process stops.
    static func putOff(
        _ id: MediaID,
        attempt: Int,
        until moment: Timestamp,
        counts: Bool,
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            UPDATE uploads SET leased_until = \(moment), attempts = attempts - \(counts ? 0 : 1)
            WHERE id = \(id) AND state = 'processing' AND attempts = \(attempt)
            """
        )
    }

    /// The upload as it is now, for whoever ends its job; nil when it is no longer this attempt's.
    static func lock(_ id: MediaID, attempt: Int, in transaction: some Transacting) async throws -> Upload? {
        try await transaction.query(
            """
            SELECT \(Upload.columns) FROM uploads
            WHERE id = \(id) AND state = 'processing' AND attempts = \(attempt)
            FOR UPDATE
            """
        ).one { try $0.next() }
    }

    static func finish(_ media: MediaProcessed, keptBytes: Int64, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            UPDATE uploads
            SET state = 'ready', version = \(media.subjectVersion), media = \(try JSONB(snapshot: media)),
                kept_bytes = \(keptBytes), leased_until = NULL
            WHERE id = \(media.mediaID)
            """
        )
    }

    static func fail(_ failure: MediaFailed, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE uploads
            SET state = 'failed', version = \(failure.subjectVersion), failure = \(failure.reason), kept_bytes = 0,
                leased_until = NULL
            WHERE id = \(failure.mediaID)
            """
        )
    }
}
