// SPDX-License-Identifier: Apache-2.0
// How the documents that have a term are cut into lists.

import Synchronization

/// The documents of a kind lie in segments by id. Those that have a term are kept under keys of the index, each key for so many
/// segments in a row that its list has some hundred documents: a frequent word has many short lists, a rare one a single list for a
/// million documents. So whoever looks for the newest reads little of a frequent word, and looks into few lists of a rare one.
struct Lists: Sendable {
    /// From segment `since` on, a list is of 2^`shift` segments.
    struct Cut: Hashable, Sendable {
        let since: Int
        let shift: Int
    }

    /// The cut of terms that are not frequent.
    static let whole = 10
    /// How many documents a list of a frequent term has, about.
    static let length = 300.0

    /// The first id of each segment.
    private(set) var firsts: [Int64] = []
    private var cuts: [Int32: [Cut]] = [:]
    /// The first segment of those whose keys are neighbours (`key`); those before it were begun by releases that scattered them.
    private(set) var firstNeighbour = Int.max
    /// Whether all documents have the terms by which what is frequent is told apart (`AnalyzedText.closeTerms`).
    var haveCloseTerms = true

    /// Nil while there is nothing.
    var newest: Int? { firsts.indices.last }

    mutating func add(segment first: Int64, isNeighbouring: Bool = true) {
        if isNeighbouring { firstNeighbour = min(firstNeighbour, firsts.count) }
        firsts.append(first)
    }

    /// - Parameter cut: later than those that are known of the term.
    mutating func add(_ cut: Cut, of term: Int32) { cuts[term, default: []].append(cut) }

    /// The segment in which an id lies.
    func segment(of id: Int64) -> Int {
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle] <= id { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The keys of a term in these segments, and in those that share its lists.
    func keys(of term: Int32, in segments: ClosedRange<Int>) -> [Int32] {
        var keys: [Int32] = []
        addKeys(of: term, in: segments, to: &keys)
        return keys
    }

    func addKeys(of term: Int32, in segments: ClosedRange<Int>, to keys: inout [Int32]) {
        var (since, shift) = (0, Self.whole)
        func add(_ low: Int, _ high: Int, _ key: (Int32, Int, Int) -> Int32) {
            guard low <= high else { return }
            for list in (low >> shift)...(high >> shift) { keys.append(key(term, shift, list)) }
        }
        func add(until end: Int) {
            let (low, high) = (max(since, segments.lowerBound), min(end, segments.upperBound))
            add(low, min(high, firstNeighbour - 1), Self.scatteredKey)
            add(max(low, firstNeighbour), high, Self.key)
        }
        for cut in cuts[term] ?? [] {
            add(until: cut.since - 1)
            (since, shift) = (cut.since, cut.shift)
        }
        add(until: .max)
    }

    /// Whether a term is, or once was, frequent.
    func isCut(_ term: Int32) -> Bool { cuts[term] != nil }

    /// How a term is cut now.
    func shift(of term: Int32) -> Int { cuts[term]?.last?.shift ?? Self.whole }

    /// How many documents of a segment have a term, about.
    func density(of term: Int32) -> Double { Self.length / Double(1 << shift(of: term)) }

    /// Of a term in a list of 2^`shift` segments: those that follow one another are neighbours, so that an index has many on a page.
    /// `SegmentStore.key` says the same in SQL.
    static func key(_ term: Int32, _ shift: Int, _ list: Int) -> Int32 {
        term &+ Int32(truncatingIfNeeded: list &+ shift &* 2_654_404_609)
    }

    /// As `key`, in segments of before.
    static func scatteredKey(_ term: Int32, _ shift: Int, _ list: Int) -> Int32 {
        term
            ^ Int32(
                truncatingIfNeeded: ((list &* 2_654_435_761 &+ shift &* 2_654_404_609 &+ 12_345) & 0xFFFF_FFFF)
                    - 0x8000_0000
            )
    }
}

/// The lists as they were when somebody last looked.
final class KnownLists: Sendable {
    private let kinds = Mutex<[SearchKind: Lists]>([:])

    subscript(_ kind: SearchKind) -> Lists {
        get { kinds.withLock { $0[kind] ?? Lists() } }
        set { kinds.withLock { $0[kind] = newValue } }
    }
}
