// SPDX-License-Identifier: Apache-2.0
// Lists that are kept part by part: where one part changed, that part alone is read again.

import Domain
public import Postgres
import Synchronization

/// A part of a list, as it is shown.
public protocol ShownPart: Sendable {
    var id: Int64 { get }
    /// Numbers of whatever it shows or follows from, as `changes` names them; nil for one that is not kept.
    var subjects: [Int64]? { get }
    /// Octets that it takes, about.
    var size: Int { get }
}

/// The parts of the lists that were given last, each with what it shows.
///
/// Whether one still holds the database says each time (`ChangeLog`); so none outlives what it shows, whichever process changed it.
public final class KeptParts<Part: ShownPart>: Sendable {
    private struct List {
        /// All of its parts, kept or not.
        let ids: [Int64]
        let parts: [Int64: Part]
        /// A look before which nothing of it was read, or at which all of it held.
        let look: SeenChanges.Look

        var size: Int {
            parts.values.reduce(256 + 16 * ids.count) { $0 + $1.size + 8 * ($1.subjects?.count ?? 0) + 128 }
        }
    }

    private let changes: ChangeLog
    private let kept: Mutex<Generations<Int64, List>>

    /// - Parameter capacity: octets that are kept at most.
    public init(_ changes: ChangeLog, capacity: Int = 16 << 20) {
        self.changes = changes
        kept = Mutex(Generations(capacity: capacity))
    }

    /// The parts of somebody's list, without those that are gone meanwhile, in no order.
    ///
    /// - Parameters:
    ///   - owner: whose list it is: whatever adds to it or takes from it is noted as a change of them.
    ///   - ids: reads which parts it has.
    ///   - make: reads parts as they are now, each id once.
    public func parts(
        of owner: Int64,
        in database: some Querying,
        ids read: () async throws -> [Int64],
        make: ([Int64]) async throws -> [Part]
    ) async throws -> [Part] {
        guard let look = await changes.look(in: database) else { return try await make(try await read()) }
        let known = kept.withLock { $0.value(at: owner) }
        let isListed = known.map { changes.hold([owner], since: $0.look) } ?? false
        let ids = if let known, isListed { known.ids } else { try await read() }
        var parts = known.map { changes.holding($0.parts, since: $0.look) } ?? [:]
        let missing = ids.filter { parts[$0] == nil }
        let held = ids.compactMap { parts[$0] }
        let made = missing.isEmpty ? [] : try await make(missing)
        if !isListed { parts = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0) }) }
        for part in made where part.subjects != nil { parts[part.id] = part }
        put(List(ids: ids, parts: parts, look: look), of: owner)
        return held + made
    }

    private func put(_ list: List, of owner: Int64) {
        kept.withLock { $0.put(list, at: owner, cost: list.size) }
    }
}
