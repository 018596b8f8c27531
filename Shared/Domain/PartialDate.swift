// SPDX-License-Identifier: Apache-2.0
// A date of which perhaps only the month or the year is known.

/// A year from 1 to 9999, perhaps with a month, perhaps with a day of it, in the Gregorian calendar.
public struct PartialDate: Hashable, Sendable, CustomStringConvertible {
    public let year: Int
    public let month: Int?
    /// Only where there is a month.
    public let day: Int?

    /// Nil for a date that does not exist.
    public init?(year: Int, month: Int? = nil, day: Int? = nil) {
        guard (1...9999).contains(year), month.map({ (1...12).contains($0) }) ?? (day == nil),
            day.map({ (1...Day.daysIn(month: Int64(month ?? 1), year: Int64(year))).contains(Int64($0)) }) ?? true
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Parses `YYYY`, `YYYY-MM` and `YYYY-MM-DD`, and `YYYYMM` and `YYYYMMDD`, of which a month or a day 00 is none; nil for
    /// anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(11))
        let digits = bytes.filter { $0 != UInt8(ascii: "-") }
        guard digits.allSatisfy({ (48...57).contains($0) }), [4, 6, 8].contains(digits.count) else { return nil }
        let hyphens = bytes.indices.filter { bytes[$0] == UInt8(ascii: "-") }
        guard hyphens.isEmpty || hyphens == (digits.count == 8 ? [4, 7] : [4]), hyphens.isEmpty || digits.count > 4
        else { return nil }
        func number(_ part: some Sequence<UInt8>) -> Int { part.reduce(0) { $0 * 10 + Int($1 - 48) } }
        let parts = [number(digits.prefix(4)), number(digits.dropFirst(4).prefix(2)), number(digits.dropFirst(6))]
        let month = parts[1] == 0 ? nil : parts[1]
        self.init(year: parts[0], month: month, day: parts[2] == 0 ? nil : parts[2])
    }

    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    public var description: String {
        let parts = [month, day].compactMap { $0 }.map { $0 < 10 ? "-0\($0)" : "-\($0)" }
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + parts.joined()
    }
}

extension PartialDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = PartialDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
