// SPDX-License-Identifier: Apache-2.0
// Rows that are somebody's, and how they go.

public import Domain
public import Outbox
public import Postgres

/// Rows of a table that are somebody's, or that name them, and what becomes of these once the account is deleted.
public struct AccountRows: Sendable {
    /// What logs call them.
    public let name: String
    private let table: SQL
    private let key: SQL
    private let condition: @Sendable (AccountID) -> SQL
    private var change: (@Sendable (AccountID) -> SQL)?

    /// - Parameters:
    ///   - name: nil for the table's.
    ///   - key: the primary key.
    ///   - column: where the account stands.
    ///   - condition: which rows they are, where the column does not say it.
    public init(
        _ table: SQL,
        as name: String? = nil,
        by key: SQL,
        of column: SQL = "account_id",
        where condition: (@Sendable (AccountID) -> SQL)? = nil
    ) {
        self.name = name ?? table.text
        self.table = table
        self.key = key
        self.condition = condition ?? { "\(column) = \($0)" }
    }

    /// Rows that stay, and are not the account's any more once `change` is set.
    public func setting(_ change: @escaping @Sendable (AccountID) -> SQL) -> AccountRows {
        var rows = self
        rows.change = change
        return rows
    }

    /// Takes the account from some hundred of them.
    ///
    /// - Returns: from how many.
    public func erase(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        let deed: SQL = change.map { "UPDATE \(table) SET \($0(account))" } ?? "DELETE FROM \(table)"
        return try await transaction.query(
            """
            \(deed)
            WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition(account)) LIMIT 500)
            """
        ).affected
    }

    public var step: ErasureStep { ErasureStep(name) { try await erase($0, in: $1) } }
}
