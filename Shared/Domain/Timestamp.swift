// SPDX-License-Identifier: Apache-2.0
// A moment in UTC, to the millisecond.

import Glibc

/// Milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The system's clock.
    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    public static func + (moment: Self, duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: moment.milliseconds &+ seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000)
    }

    public static func - (moment: Self, duration: Duration) -> Self { moment + (.zero - duration) }

    public static func - (left: Self, right: Self) -> Duration {
        .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
    }

    /// Whole seconds since 1970.
    public var seconds: Int64 { milliseconds.quotientFloor(1000) }

    /// RFC 3339 with three fraction digits and `Z`, such as `2026-01-02T03:04:05.678Z`.
    public var rfc3339: String { String(ascii: Timestamp.capacity) { writeRFC3339(to: &$0) } }

    /// Bytes that `writeRFC3339(to:)` needs at most: a moment may be in a year of nine digits.
    public static let capacity = 32

    public func writeRFC3339(to text: inout OutputSpan<UInt8>) {
        let (days, rest) = milliseconds.dividedFloor(86_400_000)
        Day.write(days, to: &text)
        text.append(UInt8(ascii: "T"))
        Timestamp.writeTime(rest, to: &text)
        text.append(UInt8(ascii: "."))
        text.append(decimal: rest % 1000, least: 3)
        text.append(UInt8(ascii: "Z"))
    }

    /// `HH:MM:SS` of the milliseconds of a day.
    private static func writeTime(_ milliseconds: Int64, to text: inout OutputSpan<UInt8>) {
        text.append(decimal: milliseconds / 3_600_000, least: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: milliseconds / 60_000 % 60, least: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: milliseconds / 1000 % 60, least: 2)
    }

    /// The form of HTTP's fields, to the second, such as `Fri, 02 Jan 2026 03:04:05 GMT` (RFC 9110, section 5.6.7).
    public var httpDate: String {
        let (days, rest) = milliseconds.dividedFloor(86_400_000)
        let parts = Day.text(days).split(separator: "-")
        // The first day of all was a Thursday.
        let weekday = Timestamp.weekdays[Int((days + 4).dividedFloor(7).remainder)]
        let month = Timestamp.months[(Int(parts[1]) ?? 1) - 1]
        let time = String(ascii: 8) { Timestamp.writeTime(rest, to: &$0) }
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(time) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date in UTC, such as `2026-01-02`.
    public var date: String { Day.text(milliseconds.quotientFloor(86_400_000)) }

    /// Parses RFC 3339 (section 5.6) with or without a fraction; nil when it is not a real date and time.
    public init?(rfc3339 text: some StringProtocol) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 48)
            }
            return value
        }
        guard bytes.count >= 20, bytes.count <= 40, bytes[4] == 45, bytes[7] == 45, bytes[13] == 58, bytes[16] == 58,
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == 32,
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), hour < 24,
            minute < 60, second <= 60, day >= 1, day <= Day.daysIn(month: month, year: year)
        else { return nil }
        var index = 19
        var fraction: Int64 = 0
        if bytes[index] == 46 {
            let start = index + 1
            index = start
            while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
            guard index > start else { return nil }
            fraction = number(start..<min(index, start + 3)) ?? 0
            for _ in min(index, start + 3)..<(start + 3) { fraction *= 10 }
        }
        guard index < bytes.count else { return nil }
        var offset: Int64 = 0
        switch bytes[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard index + 1 == bytes.count else { return nil }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard bytes.count == index + 6, bytes[index + 3] == 58, let hours = number(index + 1..<index + 3),
                let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[index] == UInt8(ascii: "-") ? -60_000 : 60_000)
        default: return nil
        }
        let days = Day.days(year: year, month: month, day: day)
        milliseconds = days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction - offset
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let moment = Timestamp(rfc3339: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a time is RFC 3339")
        }
        self = moment
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }
}

extension Int64 {
    func dividedFloor(_ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 { dividedFloor(divisor).quotient }
}
