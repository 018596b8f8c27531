// SPDX-License-Identifier: Apache-2.0
// The SQL on what services handed over for archives.

import Domain
import Postgres

/// A row of `export_parts`.
struct ExportPartRow: Sendable {
    let export: ExportID
    let service: String
    let number: Int64
    let file: String
    /// What the file is, as JSON; empty but in its first part.
    let about: String
    let content: [UInt8]
    let isLast: Bool

    static let columns: SQL = "export_id, service, number, file, about, content, is_last"
}

enum ExportPartStore {
    static func keep(_ parts: [ExportPartRow], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO export_parts (\(ExportPartRow.columns))
            SELECT * FROM unnest(
                \(parts.map(\.export)), \(parts.map(\.service)), \(parts.map(\.number)), \(parts.map(\.file)),
                \(parts.map(\.about)), \(parts.map(\.content)), \(parts.map(\.isLast))
            )
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Some parts of a service, in their order.
    static func parts(
        of export: ExportID,
        from service: String,
        after number: Int64,
        limit: Int,
        in database: some Querying
    ) async throws -> [ExportPartRow] {
        try await database.query(
            """
            SELECT \(ExportPartRow.columns) FROM export_parts
            WHERE export_id = \(export) AND service = \(service) AND number > \(number)
            ORDER BY number LIMIT \(limit)
            """
        ).all(as: ExportPartRow.init)
    }

    /// Bytes of all parts.
    static func size(of export: ExportID, in database: some Querying) async throws -> Int64 {
        let sum = try await database.query(
            "SELECT coalesce(sum(octet_length(content)), 0)::bigint FROM export_parts WHERE export_id = \(export)"
        ).one { try $0.next(Int64.self) }
        return sum ?? 0
    }

    static func forget(of export: ExportID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM export_parts WHERE export_id = \(export)")
    }

    /// Forgets some of archives that ended otherwise.
    ///
    /// - Returns: how many.
    static func forgetEnded(in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM export_parts WHERE ctid = ANY (ARRAY(
                SELECT p.ctid FROM export_parts p
                WHERE p.export_id = (
                    SELECT e.id FROM exports e
                    WHERE e.state IN ('failed', 'deleted', 'expired')
                        AND EXISTS (SELECT FROM export_parts x WHERE x.export_id = e.id)
                    ORDER BY e.asked_at LIMIT 1
                )
                LIMIT 1000
            ))
            """
        ).affected
    }
}
