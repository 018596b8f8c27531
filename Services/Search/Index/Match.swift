// SPDX-License-Identifier: Apache-2.0
// A request in the terms of PostgreSQL's index.

import Domain
import Postgres
import TextAnalysis

/// Keys find candidates; patterns on the form decide. So two terms of one number, and ways that only some keys tell apart, show
/// nothing wrong.
struct Match: Sendable {
    let kind: SearchKind
    let viewer: AccountID?
    var ceiling = Int64.max
    var floor = Int64.min
    var limit = 200
    /// Patterns of LIKE.
    private(set) var all: [String] = []
    private(set) var none: [String] = []
    private(set) var some: [[String]] = []
    private var must: Set<Term> = []
    private var anyOf: [[Int32]] = []
    private var mustNot: Set<Term> = []

    init(_ kind: SearchKind, viewer: AccountID?) {
        self.kind = kind
        self.viewer = viewer
    }

    mutating func require(_ fact: Term) { must.insert(fact) }
    mutating func requireOne(of facts: some Sequence<Term>) { anyOf.append(facts.map(\.number)) }
    mutating func exclude(_ fact: Term) { mustNot.insert(fact) }
    mutating func exclude(_ wanted: Wanted) { none += wanted.ways.flatMap(Self.patterns) }

    mutating func require(_ wanted: Wanted) {
        let terms = wanted.ways.map(\.terms)
        guard let first = terms.first else { return }
        let common = terms.dropFirst().reduce(first) { $0.intersection($1) }
        must.formUnion(common)
        if wanted.ways.count == 1 {
            all += wanted.ways.flatMap { $0.patterns.map(Self.pattern) }
            return
        }
        some.append(wanted.ways.flatMap(Self.patterns))
        let rest = terms.map { Array($0.subtracting(common)).sorted { $0.number < $1.number } }
        // A way that needs nothing more is not told from the others by keys.
        guard let most = rest.map(\.count).max(), rest.allSatisfy({ !$0.isEmpty }) else { return }
        for index in 0..<min(most, 2) { requireOne(of: Set(rest.map { $0[index % $0.count] })) }
    }

    private static func pattern(_ scalars: [UInt32]) -> String { "%" + String(scalars: scalars) + "%" }

    /// Two or three parts that must all be there, in any order; more only in theirs.
    private static func patterns(_ way: Wanted.Way) -> [String] {
        let parts = way.patterns.map { String(scalars: $0) }
        let orders: [[Int]] =
            switch parts.count {
            case 2: [[0, 1], [1, 0]]
            case 3: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            default: [Array(parts.indices)]
            }
        return orders.map { order in "%" + order.map { parts[$0] }.joined(separator: "%") + "%" }
    }

    // MARK: Parts of the statement

    private var groups: [[Int32]] {
        let must = must.isEmpty && anyOf.isEmpty ? [Term(fact: "kind", "\(kind.rawValue)")] : must
        return (must.isEmpty ? [] : [must.map(\.number).sorted()]) + anyOf
    }

    private var hasMust: Bool { !must.isEmpty || anyOf.isEmpty }
    private var isOfMembers: Bool { kind == .message }

    /// The keys that these terms have in the segment `s`.
    var keys: SQL {
        var sql: SQL = ""
        for (index, group) in groups.enumerated() {
            sql =
                "\(sql)CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest(\(group)) AS t) \(Self.name(index))\n"
        }
        if !mustNot.isEmpty {
            let numbers = mustNot.map(\.number).sorted()
            sql =
                "\(sql)CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest(\(numbers)) AS t) without\n"
        }
        if isOfMembers {
            sql = """
                \(sql)CROSS JOIN LATERAL (
                    SELECT array_agg(m.term # s.mask) AS keys FROM memberships m
                    WHERE m.account_id = \(viewer ?? AccountID(0)) AND m.active
                ) places
                """
        }
        return sql
    }

    var hasKeys: SQL {
        var sql: SQL = hasMust ? "d.keys @> k0.keys" : "d.keys && k0.keys"
        for index in groups.indices.dropFirst() { sql = "\(sql) AND d.keys && \(Self.name(index)).keys" }
        if isOfMembers { sql = "\(sql) AND d.keys && places.keys" }
        if !mustNot.isEmpty { sql = "\(sql) AND NOT d.keys && without.keys" }
        return sql
    }

    var hasSome: SQL {
        var sql: SQL = ""
        for patterns in some { sql = "\(sql) AND d.form LIKE ANY (\(patterns))" }
        return sql
    }

    private static let names: [SQL] = [
        "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10", "k11", "k12", "k13", "k14", "k15", "k16",
        "k17", "k18",
        "k19", "k20", "k21", "k22", "k23", "k24", "k25", "k26", "k27", "k28", "k29", "k30", "k31", "k32", "k33", "k34",
        "k35",
        "k36", "k37", "k38", "k39",
    ]
    private static func name(_ index: Int) -> SQL { names.indices.contains(index) ? names[index] : "k0" }
}
