// SPDX-License-Identifier: Apache-2.0
// The SQL on archives.

import Domain
import Postgres

enum ExportStore {
    // MARK: Their owners

    /// - Returns: whether it was made; not while another of the account is under way.
    static func ask(_ id: ExportID, for account: AccountID, at now: Timestamp, in transaction: some Transacting)
        async throws -> Bool
    {
        try await transaction.query(
            """
            INSERT INTO exports (id, account_id, asked_at) VALUES (\(id), \(account), \(now))
            ON CONFLICT DO NOTHING
            """
        ).affected == 1
    }

    /// The one asked for last that did not fail, also one that was taken away.
    static func newest(of account: AccountID, in database: some Querying) async throws -> Export? {
        try await database.query(
            """
            SELECT \(Export.columns) FROM exports WHERE account_id = \(account) AND state <> 'failed'
            ORDER BY id DESC LIMIT 1
            """
        ).one(as: Export.init)
    }

    static func list(of account: AccountID, in database: some Querying) async throws -> [Export] {
        try await database.query(
            """
            SELECT \(Export.columns) FROM exports WHERE account_id = \(account) AND state <> 'deleted'
            ORDER BY id DESC LIMIT 40
            """
        ).all(as: Export.init)
    }

    static func export(_ id: ExportID, of account: AccountID, in database: some Querying) async throws -> Export? {
        try await database.query(
            """
            SELECT \(Export.columns) FROM exports
            WHERE id = \(id) AND account_id = \(account) AND state <> 'deleted'
            """
        ).one(as: Export.init)
    }

    /// - Returns: whether there was one.
    static func delete(_ id: ExportID, of account: AccountID, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE exports SET state = 'deleted', file = NULL, bytes = NULL, leased_until = NULL
            WHERE id = \(id) AND account_id = \(account) AND state <> 'deleted'
            """
        ).affected == 1
    }

    /// Removes all of an account, with their parts.
    ///
    /// - Returns: which they were.
    static func erase(of account: AccountID, in transaction: some Transacting) async throws -> [ExportID] {
        try await transaction.query("DELETE FROM exports WHERE account_id = \(account) RETURNING id")
            .all { try $0.next() }
    }

    // MARK: Their parts

    /// Those of some archives whose parts are still coming, held until the end of the transaction.
    static func gathering(_ ids: [ExportID], in transaction: some Transacting) async throws -> [ExportID] {
        try await transaction.query(
            "SELECT id FROM exports WHERE id = ANY (\(ids)) AND state = 'gathering' ORDER BY id FOR UPDATE"
        ).all { try $0.next() }
    }

    /// Has those written of which everything is there, and gives up those that are too large. Whoever calls holds them.
    ///
    /// - Parameter services: how many hand over a part.
    static func settle(_ ids: [ExportID], services: Int, bytes: Int, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE exports e
            SET state = CASE WHEN t.bytes > \(bytes) THEN 'failed' ELSE 'writing' END,
                failure = CASE WHEN t.bytes > \(bytes) THEN \(Export.Failure.tooLarge.rawValue) END
            FROM (
                SELECT p.export_id, count(*) AS parts, sum(octet_length(p.content)) AS bytes,
                    count(*) FILTER (WHERE p.is_last) AS ended, sum(p.number + 1) FILTER (WHERE p.is_last) AS awaited
                FROM export_parts p
                WHERE p.export_id = ANY (\(ids))
                GROUP BY p.export_id
            ) t
            WHERE e.id = t.export_id AND e.state = 'gathering'
                AND (t.bytes > \(bytes) OR (t.ended = \(services) AND t.parts = t.awaited))
            """
        )
    }

    // MARK: Their writing

    /// Takes the one that has waited longest.
    static func claim(at now: Timestamp, lease: Duration, in database: some Querying) async throws -> Export? {
        try await database.query(
            """
            UPDATE exports SET attempts = attempts + 1, leased_until = \(now + lease)
            WHERE id = (
                SELECT id FROM exports
                WHERE state = 'writing' AND (leased_until IS NULL OR leased_until < \(now))
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            RETURNING \(Export.columns)
            """
        ).one(as: Export.init)
    }

    /// False when somebody else has it by now, or nobody wants it any more.
    static func renew(_ export: Export, until end: Timestamp, in database: some Querying) async throws -> Bool {
        try await database.query(
            """
            UPDATE exports SET leased_until = \(end)
            WHERE id = \(export.id) AND state = 'writing' AND attempts = \(export.attempt)
            """
        ).affected == 1
    }

    /// Gives it back, to be taken again at a moment.
    ///
    /// - Parameter counts: whether the attempt was one: it is not when the process stops.
    static func putOff(_ export: Export, until moment: Timestamp, counts: Bool, in database: some Querying) async throws
    {
        _ = try await database.query(
            """
            UPDATE exports SET leased_until = \(moment), attempts = attempts - \(counts ? 0 : 1)
            WHERE id = \(export.id) AND state = 'writing' AND attempts = \(export.attempt)
            """
        )
    }

    /// - Returns: whether it was this attempt's to end.
    static func finish(
        _ export: Export,
        _ file: StoredFile,
        at now: Timestamp,
        until end: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE exports
            SET state = 'ready', file = \(file.name), bytes = \(file.bytes), ready_at = \(now), expires_at = \(end),
                leased_until = NULL
            WHERE id = \(export.id) AND state = 'writing' AND attempts = \(export.attempt)
            """
        ).affected == 1
    }

    static func fail(_ export: Export, _ failure: Export.Failure, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE exports SET state = 'failed', failure = \(failure.rawValue), leased_until = NULL
            WHERE id = \(export.id) AND state = 'writing' AND attempts = \(export.attempt)
            """
        )
    }

    // MARK: Their end

    /// Gives up some whose parts did not all come.
    ///
    /// - Returns: how many.
    static func abandon(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            UPDATE exports SET state = 'failed', failure = \(Export.Failure.late.rawValue)
            WHERE id = ANY (ARRAY(
                SELECT id FROM exports WHERE state = 'gathering' AND asked_at < \(moment)
                ORDER BY asked_at LIMIT 100 FOR UPDATE SKIP LOCKED
            ))
            """
        ).affected
    }

    /// Ends some whose time is over.
    ///
    /// - Returns: which they were.
    static func expire(at now: Timestamp, in transaction: some Transacting) async throws -> [ExportID] {
        try await transaction.query(
            """
            UPDATE exports SET state = 'expired', file = NULL
            WHERE id = ANY (ARRAY(
                SELECT id FROM exports WHERE state = 'ready' AND expires_at <= \(now)
                ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
            ))
            RETURNING id
            """
        ).all { try $0.next() }
    }

    /// Forgets some that ended.
    ///
    /// - Returns: how many.
    static func forget(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM exports WHERE id = ANY (ARRAY(
                SELECT id FROM exports WHERE state IN ('failed', 'deleted', 'expired') AND asked_at < \(moment)
                ORDER BY asked_at LIMIT 100 FOR UPDATE SKIP LOCKED
            ))
            """
        ).affected
    }
}
