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
    /// `Lists.haveCloseTerms`.
    var hasCloseTerms = true
    /// Patterns of LIKE.
    private(set) var all: [String] = []
    private(set) var none: [String] = []
    private(set) var some: [[String]] = []
    /// Whether what has the keys has the patterns too, unless two terms share a number.
    private(set) var isToldByKeys = true
    /// What `all` looks for.
    private var parts: [[UInt8]] = []
    private var words: Set<Term> = []
    private var anyOf: [[Int32]] = []
    private var mustNot: Set<Term> = []

    init(_ kind: SearchKind, viewer: AccountID?) {
        self.kind = kind
        self.viewer = viewer
    }

    mutating func require(_ fact: Term) { facts.append([fact.number]) }
    mutating func requireOne(of facts: [Int32]) { self.facts.append(facts) }
    mutating func exclude(_ fact: Term) { mustNot.insert(fact) }
    mutating func exclude(_ wanted: Wanted) {
        isToldByKeys = false
        none += wanted.ways.flatMap(Self.patterns)
    }

    mutating func require(_ wanted: Wanted) {
        isToldByKeys = isToldByKeys && wanted.ways.count == 1 && wanted.ways[0].isOneTerm(close: hasCloseTerms)
        if wanted.ways.count == 1 {
            words.formUnion(wanted.ways.flatMap { $0.terms(close: hasCloseTerms) })
            let parts = wanted.ways.flatMap(\.octets)
            all += parts.map { "%\(String(decoding: $0, as: UTF8.self))%" }
            self.parts += parts
            return
        }
        let open = wanted.open
        let told = wanted.deciding.filter { way in
            way.isOpen || way.patterns.count > 1
                || open?.patterns.first.map { way.patterns.first?.starts(with: $0) != true } ?? true
        }
        some.append(told.flatMap(Self.patterns))
        let asked = hasCloseTerms && open?.beginning != nil ? told : wanted.ways.filter { !$0.isOpen }
        let terms = asked.map { $0.beginning.map { [$0] } ?? $0.allTerms(close: hasCloseTerms) }
        guard let first = terms.first else { return }
        let common = terms.dropFirst().reduce(first) { $0.intersection($1) }
        let longest = common.intersection(asked[0].terms(close: hasCloseTerms))
        words.formUnion(longest.isEmpty ? common : longest)
        // A way that needs nothing more is not told from the others by keys.
        let rest = terms.map { $0.subtracting(common) }
        guard let most = rest.map(\.count).max(), rest.allSatisfy({ !$0.isEmpty }) else { return }
        let close = zip(asked, rest).map { way, rest in
            let longest = rest.intersection(way.terms(close: hasCloseTerms))
            return (longest.isEmpty ? rest : longest).map(\.number).sorted()
        }
        for index in 0..<min(most, 2) { anyOf.append(Set(close.map { $0[index % $0.count] }).sorted()) }
    }

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

    /// Whether a form has all that is looked for, where the keys tell that.
    func holds(_ form: [UInt8]) -> Bool { parts.allSatisfy { form.place(of: $0) != nil } }

    // MARK: Terms

    /// Of each group one must be there; of words.
    var groups: [[Int32]] { words.map { [$0.number] } + anyOf }
    /// As `groups`; nothing but the keys tells them.
    private(set) var facts: [[Int32]] = []
    /// None of these may be there.
    var excluded: [Int32] { mustNot.map(\.number).sorted() }

    /// More patterns on the form: of each list one.
    var hasSome: SQL {
        var sql: SQL = ""
        for patterns in some { sql = "\(sql) AND d.form LIKE ANY (\(patterns))" }
        return sql
    }
}
