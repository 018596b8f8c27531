// SPDX-License-Identifier: Apache-2.0
// Statements that are given up on sooner than others.

extension Database {
    /// This database, each statement of which may take so long and no longer, waiting included.
    public func bounded(by deadline: Duration) -> some Querying { BoundedDatabase(database: self) { deadline } }

    /// This database, which answers no statement after `end`.
    public func bounded(until end: ContinuousClock.Instant) -> some Querying {
        BoundedDatabase(database: self) { max(.zero, end - .now) }
    }
}

private struct BoundedDatabase: Querying {
    let database: Database
    let deadline: @Sendable () -> Duration

    func query(_ sql: SQL) async throws -> Rows { try await database.query(sql, deadline: deadline()) }
}
