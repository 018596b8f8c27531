// SPDX-License-Identifier: Apache-2.0
// Days and ratings.

import Domain
import Testing

@Suite struct DayTests {
    @Test(arguments: [
        "2024-02-29", "2000-02-29", "1970-01-01", "1969-12-31", "0001-01-01", "9999-12-31", "2026-11-30", "1900-02-28",
    ])
    func daysAreReadAndWritten(text: String) throws {
        let day = try #require(Day(text))
        #expect(day.description == text)
        #expect(Day(days: day.days) == day)
        #expect(Day(year: day.year, month: day.month, day: Int(text.suffix(2)) ?? 0) == day)
    }

    @Test(arguments: [
        "", "2026", "2026-02", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-1",
        "20260101", "0000-01-01", "10000-01-01", "2026-01-01T00:00:00Z", "2026/01/01", "٢٠٢٦-٠١-٠١", "-001-01-01",
    ])
    func whatIsNoDayIsNone(text: String) { #expect(Day(text) == nil) }

    @Test func daysCount() throws {
        let (leap, march) = (try #require(Day("2024-02-28")), try #require(Day("2024-03-01")))
        #expect(march.days - leap.days == 2)
        #expect(leap.advanced(by: 2) == march)
        #expect(leap < march)
        #expect(Day(days: .max).description == "9999-12-31")
        #expect(Day(days: .min).description == "0001-01-01")
        #expect(Day(days: .max).advanced(by: .max).description == "9999-12-31")
        #expect(leap.advanced(by: .min).description == "0001-01-01")
        #expect(Day(Timestamp(milliseconds: -1)).description == "1969-12-31")
        #expect(Day(Timestamp(milliseconds: 0)).description == "1970-01-01")
    }

    @Test func ratingsAreHalves() {
        let read = [("0.5", 1), ("1", 2), ("4.5", 9), ("4.50", 9), ("5", 10), ("5.0", 10)]
        for (text, halves) in read { #expect(Rating(text)?.halves == halves, "\(text)") }
        for text in ["0", "0.4", "5.5", "4.3", "-1", "", "NaN", "inf", "1e0", "٤", "4,5", "100000000"] {
            #expect(Rating(text) == nil, "\(text)")
        }
        #expect((1...10).compactMap { Rating(halves: $0)?.description }.first == "0.5")
        #expect(Rating(halves: 8)?.description == "4")
        #expect(Rating(halves: 0) == nil && Rating(halves: 11) == nil)
    }
}
