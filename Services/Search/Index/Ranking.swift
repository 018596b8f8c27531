// SPDX-License-Identifier: Apache-2.0
// What comes first.

import Glibc
import TextAnalysis

/// How close a document is to what was typed, how popular it is and how new, in that order of weight.
struct Ranking {
    private let wanted: [[(patterns: [[UInt8]], closeness: Double)]]
    private let order: SearchOrder

    init(_ wanted: [Wanted], order: SearchOrder) {
        self.wanted = wanted.map { word in
            word.deciding.map { way in (way.octets, way.closeness) }
        }
        self.order = order
    }

    struct Ranked {
        let candidate: Candidate
        let place: SearchCursor.Place
    }

    /// Best first.
    func ranked(_ candidates: [Candidate]) -> [Ranked] {
        // An age is told against the newest, so that a later page of the same window is ranked alike.
        candidates.map { candidate in
            let score = order == .newest ? 0 : score(candidate)
            return Ranked(candidate: candidate, place: .init(score: Int64(score * 1000), id: candidate.id))
        }.sorted { $0.place > $1.place }
    }

    /// Whether each word is there in one of its ways, as LIKE would find it that looks for these alone.
    func isMatched(by form: [UInt8]) -> Bool {
        wanted.allSatisfy { word in
            word.contains { way in way.patterns.allSatisfy { form.place(of: $0) != nil } }
        }
    }

    private func score(_ candidate: Candidate) -> Double {
        let form = candidate.form.bytes
        var score = 0.0
        for word in wanted {
            var best = 0.0
            for way in word where way.closeness + 0.3 > best {
                var (least, startsWord) = (Int.max, false)
                for pattern in way.patterns where least > 0 {
                    let places = Self.places(of: pattern, in: form)
                    least = min(least, places.count)
                    startsWord = startsWord || places.startsWord
                }
                guard least > 0 else { continue }
                best = max(best, way.closeness + (startsWord ? 0.2 : 0) + Double(min(least - 1, 3)) * 0.03)
            }
            score += best
        }
        let closeness = 10 * score / Double(max(1, wanted.count))
        // Ids are milliseconds shifted by 16: a month is worth about one point of popularity.
        let months = Double(candidate.id >> 16) / 2_592_000_000
        // A short text that matches is about little else.
        let length = 1 / (1 + Double(form.count) / 200)
        return closeness + Self.weight(ofPopularity: candidate.popularity) + months * 0.2 + length
    }

    /// Each doubling counts as much as the one before.
    static func weight(ofPopularity popularity: Int) -> Double {
        let doublings = Int.bitWidth - max(0, min(popularity, 1 << 40)).leadingZeroBitCount
        return Double(doublings) * 0.15
    }

    private static func places(of pattern: [UInt8], in form: [UInt8]) -> (count: Int, startsWord: Bool) {
        guard let first = pattern.first, pattern.count <= form.count else { return (0, false) }
        var (count, startsWord, index) = (0, false, 0)
        while let found = form.place(of: pattern, from: index) {
            count += 1
            if first == 0x20 || found == 0 || form[found - 1] == 0x20 { startsWord = true }
            index = found + max(1, pattern.count - 1)
        }
        return (count, startsWord)
    }
}

extension [UInt8] {
    /// Where a part stands first, from a place on.
    func place(of part: [UInt8], from start: Int = 0) -> Int? {
        // Looked for by its last octet that parts no words: syllables have the first one in common.
        guard let anchor = part.lastIndex(where: { $0 != 0x20 }), start >= 0, start + part.count <= count else {
            return nil
        }
        return withUnsafeBytes { whole in
            part.withUnsafeBytes { part in
                guard let text = whole.baseAddress, let beginning = part.baseAddress else { return nil }
                let (octet, end) = (Int32(part[anchor]), whole.count - (part.count - 1 - anchor))
                var place = start + anchor
                while place < end, let found = memchr(text + place, octet, end - place) {
                    place = UnsafeRawPointer(found) - text
                    if memcmp(text + (place - anchor), beginning, part.count) == 0 { return place - anchor }
                    place += 1
                }
                return nil
            }
        }
    }
}
