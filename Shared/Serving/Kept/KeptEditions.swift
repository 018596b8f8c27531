// SPDX-License-Identifier: Apache-2.0
// What was made of rows before, so that a page that shows them again reads and makes none of it.

public import Postgres
import Synchronization

/// A row as one transaction left it: whoever writes the row, for whatever reason, makes another edition.
public struct RowEdition: Hashable, Sendable, NullReadable {
    public let id: Int64
    /// The transaction that wrote it: `xmin` (PostgreSQL, 5.5 System Columns). Numbers come again after four thousand million
    /// transactions, by when nothing of today is kept.
    let writer: Int64

    /// The columns of a table, or of an alias of one, whose key is `id`.
    public static func columns(_ table: SQL) -> SQL { "\(table).id, \(table).xmin" }

    public static func read(_ columns: inout Columns) throws -> RowEdition { try columns.read(RowEdition.init) }

    public static func readIfPresent(_ columns: inout Columns) throws -> RowEdition? {
        let (id, writer): (Int64?, Int64?) = (try columns.next(), try columns.next())
        guard let id, let writer else { return nil }
        return RowEdition(id: id, writer: writer)
    }
}

/// A row with what it holds.
public typealias ReadSnapshot = (edition: RowEdition, snapshot: JSONB)

/// What was made of rows, each of the edition that was read last.
///
/// Which edition is the present one the database says each time; so what is kept here never outlives it, whichever process
/// wrote a newer one.
public final class KeptEditions<ID: Hashable & Sendable, Edition: Equatable & Sendable, Value: Sendable>: Sendable {
    public typealias Made = (id: ID, edition: Edition, value: Value)

    private let capacity: Int
    private let kept = Mutex<[ID: (edition: Edition, value: Value)]>([:])

    /// - Parameter capacity: how many are kept at most.
    public init(capacity: Int) { self.capacity = capacity }

    /// The values by their ids; what is gone meanwhile has none.
    ///
    /// - Parameter make: reads what is not kept as it is now, each id once.
    public func values(
        of wanted: some Sequence<(id: ID, edition: Edition)>,
        make: ([ID]) async throws -> [Made]
    ) async throws -> [ID: Value] {
        var found: [ID: Value] = [:]
        found.reserveCapacity(wanted.underestimatedCount)
        var missing: Set<ID> = []
        kept.withLock { kept in
            for (id, edition) in wanted {
                if let known = kept[id], known.edition == edition {
                    found[id] = known.value
                } else {
                    missing.insert(id)
                }
            }
        }
        guard !missing.isEmpty else { return found }
        let made = try await make(Array(missing))
        kept.withLock { kept in
            // A full one starts again: reading once more is cheaper than keeping an order.
            if kept.count + made.count > capacity { kept.removeAll(keepingCapacity: true) }
            for one in made.prefix(capacity) { kept[one.id] = (one.edition, one.value) }
        }
        for one in made { found[one.id] = one.value }
        return found
    }
}

extension KeptEditions where ID == Int64, Edition == RowEdition {
    /// - Parameter read: reads rows by their ids, as they are now.
    public func values<Snapshot: Decodable>(
        of editions: [RowEdition],
        make: (Snapshot) -> Value,
        read: ([Int64]) async throws -> [ReadSnapshot]
    ) async throws -> [Int64: Value] {
        try await values(of: editions.lazy.map { (id: $0.id, edition: $0) }) { ids in
            try await read(ids).map { ($0.edition.id, $0.edition, make(try $0.snapshot.snapshot())) }
        }
    }
}
