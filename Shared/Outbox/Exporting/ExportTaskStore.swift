// SPDX-License-Identifier: Apache-2.0
// The SQL of archives for which a service hands over its part.

public import Domain
import Events
public import Postgres

/// An archive, and how far this service's part of it is.
struct ExportTask: Sendable {
    let id: ExportID
    let account: AccountID
    /// The file whose turn it is; empty before the first.
    let file: String
    let position: [Int64]
    /// Of the file, told so far; -1 before its beginning.
    let rows: Int64
    /// Of the next piece.
    let number: Int64
    let attempts: Int

    static let columns: SQL = "export_id, account_id, file, position, rows, number, attempts::bigint"
}

public enum ExportTaskStore {
    static func keep(_ asked: ExportAsked, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO export_tasks (export_id, account_id) VALUES (\(asked.exportID), \(asked.accountID))
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Takes the archive that has waited longest, unless the outbox is full of other things. Nil when there is none, or others
    /// have them.
    static func next(outbox: Int, in transaction: some Transacting) async throws -> ExportTask? {
        try await transaction.query(
            """
            SELECT \(ExportTask.columns) FROM export_tasks
            WHERE due_at <= now() AND (SELECT count(*) FROM (SELECT FROM outbox LIMIT \(outbox + 1)) o) <= \(outbox)
            ORDER BY due_at
            LIMIT 1
            FOR UPDATE SKIP LOCKED
            """
        ).one(as: ExportTask.init)
    }

    /// - Parameter place: the file whose turn it is, the key of its last row, how many rows of it are told, and the number of
    ///   the next piece.
    static func advance(
        _ id: ExportID,
        to place: (file: String, position: [Int64], rows: Int64, number: Int64),
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE export_tasks
            SET file = \(place.file), position = \(place.position), rows = \(place.rows), number = \(place.number),
                attempts = 0, reason = NULL, due_at = now()
            WHERE export_id = \(id)
            """
        )
    }

    static func end(_ id: ExportID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM export_tasks WHERE export_id = \(id)")
    }

    /// Puts one off whose step failed: 1 s, then twice as long each time up to a minute.
    static func putOff(_ id: ExportID, reason: String, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE export_tasks
            SET attempts = attempts + 1, due_at = now() + make_interval(secs => least(60, power(2, least(attempts, 6)))),
                reason = \(storable(reason))
            WHERE export_id = \(id)
            """
        )
    }

    static func countUnderWay(in database: some Querying) async throws -> Int {
        try await database.query("SELECT count(*) FROM export_tasks").number()
    }

    /// Forgets those of an account that is deleted.
    ///
    /// - Returns: how many.
    @discardableResult
    public static func erase(of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query("DELETE FROM export_tasks WHERE account_id = \(account)").affected
    }

    /// Forgets some that nobody waits for any more.
    static func forget(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM export_tasks WHERE export_id IN (
                SELECT export_id FROM export_tasks WHERE asked_at < \(moment) ORDER BY asked_at LIMIT 1000
            )
            """
        ).affected
    }
}
