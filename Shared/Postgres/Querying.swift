// SPDX-License-Identifier: Apache-2.0
// What a store needs of whoever runs its statements.

/// Runs statements: the database each by itself, a transaction one after another.
package protocol Querying: Sendable {
    func query(_ sql: SQL) async throws -> Rows
}

/// Runs statements that are committed together.
package protocol Transacting: Querying {
    /// Runs a statement whose rows nobody needs, together with the next one or the commit.
    func enqueue(_ sql: SQL)

    /// Runs `action` after the commit succeeded.
    func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension Database: Querying {
    package func query(_ sql: SQL) async throws -> Rows { try await query(sql, deadline: nil) }
}

extension Transaction: Transacting {}

/// What holds a transaction runs statements in it.
package protocol HoldingTransaction: Transacting {
    var transaction: Transaction { get }
}

extension HoldingTransaction {
    package func query(_ sql: SQL) async throws -> Rows { try await transaction.query(sql) }
    package func enqueue(_ sql: SQL) { transaction.enqueue(sql) }
    package func afterCommit(_ action: @escaping @Sendable () -> Void) { transaction.afterCommit(action) }
}
