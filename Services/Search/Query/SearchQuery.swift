// SPDX-License-Identifier: Apache-2.0
// What somebody types to look for something.

package import Domain

/// Words (all must match), "phrases", -what must not be there, and filters such as `from:mina`, `has:image`, `lang:ko`,
/// `before:2026-05`, `after:2026`, `in:general`, `isbn:9788936434120`. Every text parses: what is no filter is a word.
package struct SearchQuery: Hashable, Sendable {
    /// How much of a text is read, in scalars.
    package static let textLimit = 500
    package static let wordLimit = 12
    package static let filterLimit = 8

    package struct Word: Hashable, Sendable {
        package let text: String
        /// Between quotation marks: exactly so.
        package let isPhrase: Bool
        package let isExcluded: Bool

        package init(_ text: String, isPhrase: Bool = false, isExcluded: Bool = false) {
            self.text = text
            self.isPhrase = isPhrase
            self.isExcluded = isExcluded
        }
    }

    package enum Filter: Hashable, Sendable {
        /// A name, without `@` in front; `me` is who asks.
        case from(String)
        case has(Attachment)
        /// ISO 639.
        case language(String)
        case before(Day)
        case after(Day)
        /// The id or the name of a playground or a channel.
        case inside(String)
        /// The number of a book.
        case isbn(ISBN)
    }

    package enum Attachment: String, Hashable, Sendable, CaseIterable {
        case image, video, gifv, audio, link, poll, media
    }

    package struct Restriction: Hashable, Sendable {
        package let filter: Filter
        package let isExcluded: Bool

        package init(_ filter: Filter, isExcluded: Bool = false) {
            self.filter = filter
            self.isExcluded = isExcluded
        }
    }

    package var words: [Word]
    package var restrictions: [Restriction]
    /// Whether the last word may only have been begun.
    package var isTyping: Bool

    package init(words: [Word] = [], restrictions: [Restriction] = [], isTyping: Bool = false) {
        self.words = words
        self.restrictions = restrictions
        self.isTyping = isTyping
    }
}

/// A day, a month or a year of the calendar, in UTC.
package struct Day: Hashable, Sendable, CustomStringConvertible {
    package let year: Int
    package let month: Int?
    package let day: Int?

    /// `2026`, `2026-05` or `2026-05-31`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].utf8.count == 4,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }), let year = Int(parts[0]), year >= 1970
        else { return nil }
        let rest = parts.dropFirst().compactMap { Int($0) }
        self.year = year
        month = rest.first
        day = rest.dropFirst().first
        if let month, !(1...12).contains(month) { return nil }
        if let month, let day, !(1...Self.days(in: month, of: year)).contains(day) { return nil }
    }

    package var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)" + (month.map { "-" + two($0) } ?? "") + (day.map { "-" + two($0) } ?? "")
    }

    /// The Unix milliseconds at which it begins.
    package var start: Int64 { Self.number(year, month ?? 1, day ?? 1) * 86_400_000 }

    /// The Unix milliseconds at which it is over.
    package var end: Int64 {
        let next =
            if let month, let day { Self.number(year, month, day) + 1 } else if let month {
                Self.number(month == 12 ? year + 1 : year, month % 12 + 1, 1)
            } else { Self.number(year + 1, 1, 1) }
        return next * 86_400_000
    }

    private static func days(in month: Int, of year: Int) -> Int {
        Int(number(month == 12 ? year + 1 : year, month % 12 + 1, 1) - number(year, month, 1))
    }

    /// Days since 1970 (days_from_civil of Hinnant's calendar algorithms).
    private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let years = month <= 2 ? year - 1 : year
        let era = years / 400
        let ofEra = years - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return Int64(era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468)
    }
}
