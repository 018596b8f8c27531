// SPDX-License-Identifier: Apache-2.0
// What a store needs of whoever runs its statements.

/// Runs statements: the database each by itself, a transaction one after another.
public protocol Querying: Sendable {
    func query(_ sql: SQL) async throws -> Rows
}

/// Runs statements that are committed together.
public protocol Transacting: Querying {
    /// Runs a statement whose rows nobody needs, together with the next one or the commit.
    func enqueue(_ sql: SQL)

    /// Runs `action` after the commit succeeded.
    func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension Database: Querying {
    public func query(_ sql: SQL) async throws -> Rows { try await query(sql, deadline: nil) }
}

extension Transaction: Transacting {}

/// What holds a transaction runs statements in it.
public protocol HoldingTransaction: Transacting {
    var transaction: Transaction { get }
}

extension HoldingTransaction {
    public func query(_ sql: SQL) async throws -> Rows { try await transaction.query(sql) }
    public func enqueue(_ sql: SQL) { transaction.enqueue(sql) }
    public func afterCommit(_ action: @escaping @Sendable () -> Void) { transaction.afterCommit(action) }
}
