// SPDX-License-Identifier: Apache-2.0
// Rows that go by their age.

package import Domain
package import Outbox
package import Postgres

/// Rows of a table that have served once a moment that stands in them is over.
package struct AgedRows: Sendable {
    private let table: SQL
    private let key: SQL
    private let moment: SQL
    private let hasEnded: SQL?

    /// - Parameters:
    ///   - key: the primary key.
    ///   - moment: a column that has an index.
    ///   - hasEnded: which rows may go at all; nil for all.
    package init(of table: SQL, by key: SQL, since moment: SQL, where hasEnded: SQL? = nil) {
        self.table = table
        self.key = key
        self.moment = moment
        self.hasEnded = hasEnded
    }

    /// Forgets some of those whose moment came before another.
    ///
    /// - Returns: how many.
    package func forget(before moment: Timestamp, in database: some Querying) async throws -> Int {
        let isOlder: SQL = "\(self.moment) < \(moment)"
        let hasServed: SQL = hasEnded.map { "\($0) AND \(isOlder)" } ?? isOlder
        return try await database.query(.deletingFirst(of: table, by: key, where: hasServed, inOrderOf: self.moment))
            .affected
    }

    /// Forgets some of the oldest beyond so many.
    ///
    /// - Returns: how many.
    package func forget(beyond most: Int, in database: some Querying) async throws -> Int {
        try await database.query(.deletingBeyond(most, of: table, by: key, inOrderOf: moment)).affected
    }

    /// Forgets all whose moment was over for `age`.
    package func sweep(
        after age: Duration = .zero,
        every interval: Duration = .seconds(600),
        now: @escaping @Sendable () -> Timestamp
    ) -> Sweep {
        Sweep(table.text, every: interval) { try await forget(before: now() - age, in: $0) }
    }
}
