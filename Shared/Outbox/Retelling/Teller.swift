// SPDX-License-Identifier: Apache-2.0
// What a service can tell again of what it owns.

public import Domain
public import Events
public import Postgres

/// One kind of thing that a service owns, and how it is told again as it stands now: by the same event as ever, with the
/// row's present version, so that whoever knows something newer is not led astray.
public struct Teller: Sendable {
    /// Something told again.
    public struct Fact: Sendable {
        let event: any Event
        let moment: Timestamp

        /// - Parameter moment: when it happened.
        public init(_ event: some Event, at moment: Timestamp) {
            self.event = event
            self.moment = moment
        }
    }

    /// Some things in the order of their keys, and the last one's key; no key when nothing comes behind them.
    public struct Step: Sendable {
        let facts: [Fact]
        let last: [Int64]?

        public init(_ facts: [Fact], last: [Int64]?) {
            self.facts = facts
            self.last = last
        }

        /// - Parameters:
        ///   - rows: as many as were asked for, or all that are left.
        ///   - facts: what is told of a row.
        public init<Row>(
            _ rows: [Row],
            limit: Int,
            key: (Row) -> [Int64],
            facts: (Row) throws -> [Fact]
        ) rethrows {
            self.facts = try rows.flatMap(facts)
            last = rows.count < limit ? nil : rows.last.map(key)
        }
    }

    /// After which key, and how many rows at most.
    public struct Place: Sendable {
        let key: [Int64]
        public let limit: Int

        public init(after key: [Int64] = [], limit: Int) {
            self.key = key
            self.limit = limit
        }

        /// A part of the key behind which it goes on; 0, below every id, at the beginning.
        public subscript(_ part: Int) -> Int64 { key.indices.contains(part) ? key[part] : 0 }
    }

    let name: String
    let types: Set<String>
    let step: @Sendable (Place, Transaction) async throws -> Step

    /// - Parameters:
    ///   - name: unlike those of the service's other tellers.
    ///   - types: the events that it tells; it is asked for nothing where nobody wants any.
    ///   - step: tells of some rows, by the primary key, in one statement.
    public init(
        _ name: String,
        tells types: [any Event.Type],
        _ step: @escaping @Sendable (Place, Transaction) async throws -> Step
    ) {
        self.name = name
        self.types = Set(types.map { $0.type })
        self.step = step
    }
}
