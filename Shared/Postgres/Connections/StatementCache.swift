// SPDX-License-Identifier: Apache-2.0
// Which statements one connection has prepared, and under which names.

/// The prepared statements of a connection, by text; the least recently used make room.
struct StatementCache {
    struct Entry {
        let number: Int
        let types: [UInt32]
        fileprivate var lastUse: Int
    }

    enum Lookup: Equatable {
        case prepared(Int)
        /// Has to be prepared under this number; `evicted` is to be deallocated.
        case missing(Int, evicted: Int?)
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var uses = 0
    private var numbers = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { entries.count }

    /// Notes a use of the statement, as if it were prepared from now on.
    mutating func use(_ text: String, types: [UInt32]) -> Lookup {
        uses += 1
        var evicted: Int?
        if let index = entries.index(forKey: text) {
            if entries.values[index].types == types {
                entries.values[index].lastUse = uses
                return .prepared(entries.values[index].number)
            }
            evicted = entries.values[index].number
        } else if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            evicted = oldest.value.number
            entries[oldest.key] = nil
        }
        numbers += 1
        entries[text] = Entry(number: numbers, types: types, lastUse: uses)
        return .missing(numbers, evicted: evicted)
    }

    /// Forgets a statement that could not be prepared or is stale, unless it was prepared anew since.
    mutating func forget(_ text: String, number: Int) {
        if entries[text]?.number == number { entries[text] = nil }
    }

    /// Forgets a statement whatever its number.
    mutating func forget(_ text: String) { entries[text] = nil }
}
