// SPDX-License-Identifier: Apache-2.0
// What sources are asked.

import Crypto
import Domain
import Foundation
import TextAnalysis

enum BookCall: Sendable {
    /// Always the same parts of a list, so that whoever pages through it otherwise finds them again.
    case part(String, number: Int)
    case isbn(ISBN)

    /// Books in a part: the most that all sources tell at a time (Google Books).
    static let size = 40
    /// Parts of a list: Naver answers starts up to 1,000.
    static let parts = 0..<25
    /// Bytes of an answer. Forty of Google's are some 150 KiB.
    static let longest = 1 << 20

    /// How many are asked for, and the first of them, from 0 on.
    var range: Range<Int> {
        switch self {
        case .part(_, let number): number * BookCall.size..<(number + 1) * BookCall.size
        case .isbn: 0..<10
        }
    }

    /// SHA-256 of who is asked for what.
    func hash(_ source: BookSourceName) -> [UInt8] {
        let words: [String] =
            switch self {
            case .part(let text, let number): ["part", text, "\(number)"]
            case .isbn(let isbn): ["isbn", isbn.text13]
            }
        return Array(SHA256.hash(data: Array(([source.rawValue] + words).joined(separator: "\n").utf8)))
    }
}

/// What somebody looks for in the catalogue.
struct BookQuery: Sendable {
    /// How long it may be, in scalars.
    static let longest = 200

    /// Words between single spaces, in lower case and composed (NFC), because some keyboards and files write Hangul in letters.
    let text: String
    /// Of a text that is the number of a book, such as a barcode.
    let isbn: ISBN?

    /// Nil for no words.
    init?(_ text: String) {
        let words = text.precomposedStringWithCanonicalMapping.withoutControls.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return nil }
        self.text = words.joined(separator: " ").lowercased()
        isbn = ISBN(text)
    }

    /// What it is found by where nobody is asked: each word by itself, whatever stands beside it.
    var terms: [Int32] { BookQuery.terms(text.split(separator: " ")) }

    static func terms(_ texts: some Sequence<some StringProtocol>) -> [Int32] {
        let terms = texts.reduce(into: Set<Int32>()) { $0.formUnion(AnalyzedText(String($1)).terms.map(\.number)) }
        return terms.sorted()
    }
}
