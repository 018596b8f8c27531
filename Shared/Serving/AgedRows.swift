// SPDX-License-Identifier: Apache-2.0
// Rows that go by their age.

public import Domain
public import Outbox
public import Postgres

/// Rows of a table that have served once a moment that stands in them is over.
public struct AgedRows: Sendable {
    private let table: SQL
    private let key: SQL
    private let moment: SQL
    private let hasEnded: SQL?
    private let portion: SQL

    /// - Parameters:
    ///   - key: the primary key.
    ///   - moment: a column that has an index; of a moment, or of an id that tells of one.
    ///   - hasEnded: which rows may go at all; nil for all.
    ///   - portion: how many a statement deletes at most, and whether it waits for rows that others hold.
    public init(
        of table: SQL,
        by key: SQL,
        since moment: SQL,
        where hasEnded: SQL? = nil,
        portion: SQL = "LIMIT 1000"
    ) {
        self.table = table
        self.key = key
        self.moment = moment
        self.hasEnded = hasEnded
        self.portion = portion
    }

    public var name: String { table.text }

    /// Forgets some of those whose moment came before another.
    ///
    /// - Returns: how many.
    public func forget(before moment: some PostgresEncodable, in database: some Querying) async throws -> Int {
        let isOlder: SQL = "\(self.moment) < \(moment)"
        let hasServed: SQL = hasEnded.map { "\($0) AND \(isOlder)" } ?? isOlder
        return try await database.query(
            .deletingFirst(portion, of: table, by: key, where: hasServed, inOrderOf: self.moment)
        ).affected
    }

    /// Forgets some of the oldest beyond so many.
    ///
    /// - Returns: how many.
    public func forget(beyond most: Int, in database: some Querying) async throws -> Int {
        try await database.query(.deletingBeyond(most, of: table, by: key, inOrderOf: moment)).affected
    }

    /// Forgets all whose moment was over for `age`, and the oldest beyond so many.
    public func sweep(
        after age: Duration,
        beyond most: Int,
        every interval: Duration,
        now: @escaping @Sendable () -> Timestamp
    ) -> Sweep {
        Sweep(name, every: interval) { database in
            let old = try await forget(before: now() - age, in: database)
            return old + (try await forget(beyond: most, in: database))
        }
    }

    /// Forgets all whose moment was over for `age`.
    public func sweep(
        after age: Duration = .zero,
        every interval: Duration = .seconds(600),
        now: @escaping @Sendable () -> Timestamp
    ) -> Sweep {
        Sweep(name, every: interval) { try await forget(before: now() - age, in: $0) }
    }
}
