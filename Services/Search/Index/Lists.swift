// SPDX-License-Identifier: Apache-2.0
// How the documents that have a term are cut into lists.

import Synchronization
import TextAnalysis

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
    /// Whether some documents may have pairs of syllables whole only, as they were kept before they were parted by what follows.
    var hasWholePairs = false

    /// Nil while there is nothing.
    var newest: Int? { firsts.indices.last }

    mutating func add(segment first: Int64) { firsts.append(first) }

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

    /// The keys to look for a term under in these segments, and in those that share its lists.
    func keys(of term: Term, in segments: ClosedRange<Int>) -> [Int32] {
        let masks = masks(of: term.number, in: segments)
        return numbers(of: term).flatMap { number in masks.map { number ^ $0 } }
    }

    /// The keys under which a document of a segment is kept for its terms.
    ///
    /// - Parameter terms: in order; of pairs it is known what follows.
    func keys(of terms: [Term], at segment: Int) -> [Int32] {
        var keys: [Int32] = []
        keys.reserveCapacity(terms.count)
        let rare = Self.mask(Self.whole, segment >> Self.whole)
        var last: Term?
        for term in terms {
            let number = term.number
            let shift = cuts[number]?.last { $0.since <= segment }?.shift ?? Self.whole
            let mask = shift == Self.whole ? rare : Self.mask(shift, segment >> shift)
            if case .part(let part) = term.tail {
                keys.append(number ^ Self.mask(part) ^ mask)
                if hasWholePairs, last?.number != number { keys.append(number ^ mask) }
            } else {
                keys.append(number ^ mask)
            }
            last = term
        }
        return keys
    }

    /// What is mixed into a term in each of its lists in these segments.
    private func masks(of term: Int32, in segments: ClosedRange<Int>) -> [Int32] {
        var masks: [Int32] = []
        var (since, shift) = (0, Self.whole)
        func add(until end: Int) {
            let (low, high) = (max(since, segments.lowerBound), min(end, segments.upperBound))
            guard low <= high else { return }
            for list in (low >> shift)...(high >> shift) { masks.append(Self.mask(shift, list)) }
        }
        for cut in cuts[term] ?? [] {
            add(until: cut.since - 1)
            (since, shift) = (cut.since, cut.shift)
        }
        add(until: .max)
        return masks
    }

    private func numbers(of term: Term) -> [Int32] { hasWholePairs ? [term.number] : parts(of: term) }

    private func parts(of term: Term) -> [Int32] {
        switch term.tail {
        case nil: [term.number]
        case .part(let part): [term.number ^ Self.mask(part)]
        case .any: (0..<Term.Tail.parts).map { term.number ^ Self.mask($0) }
        }
    }

    /// How many keys a term is looked for under in a list.
    func keyCount(of term: Term) -> Int { term.tail == .any && !hasWholePairs ? Int(Term.Tail.parts) : 1 }

    /// Whether a term is, or once was, frequent.
    func isCut(_ term: Term) -> Bool { cuts[term.number] != nil }

    /// How a term is cut now.
    func shift(of term: Term) -> Int { cuts[term.number]?.last?.shift ?? Self.whole }

    /// How many documents of a segment have a term, about.
    func density(of term: Term) -> Double {
        let density = Self.length / Double(1 << shift(of: term))
        guard case .part = term.tail, !hasWholePairs else { return density }
        return density / Double(Term.Tail.parts)
    }

    /// The terms that are cut in a segment, by the keys that they have there.
    func cutTerms(at segment: Int) -> [Int32: Int32] {
        cuts.keys.reduce(into: [:]) { terms, term in
            for mask in masks(of: term, in: segment...segment) { terms[term ^ mask] = term }
        }
    }

    /// The terms that are cut now, and how.
    var shifts: [Int32: Int] { cuts.compactMapValues { $0.last?.shift } }

    /// What is mixed into a pair of syllables by what follows it.
    private static func mask(_ part: UInt8) -> Int32 { (Int32(part) &+ 1) &* -1_640_531_535 }

    /// What is mixed into the terms of a list.
    static func mask(_ shift: Int, _ list: Int) -> Int32 {
        Int32(
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
