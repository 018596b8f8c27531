// SPDX-License-Identifier: Apache-2.0
// How the projections of a queue are rebuilt.

public import Events
public import Postgres

/// How what a queue keeps is rebuilt from what its owners tell again, while it serves: what is told again overwrites what
/// is there, and when everything has been applied, what nobody told of meanwhile goes.
public struct Rebuild: Sendable {
    /// The rows of which an event tells.
    let seen: @Sendable (any Event) -> [Seen]
    let withdrawals: [UntoldRows]

    /// - Parameters:
    ///   - seen: the rows of which an event tells, told for the first time or again: they stay.
    ///   - withdrawals: the tables from which the others go, in this order.
    public init(seen: @escaping @Sendable (any Event) -> [Seen], withdrawals: [UntoldRows]) {
        self.seen = seen
        self.withdrawals = withdrawals
    }

    /// What a queue that can be rebuilt receives besides what it reacts to.
    static let ends = Catalogue.retellings.map { end($0) }

    private static func end<End: RetellingEnd>(_: End.Type) -> Reaction {
        Reaction(to: End.self) { envelope, transaction in RebuildStore.end(envelope.data, in: transaction) }
    }
}

/// A row of a projection: what it is, and its key.
public struct Seen: Hashable, Sendable {
    let kind: String
    let a: Int64
    let b: Int64
    let c: Int64

    public init(_ kind: String, _ a: Int64, _ b: Int64 = 0, _ c: Int64 = 0) {
        self.kind = kind
        self.a = a
        self.b = b
        self.c = c
    }
}

/// Rows of a table that go in the end of a rebuild unless somebody told of them.
public struct UntoldRows: Sendable {
    let table: SQL
    let condition: SQL
    let kind: SQL
    let key: [SQL]

    /// A column that is called `kind` is named with its table: what was seen has one, too.
    ///
    /// - Parameters:
    ///   - condition: which of its rows go at all; those that say that something is no more do not, nobody tells that again.
    ///   - kind: of a row, as `Seen` has it: a column or a value.
    ///   - a: a column of the key, or a value; the others are 0 where the key has fewer.
    public init(
        from table: SQL,
        where condition: SQL = "true",
        kind: SQL,
        _ a: SQL,
        _ b: SQL = "0",
        _ c: SQL = "0"
    ) {
        self.table = table
        self.condition = condition
        self.kind = kind
        key = [a, b, c]
    }

    /// That a row goes.
    func isUntold(_ rebuildID: String) -> SQL {
        """
        (\(condition)) AND NOT EXISTS (
            SELECT FROM rebuild_seen seen
            WHERE seen.rebuild_id = CAST(\(rebuildID) AS uuid) AND seen.kind = \(kind)
                AND seen.a = \(key[0]) AND seen.b = \(key[1]) AND seen.c = \(key[2])
        )
        """
    }
}

extension Event {
    /// The service that tells it.
    public static var owner: String { String(name.prefix { $0 != "." }) }
}

extension EventQueue {
    /// The services whose events it gets, of those who tell them again.
    var owners: [String] {
        let tellers = Set(Catalogue.retellings.map { $0.owner })
        let own = String(name.prefix { $0 != "." })
        return Set(reactions.map { String($0.type.prefix { $0 != "." }) }).intersection(tellers).subtracting([own])
            .sorted()
    }
}
