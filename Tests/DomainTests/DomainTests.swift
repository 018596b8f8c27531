// SPDX-License-Identifier: Apache-2.0
// Ids, times, names, scopes and languages, at and beyond their limits.

import Domain
import Support
import Synchronization
import Testing

@Suite struct IDTests {
    @Test func onlyDecimalTextIsAnID() {
        #expect(PostID("0") == PostID(0))
        #expect(PostID("9223372036854775807") == PostID(.max))
        for bad in [
            "", "-1", "+1", " 1", "1 ", "9223372036854775808", "99999999999999999999", "1e3", "０", "x", "1\u{0}",
        ] {
            #expect(PostID(bad) == nil, "\(bad)")
        }
        #expect(PostID(.min).timestamp.milliseconds == Int64.min >> 16)
    }

    @Test func theGeneratorNeverRepeatsAndAlwaysRises() async throws {
        let clock = Mutex((time: Int64(1_800_000_000_000), random: TestSeed()))
        let generator = IDGenerator(slot: 5) {
            // A clock that stands, jumps forward and goes back.
            Timestamp(
                milliseconds: clock.withLock {
                    $0.time += Int64.random(in: -50...50, using: &$0.random)
                    return $0.time
                }
            )
        }
        let batches = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask { try (0..<5000).map { _ in (try generator.next() as PostID).rawValue } }
            }
            return try await group.reduce(into: [[Int64]]()) { $0.append($1) }
        }
        for batch in batches { #expect(zip(batch, batch.dropFirst()).allSatisfy { $0 < $1 }) }
        let all = batches.flatMap { $0 }
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { ($0 >> 10) & 63 == 5 })
    }

    @Test func slotsNeverMeet() throws {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let ids = try (0..<64).flatMap { slot in
            let generator = IDGenerator(slot: slot) { now }
            return try (0..<2000).map { _ in (try generator.next() as PostID).rawValue }
        }
        #expect(Set(ids).count == ids.count)
        let first: PostID = try IDGenerator(slot: 0) { now }.next()
        #expect(first.timestamp == now)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func noClockTraps(_ milliseconds: Int64) throws {
        let generator = IDGenerator(slot: -1) { Timestamp(milliseconds: milliseconds) }
        let first: PostID = try generator.next()
        let second: PostID = try generator.next()
        #expect(first != second)
    }

    @Test func idsAreMadeInLentMillisecondsOnly() throws {
        struct Refused: Error {}
        let clock = Mutex<Int64>(1_800_000_000_000)
        let generator = IDGenerator(now: { Timestamp(milliseconds: clock.withLock { $0 }) }, refused: { Refused() })
        func next() throws -> (millisecond: Int64, slot: Int64) {
            let id: PostID = try generator.next()
            return (id.timestamp.milliseconds, (id.rawValue >> 10) & 63)
        }
        #expect(throws: Refused.self) { _ = try next() }
        // Lent milliseconds lie ahead where somebody else has used those before.
        generator.lend(slot: 7, from: 1_800_000_000_500, until: 1_800_000_001_000)
        #expect(try next() == (1_800_000_000_500, 7))
        clock.withLock { $0 += 999 }
        #expect(try next() == (1_800_000_000_999, 7))
        clock.withLock { $0 += 1 }
        #expect(throws: Refused.self) { _ = try next() }
        // A version is no id: it is never refused, and rises.
        let version = generator.number()
        #expect(generator.number() > version)
        generator.extend(until: 1_800_000_002_000)
        #expect(try next().millisecond == 1_800_000_001_000)
        // The clock goes back by ten minutes: what was made is not made again.
        clock.withLock { $0 -= 600_000 }
        #expect(try next().millisecond == 1_800_000_001_000)
        #expect(generator.present == 1_800_000_001_000)
        #expect(generator.giveBack() == 1_800_000_001_001)
        #expect(throws: Refused.self) { _ = try next() }
    }
}

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:00:00.5Z", 951_825_600_500),
        ("2026-01-02T03:04:05.678Z", 1_767_323_045_678), ("2026-01-02T12:04:05.678+09:00", 1_767_323_045_678),
        ("2026-01-01T15:04:05.6789999-12:00", 1_767_323_045_678), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ("0000-01-01T00:00:00.000Z", -62_167_219_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("2026-01-02t03:04:05.678z", 1_767_323_045_678), ("2026-01-02 03:04:05.678Z", 1_767_323_045_678),
    ])
    func realTimesAreRead(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-01-02", "2026-01-02T03:04:05", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+09:60", "2026-01-01T00:00:00+0900", "2026-01-01T00:00:00ZZ",
        "2026-01-01T00:00:00.123", "+026-01-01T00:00:00Z", "２026-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
        "2026-01-01T00:00:00.00000000000000000000000000Z",
    ])
    func anythingElseIsNone(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test(arguments: [
        (Int64.max, "292278994-08-17T07:12:55.807Z"), (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
        (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
    ])
    func momentsBeyondTheCalendarAreWritten(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test(arguments: [0, 7, 10, 99, 100, 101, 999, 1000, 99_999, -1, -10, -999, .max, .min] as [Int64])
    func numbersAreWrittenInDecimal(_ number: Int64) {
        func text(least: Int) -> String {
            String(
                decoding: [UInt8](capacity: 21, initializingWith: { $0.append(decimal: number, least: least) }),
                as: UTF8.self
            )
        }
        let digits = String(number.magnitude)
        let sign = number < 0 ? "-" : ""
        #expect(text(least: 1) == sign + digits)
        #expect(text(least: 4) == sign + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
        #expect(text(least: 20) == sign + String(repeating: "0", count: 20 - digits.count) + digits)
    }

    @Test func textRoundTrips() {
        var random = TestSeed()
        for _ in 0..<2000 {
            let moment = Timestamp(
                milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
            )
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
            #expect(moment.rfc3339.hasPrefix(moment.date))
        }
        #expect(Timestamp(milliseconds: 1_767_323_045_678).rfc3339 == "2026-01-02T03:04:05.678Z")
        #expect(Timestamp(milliseconds: -1).seconds == -1)
    }

    @Test(arguments: [Int64.min, Int64.min + 1, -1, Int64.max])
    func extremesDoNotTrap(_ milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(!moment.rfc3339.isEmpty && !moment.date.isEmpty)
        _ = moment.seconds
        _ = moment + .seconds(Int64.max)
        _ = moment + .seconds(Int64.min)
        #expect(Timestamp(milliseconds: .max) - Timestamp(milliseconds: .min) > .zero)
        #expect(Timestamp(milliseconds: .min) - Timestamp(milliseconds: .max) < .zero)
    }

    @Test func durationsAddUp() {
        #expect(Timestamp(milliseconds: 10) + .milliseconds(5) == Timestamp(milliseconds: 15))
        #expect(Timestamp(milliseconds: 10) - Timestamp(milliseconds: 25) == .milliseconds(-15))
        #expect(Timestamp.now().milliseconds > 1_700_000_000_000)
    }
}

@Suite struct NameTests {
    @Test func usernamesAreLowerCaseASCII() {
        #expect(Username("Min_Ji9")?.text == "min_ji9")
        #expect(Username(String(repeating: "a", count: 30)) != nil)
        for bad in [
            "", String(repeating: "a", count: 31), "민지", "a b", "a-b", "a.b", "a@b", "a\u{200B}", "é", "\u{212A}",
        ] {
            #expect(Username(bad) == nil, "\(bad)")
        }
    }

    @Test(arguments: [
        (Int64(1_767_323_045_678), "Fri, 02 Jan 2026 03:04:05 GMT"), (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (1_709_164_800_000, "Thu, 29 Feb 2024 00:00:00 GMT"),
    ])
    func momentsAreWrittenAsHTTPHasThem(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).httpDate == text)
    }

    @Test func scopesAreKnownOrNone() {
        for text in Scope.known { #expect(Scope(text)?.text == text) }
        for literal: Scope in [
            "profile", "read", "write", "follow", "push", "read:accounts", "read:blocks", "read:bookmarks",
            "read:favourites", "read:follows", "read:lists", "read:mutes", "read:notifications", "read:search",
            "read:statuses", "write:accounts", "write:blocks", "write:bookmarks", "write:favourites", "write:follows",
            "write:media", "write:mutes", "write:notifications", "write:statuses",
        ] {
            #expect(Scope.known.contains(literal.text), "\(literal)")
        }
        for text in ["admin", "admin:read", "admin:write:reports"] { #expect(Scope(text)?.isPrivileged == true) }
        for bad in [
            "", "administer", "admin:", "admin:read:", "admin:read:nothing", "read:", "read:nothing", "READ", "read ",
        ] { #expect(Scope(bad) == nil) }
    }

    @Test func wholeScopesGrantTheirParts() throws {
        let set = try #require(ScopeSet("read write:statuses+follow read"))
        #expect(set.description == "read write:statuses follow")
        #expect(set.allows("read:accounts") && set.allows("read") && set.allows("write:statuses"))
        #expect(set.allows("write:follows") && set.allows("write:mutes"))
        #expect(!set.allows("write") && !set.allows("write:media") && !set.allows("push"))
        #expect(set.contains(try #require(ScopeSet("read:lists write:blocks"))))
        #expect(!set.contains(try #require(ScopeSet("read push"))))
        #expect(ScopeSet("") == nil && ScopeSet("read nonsense") == nil)
        let privileged = try #require(ScopeSet("admin:read read admin:write:reports"))
        #expect(privileged.allows("admin:read:accounts") && !privileged.allows("admin:write:accounts"))
        #expect(try #require(ScopeSet("admin")).allows("admin:write:reports"))
        #expect(!set.allows("admin") && !set.allows("admin:read"))
        #expect(privileged.unprivileged == ScopeSet("read") && ScopeSet("admin")?.unprivileged == nil)
    }

    @Test func languagesAreChosenByQuality() {
        #expect(Language(acceptLanguage: nil) == .english)
        #expect(Language(acceptLanguage: "ko-KR,ko;q=0.9,en;q=0.8") == .korean)
        #expect(Language(acceptLanguage: "fr, ja;q=0.4, en;q=0.2") == .japanese)
        #expect(Language(acceptLanguage: "en;q=0.1, ko; q=0.5") == .korean)
        #expect(Language(acceptLanguage: "ko;q=0, *") == .english)
        for odd in ["", ",,,", ";q=", "ko;q=nan,ja;q=1e400", String(repeating: "ko,", count: 100_000), "\u{0}"] {
            _ = Language(acceptLanguage: odd)
        }
    }
}
