// SPDX-License-Identifier: Apache-2.0
// Snapshots that were decoded before, so that a page that shows them again reads and decodes none.

package import Postgres
import Synchronization

/// A row of a projection as one transaction left it: whoever writes the row, for whatever reason, makes another edition.
package struct Edition: Hashable, Sendable, NullReadable {
    package let id: Int64
    /// The transaction that wrote it: `xmin` (PostgreSQL, 5.5 System Columns). Numbers come again after four thousand million
    /// transactions, by when nothing of today is kept.
    let writer: Int64

    /// The columns of a table, or of an alias of one, whose key is `id`.
    package static func columns(_ table: SQL) -> SQL { "\(table).id, \(table).xmin" }

    package static func read(_ columns: inout Columns) throws -> Edition { try columns.read(Edition.init) }

    package static func readIfPresent(_ columns: inout Columns) throws -> Edition? {
        let (id, writer): (Int64?, Int64?) = (try columns.next(), try columns.next())
        guard let id, let writer else { return nil }
        return Edition(id: id, writer: writer)
    }
}

/// A row with what it holds.
package typealias ReadSnapshot = (edition: Edition, snapshot: JSONB)

/// What is made of the snapshots of one table, each of the edition that was read last.
///
/// Which edition is the present one the database says each time; so what is kept here never outlives it, whichever process
/// wrote a newer one.
package final class KeptSnapshots<Snapshot: Decodable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let make: @Sendable (Snapshot) -> Value
    private let kept = Mutex<[Int64: (edition: Edition, value: Value)]>([:])

    package init(capacity: Int, make: @escaping @Sendable (Snapshot) -> Value) {
        self.capacity = capacity
        self.make = make
    }

    /// The values by the ids of their rows; a row that is gone meanwhile has none.
    ///
    /// - Parameter read: reads rows by their ids, as they are now.
    package func values(
        of editions: some Sequence<Edition>,
        read: ([Int64]) async throws -> [ReadSnapshot]
    ) async throws -> [Int64: Value] {
        var found: [Int64: Value] = [:]
        var missing: Set<Int64> = []
        kept.withLock { kept in
            for edition in editions {
                if let known = kept[edition.id], known.edition == edition {
                    found[edition.id] = known.value
                } else {
                    missing.insert(edition.id)
                }
            }
        }
        guard !missing.isEmpty else { return found }
        let read = try await read(missing.sorted()).map { edition, snapshot in
            (edition, make(try snapshot.snapshot()))
        }
        kept.withLock { kept in
            // A full one starts again: reading once more is cheaper than keeping an order.
            if kept.count + read.count > capacity { kept.removeAll(keepingCapacity: true) }
            for (edition, value) in read.prefix(capacity) { kept[edition.id] = (edition, value) }
        }
        for (edition, value) in read { found[edition.id] = value }
        return found
    }
}
