// SPDX-License-Identifier: Apache-2.0
// Words that no document has any more.

import Postgres
import Synchronization
import TextAnalysis

/// Goes through all words, some hundred a step, and forgets those that nobody uses any more. Where it is, only the process knows:
/// one that is new begins anew.
final class WordWalk: Sendable {
    /// How many words are looked at in a step.
    static let step = 500

    private let place = Mutex("")

    /// - Returns: how many words went.
    func step(in database: Database) async throws -> Int {
        let words = try await WordStore.words(after: place.withLock { $0 }, most: Self.step, in: database)
        let unused = try await Self.unused(words, in: database)
        var gone = 0
        if !unused.isEmpty {
            gone = try await database.transaction { transaction in
                // A word that is there is not written again by who puts a document in: so it is looked at again when nobody does.
                TurnStore.take(in: transaction)
                let unused = try await Self.unused(unused, in: transaction)
                return unused.isEmpty ? 0 : try await WordStore.forget(unused, in: transaction)
            }
        }
        place.withLock { $0 = words.count < Self.step ? "" : words.last ?? "" }
        return gone
    }

    /// Those of some words by whose keys no document can be found. A word that is, or once was, so frequent that its documents are
    /// cut into lists of their own stays: to look for them would be to read them all, and there are some thousand of these.
    private static func unused(_ words: [String], in database: some Querying) async throws -> [String] {
        var all: [Lists] = []
        for kind in SearchKind.allCases {
            if let lists = try await SegmentStore.lists(of: kind, after: Lists(), in: database), lists.newest != nil {
                all.append(lists)
            }
        }
        let keys = words.compactMap { word -> (String, [Int32])? in
            let terms = AnalyzedText(word).terms.map(\.number)
            guard !terms.isEmpty, !all.contains(where: { lists in terms.contains(where: lists.isCut) }) else {
                return nil
            }
            let keys = terms.reduce(into: Set()) { keys, term in
                for lists in all { keys.formUnion(lists.keys(of: term, in: 0...(lists.newest ?? 0))) }
            }
            return (word, keys.sorted())
        }
        return keys.isEmpty ? [] : try await WordStore.unused(keys, in: database)
    }
}
