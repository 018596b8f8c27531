// SPDX-License-Identifier: Apache-2.0
// How the projections of a queue are rebuilt.

package import Events
package import Postgres

/// How what a queue keeps is rebuilt from what its owners tell again, while it serves: what is told again overwrites what
/// is there, and when everything has been applied, what nobody told of meanwhile goes.
package struct Rebuild: Sendable {
    /// Removes some thousand rows at most that nobody told of.
    ///
    /// - Returns: how many went; none ends it.
    package typealias Withdrawal = @Sendable (Untold, Transaction) async throws -> Int

    /// The rows of which an event tells.
    let seen: @Sendable (any Event) -> [Seen]
    let withdrawals: [Withdrawal]

    /// - Parameters:
    ///   - seen: the rows of which an event tells, told for the first time or again: they stay.
    ///   - withdrawals: for each table how the others go, in this order.
    package init(seen: @escaping @Sendable (any Event) -> [Seen], withdrawals: [Withdrawal]) {
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
package struct Seen: Hashable, Sendable {
    let kind: String
    let a: Int64
    let b: Int64
    let c: Int64

    package init(_ kind: String, _ a: Int64, _ b: Int64 = 0, _ c: Int64 = 0) {
        self.kind = kind
        self.a = a
        self.b = b
        self.c = c
    }
}

/// What nobody told of during a rebuild.
package struct Untold: Sendable {
    let rebuildID: String

    /// That nobody told of the row with this key, as a condition.
    ///
    /// - Parameters:
    ///   - kind: a column or a value.
    ///   - a: a column of the key; the others are 0 where the key has fewer.
    package func condition(_ kind: SQL, _ a: SQL, _ b: SQL = "0", _ c: SQL = "0") -> SQL {
        """
        NOT EXISTS (
            SELECT FROM rebuild_seen seen
            WHERE seen.rebuild_id = CAST(\(rebuildID) AS uuid) AND seen.kind = \(kind)
                AND seen.a = \(a) AND seen.b = \(b) AND seen.c = \(c)
        )
        """
    }

    /// Removes rows of `table` that nobody told of, some thousand of them.
    ///
    /// - Parameter condition: which of its rows are asked about at all.
    package func remove(
        from table: SQL,
        where condition: SQL = "true",
        kind: SQL,
        _ a: SQL,
        _ b: SQL = "0",
        _ c: SQL = "0",
        in transaction: some Transacting
    ) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM \(table)
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM \(table) WHERE (\(condition)) AND \(self.condition(kind, a, b, c)) LIMIT \(Untold.step)
            ))
            """
        ).affected
    }

    package static let step = 2000
}

extension Event {
    /// The service that tells it.
    static var owner: String { String(name.prefix { $0 != "." }) }
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
