// SPDX-License-Identifier: Apache-2.0
// Which terms are frequent, learnt from the newest documents.

import Glibc
import Postgres
import TextAnalysis

/// In how many of the documents of some segments each term is.
struct TermWeights {
    /// How many segments are looked at.
    private static let sample = 16
    /// Which part of the documents has a frequent term.
    private static let frequent = 0.001

    private let lists: Lists
    private var documents = 0
    private var uses: [Int32: Int] = [:]

    /// Whether terms are weighed when a segment begins: often while there are few.
    static func isDue(at number: Int) -> Bool {
        number > 0 && (number % (4 * sample) == 0 || number & (number - 1) == 0)
    }

    /// - Parameter lists: as they were cut before the segment.
    static func of(_ kind: SearchKind, before number: Int, _ lists: Lists, in database: some Querying) async throws
        -> TermWeights
    {
        var weights = TermWeights(lists)
        let numbers = max(0, number - sample)..<number
        var terms: (segment: Int, byKey: [Int32: Int32]) = (-1, [:])
        for row in try await SegmentStore.documents(kind, in: numbers, in: database) {
            if terms.segment != row.segment { terms = (row.segment, lists.cutTerms(at: row.segment)) }
            weights.count(row.keys, row.form.text, at: row.segment, terms.byKey)
        }
        return weights
    }

    init(_ lists: Lists) { self.lists = lists }

    /// Counts one document. Its pairs of syllables are read from its form: of them a key tells only a part.
    mutating func count(_ keys: [Int32], _ form: String, at segment: Int, _ cutTerms: [Int32: Int32]) {
        documents += 1
        let pairs = Set(Term.pairs(ofForm: form.unicodeScalars.map(\.value)))
        var counted = Set(lists.keys(of: pairs.sorted(), at: segment))
        for number in Set(pairs.map(\.number)) {
            uses[number, default: 0] += 1
            // As documents were kept before pairs were parted, and still are beside programs that do not part them.
            counted.formUnion(lists.keys(of: Term(number: number), in: segment...segment))
        }
        for key in keys where !counted.contains(key) {
            uses[cutTerms[key] ?? key ^ Lists.mask(Lists.whole, segment >> Lists.whole), default: 0] += 1
        }
    }

    /// How the terms are to be cut from now on whose lists would be four times too long or too short: less does not count, so that
    /// a cut does not change by chance.
    func cuts() -> [Int32: Int] {
        let now = lists.shifts
        var cuts: [Int32: Int] = [:]
        for term in Set(uses.keys).union(now.keys) {
            let count = Double(uses[term] ?? 0)
            guard now[term] != nil || count >= max(8, Self.frequent * Double(documents)) else { continue }
            let fitting =
                count == 0
                ? Double(Lists.whole)
                : log2(Lists.length * 1.4 * Double(documents) / (count * Double(SegmentStore.size)))
            let shift = min(Lists.whole, max(0, Int(fitting.rounded(.down))))
            if abs(shift - (now[term] ?? Lists.whole)) >= 2 { cuts[term] = shift }
        }
        return cuts
    }
}
