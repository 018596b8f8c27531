// SPDX-License-Identifier: Apache-2.0
// Rows that are somebody's, as a file of an archive has them.

public import Postgres

/// Rows of a table that are somebody's, in the order of a key of one column.
public struct ExportedRows: Sendable {
    private let key: SQL
    private let owner: SQL
    private let condition: SQL
    private let shown: SQL

    /// - Parameters:
    ///   - key: a number by which an index finds what comes behind a row.
    ///   - owner: the column in which the account stands.
    ///   - condition: which of the account's rows are handed over; nil for all.
    ///   - shown: what is shown of each, a text or an array of texts, and `FROM` where.
    public init(by key: SQL, of owner: SQL, where condition: SQL? = nil, _ shown: () -> SQL) {
        self.key = key
        self.owner = owner
        self.condition = condition.map { " AND \($0)" } ?? ""
        self.shown = shown()
    }

    /// As JSON values.
    public func texts(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(page(place)).all(as: ExportedText.init)
    }

    /// As rows of a table.
    public func rows(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedRow] {
        try await database.query(page(place)).all(as: ExportedRow.init)
    }

    private func page(_ place: ExportPlace) -> SQL {
        """
        SELECT ARRAY[\(key)], \(shown)
        WHERE \(owner) = \(place.account)\(condition) AND \(key) > \(place[0])
        ORDER BY \(key) LIMIT \(place.limit)
        """
    }
}
