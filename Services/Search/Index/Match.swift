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
    var limit = PostgresIndex.window
    /// Patterns of LIKE.
    private(set) var all: [String] = []
    private(set) var none: [String] = []
    private(set) var some: [[String]] = []
    private var words: Set<Term> = []
    /// Of words that may be there in several ways, what each way needs besides what all of them do.
    private var choices: [[[Term]]] = []
    private var mustNot: Set<Term> = []

    init(_ kind: SearchKind, viewer: AccountID?) {
        self.kind = kind
        self.viewer = viewer
    }

    mutating func require(_ fact: Term) { facts.append([fact]) }
    mutating func requireOne(of facts: [Int32]) { self.facts.append(facts.map(Term.init(number:))) }
    mutating func exclude(_ fact: Term) { mustNot.insert(fact) }
    mutating func exclude(_ wanted: Wanted) { none += wanted.ways.flatMap(Self.patterns) }

    mutating func require(_ wanted: Wanted) {
        let ways = wanted.broadest
        let terms = ways.filter { !$0.isOpen }.map(\.terms)
        guard let first = terms.first else { return }
        // What every way has, though before others.
        let open = terms.dropFirst().reduce(Set(first.map(\.open))) { $0.intersection($1.map(\.open)) }
        let common = terms.dropFirst().reduce(first) { $0.intersection($1) }
        words.formUnion(common)
        words.formUnion(open.subtracting(common.map(\.open)))
        if ways.count == 1 {
            all += ways.flatMap { $0.patterns.map(Self.pattern) }
            return
        }
        let beginning = ways.first { $0.isOpen }?.patterns.first
        some.append(
            ways.filter { way in
                way.isOpen || way.patterns.count > 1
                    || beginning.map { way.patterns.first?.starts(with: $0) != true } ?? true
            }.flatMap(Self.patterns)
        )
        let rest = terms.map { way in way.filter { !open.contains($0.open) } }
        // A way that needs nothing more is not told from the others by keys.
        if rest.allSatisfy({ !$0.isEmpty }) { choices.append(rest.map(Array.init)) }
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

    // MARK: Terms

    /// Of each group one must be there; of words. Of every way the rarest stands for it, and the one after it.
    func groups(byDensity density: (Term) -> Double) -> [[Term]] {
        // Who knows what follows need not look for those behind which is anything.
        let told = Set(words.filter { $0.tail != .any }.map(\.open))
        var groups = words.filter { $0.tail != .any || !told.contains($0) }.map { [$0] }
        for ways in choices {
            let ways = ways.map { way in way.sorted { (density($0), $0) < (density($1), $1) } }
            for index in 0..<min(ways.map(\.count).max() ?? 0, 2) {
                let some = Set(ways.map { $0[index % $0.count] })
                groups.append(some.filter { $0.tail == nil || $0.tail == .any || !some.contains($0.open) }.sorted())
            }
        }
        return groups
    }
    /// As `groups`; nothing but the keys tells them.
    private(set) var facts: [[Term]] = []
    /// None of these may be there.
    var excluded: [Term] { mustNot.sorted() }

    /// More patterns on the form: of each list one.
    var hasSome: SQL {
        var sql: SQL = ""
        for patterns in some { sql = "\(sql) AND d.form LIKE ANY (\(patterns))" }
        return sql
    }
}
