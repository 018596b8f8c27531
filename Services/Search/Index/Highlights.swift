// SPDX-License-Identifier: Apache-2.0
// What is marked in a text that was found.

import TextAnalysis

/// What to mark in texts that were found.
package struct Highlights {
    /// Of each word its ways.
    private let wanted: [[[[UInt8]]]]

    package init(_ wanted: [Wanted]) {
        self.wanted = wanted.map { $0.ways.map(\.octets) }
    }

    /// In UTF-8, in order and apart; of each word the closest way only.
    ///
    /// - Parameter form: of the text, as it was kept.
    package func of(_ text: String, form: [UInt8]) -> [Range<Int>] {
        guard let origins = Origins(of: text, form: form) else {
            // It was kept by an analysis of before.
            let form = Array(AnalyzedText(text).formText.utf8)
            return Origins(of: text, form: form).map { marks(form, $0) } ?? []
        }
        return marks(form, origins)
    }

    private func marks(_ form: [UInt8], _ origins: Origins) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for word in wanted {
            for way in word {
                let places = way.map { Self.places(of: $0, in: form) }
                guard places.allSatisfy({ !$0.isEmpty }) else { continue }
                found += places.joined().compactMap(origins.source(of:))
                break
            }
        }
        return found.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound >= range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else if joined.count < 64 {
                joined.append(range)
            }
        }
    }

    private static func places(of pattern: [UInt8], in form: [UInt8]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var start = 0
        while let place = form.place(of: pattern, from: start) {
            places.append(place..<(place + pattern.count))
            start = place + 1
        }
        return places
    }
}
