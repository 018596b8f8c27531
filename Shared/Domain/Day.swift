// SPDX-License-Identifier: Apache-2.0
// A date without a time, in the Gregorian calendar.

/// A date from 0001-01-01 to 9999-12-31, wherever somebody is who writes it down.
public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Since 1970-01-01.
    public let days: Int64

    /// Clamped to what a date can be.
    public init(days: Int64) { self.days = min(max(days, Day.first), Day.last) }

    /// Nil for a date that does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            Int64(day) <= Day.daysIn(month: Int64(month), year: Int64(year))
        else { return nil }
        days = Day.days(year: Int64(year), month: Int64(month), day: Int64(day))
    }

    /// Parses `YYYY-MM-DD`; nil for anything else, and for a date that does not exist.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(11))
        guard bytes.count == 10, let date = PartialDate(text), let month = date.month, let day = date.day else {
            return nil
        }
        self.init(year: date.year, month: month, day: day)
    }

    /// The day of a moment in UTC.
    public init(_ moment: Timestamp) { self.init(days: moment.milliseconds.dividedFloor(86_400_000).quotient) }

    public static func < (left: Day, right: Day) -> Bool { left.days < right.days }

    /// So many days later, or earlier where it is negative.
    public func advanced(by count: Int64) -> Day {
        let (sum, overflow) = days.addingReportingOverflow(count)
        return Day(days: overflow ? (count < 0 ? Day.first : Day.last) : sum)
    }

    /// From 1 to 9999.
    public var year: Int { Int(Day.civil(days).year) }
    public var month: Int { Int(Day.civil(days).month) }

    /// `YYYY-MM-DD`.
    public var description: String { Day.text(days) }

    private static let first = days(year: 1, month: 1, day: 1)
    private static let last = days(year: 9999, month: 12, day: 31)

    // MARK: The calendar

    static func text(_ days: Int64) -> String { String(ascii: 16) { write(days, to: &$0) } }

    static func write(_ days: Int64, to text: inout OutputSpan<UInt8>) {
        let (year, month, day) = civil(days)
        text.append(decimal: year, least: 4)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: month, least: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: day, least: 2)
    }

    // The civil calendar from a count of days, after Howard Hinnant's "chrono-compatible low-level date algorithms".
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.dividedFloor(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.dividedFloor(400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Day: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Day(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a day is YYYY-MM-DD")
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
