// SPDX-License-Identifier: Apache-2.0
// What reading comes to, beside a recomputation that knows nothing of SQL.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import PostsService

/// The readings of somebody as plain values.
private struct Readings {
    struct Book: Hashable {
        let title: String
        let authors: [String]
        let publisher: String?
        let pages: Int?
    }

    struct Reading {
        let book: Book
        var state: String
        var started: Day?
        var ended: Day?
        var days: Set<Day> = []

        var finished: Day? { state == "finished" ? ended : nil }
    }

    struct Sum: Hashable {
        var finished = 0
        var pages = 0
        var goal: Int?

        var progress: Int? { goal.map { finished * 100 / $0 } }
    }

    /// By the names that the app gave them.
    var readings: [String: Reading] = [:]
    /// By year and month, 0 for the whole.
    var goals: [[Int]: Int] = [:]

    private var ends: [(day: Day, book: Book)] {
        readings.values.compactMap { reading in reading.finished.map { ($0, reading.book) } }
    }

    func sum(_ year: Int, month: Int = 0) -> Sum {
        let ended = ends.filter { $0.day.year == year && (month == 0 || $0.day.month == month) }
        return Sum(
            finished: ended.count,
            pages: ended.reduce(0) { $0 + ($1.book.pages ?? 0) },
            goal: goals[[year, month]]
        )
    }

    var years: [Int] {
        Set(ends.map(\.day.year)).union(goals.keys.filter { $0[1] == 0 }.map { $0[0] }).sorted()
    }

    /// Days on which something was read.
    var days: Set<Day> { readings.values.reduce(into: Set(ends.map(\.day))) { $0.formUnion($1.days) } }

    /// The longest run among days, looked for from each of them by itself.
    static func longest(_ days: Set<Day>) -> Int {
        days.map { first in
            var count = 0
            while days.contains(Day(days: first.days + Int64(count))) { count += 1 }
            return count
        }.max() ?? 0
    }

    func streak(until today: Day) -> Int {
        let days = days.filter { $0 <= today }
        var (count, day) = (0, days.contains(today) ? today : today.advanced(by: -1))
        while days.contains(day) {
            count += 1
            day = day.advanced(by: -1)
        }
        return count
    }

    func shares(_ year: Int, _ names: (Book) -> Set<String>) -> [[String]] {
        var sums: [String: Sum] = [:]
        for end in ends where end.day.year == year {
            for name in names(end.book) {
                sums[name, default: Sum()].finished += 1
                sums[name, default: Sum()].pages += end.book.pages ?? 0
            }
        }
        return sums.sorted { left, right in
            (right.value.finished, right.value.pages) != (left.value.finished, left.value.pages)
                ? (right.value.finished, right.value.pages) < (left.value.finished, left.value.pages)
                : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        }.map { [$0.key, "\($0.value.finished)", "\($0.value.pages)"] }
    }
}

@Suite struct ReadingStatisticsTests {
    private static let books: [Readings.Book] = [
        .init(title: "A", authors: ["가", "나"], publisher: "P", pages: 100),
        .init(title: "B", authors: ["가"], publisher: "Q", pages: nil),
        .init(title: "C", authors: [], publisher: nil, pages: 1),
        .init(title: "D", authors: ["z", "é", "z"], publisher: "P", pages: 99_999),
        .init(title: "E", authors: ["é"], publisher: "q", pages: 7),
    ]
    private static let states = ["planned", "reading", "finished", "finished", "finished", "abandoned"]

    /// A thousand histories with `MADANG_TEST_SCALE=10`.
    @Test func numbersAreThoseOfAPlainCount() async throws {
        let drawn = TestSeed().seed
        let seeds = Array(drawn..<drawn + UInt64(TestScale.of(100, atMost: 1000)))
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for slot in 0..<4 {
                    group.addTask {
                        let world = try GraphWorld(database, slot: slot)
                        for seed in seeds where seed % 4 == UInt64(slot) { try await check(TestSeed(seed), world) }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private func check(_ seed: TestSeed, _ world: GraphWorld) async throws {
        var random = seed
        // Around the turns of years and leap days, from one end of the world to the other.
        let hours = Int.random(in: -12...14, using: &random)
        let zone = hours == 0 ? "Etc/UTC" : hours > 0 ? "Etc/GMT-\(hours)" : "Etc/GMT+\(-hours)"
        world.clock.advance(.seconds(Int.random(in: 1...40 * 3600, using: &random)))
        let today = Day(world.clock.now + .seconds(hours * 3600))
        let center = try #require(
            [Day("2024-02-29"), Day("2023-12-31"), Day("2000-02-28"), Day("1900-03-01"), today]
                .compactMap { $0 }.randomElement(using: &random)
        )
        let reader = try await world.person("r\(seed.seed)")
        var plain = Readings()
        var names: [String] = []
        var writes: [[String: any Sendable]] = []
        for _ in 0..<Int.random(in: 5...30, using: &random) {
            write(&writes, &names, &plain, around: center, &random)
        }
        for outcome in try await world.sendWrites(writes, as: reader) {
            #expect(outcome["error"] is NSNull, "seed \(seed.seed): \(outcome)")
        }
        // One ends today without saying when.
        if let name = names.filter({ plain.readings[$0] != nil }).randomElement(using: &random),
            var reading = plain.readings[name], reading.state != "finished",
            reading.started.map({ $0 <= today }) ?? true
        {
            let body: [String: any Sendable] = ["state": "finished", "time_zone": zone]
            try await world.ask(.put, "/api/v1/shelf/records/\(name)", as: reader, body)
            reading.state = "finished"
            reading.ended = reading.ended ?? today
            plain.readings[name] = reading
        }
        for year in Set([center.year, today.year, center.year + 1]) {
            let escaped = zone.replacing("+", with: "%2B")
            let path = "/api/v1/shelf/statistics?year=\(year)&time_zone=\(escaped)"
            try compare(try await world.ask(.get, path, as: reader).object, plain, year, today, seed.seed)
        }
    }

    /// One more write and what it means: a reading is made, changed, moved or deleted, or something is meant to be read.
    private func write(
        _ writes: inout [[String: any Sendable]],
        _ names: inout [String],
        _ plain: inout Readings,
        around center: Day,
        _ random: inout TestSeed
    ) {
        func day() -> Day { center.advanced(by: Int64.random(in: -8...8, using: &random)) }
        let key = clientID(&random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let month = Int.random(in: 0...12, using: &random)
            let books = Int.random(in: 1...9, using: &random)
            let period = center.description.prefix(4) + (month == 0 ? "" : month < 10 ? "-0\(month)" : "-\(month)")
            let isGone = random.chance(1, in: 4)
            plain.goals[[center.year, month]] = isGone ? nil : books
            writes.append([
                "key": key, "type": "goal", "id": String(period), "op": isGone ? "delete" : "put",
                "data": ["books": books],
            ])
        case 1 where !names.isEmpty:
            guard let name = names.randomElement(using: &random) else { return }
            plain.readings[name] = nil
            names.removeAll { $0 == name }
            writes.append(["key": key, "type": "record", "op": "delete", "id": name])
        case 2...5 where !names.isEmpty:
            guard let name = names.randomElement(using: &random), var reading = plain.readings[name] else { return }
            reading.state = Self.states.randomElement(using: &random) ?? "planned"
            reading.ended = random.chance(1, in: 5) ? nil : day()
            reading.started = nil
            var progress: [[String: any Sendable]] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let day = day()
                guard !progress.contains(where: { $0["day"] as? String == day.description }) else { continue }
                if random.chance(1, in: 4) {
                    reading.days.remove(day)
                    progress.append(["day": day.description])
                } else {
                    reading.days.insert(day)
                    progress.append(["day": day.description, "percent": Int.random(in: 0...100, using: &random)])
                }
            }
            plain.readings[name] = reading
            let data: [String: any Sendable] = [
                "state": reading.state, "ended_on": reading.ended?.description ?? "", "started_on": "",
                "progress": progress,
            ]
            writes.append(["key": key, "type": "record", "id": name, "data": data])
        default:
            guard let book = Self.books.randomElement(using: &random) else { return }
            let name = clientID(&random)
            names.append(name)
            let ended = random.chance(1, in: 4) ? nil : day()
            let started = random.chance(1, in: 3) ? ended?.advanced(by: -Int64.random(in: 0...9, using: &random)) : nil
            let state = Self.states.randomElement(using: &random) ?? "planned"
            plain.readings[name] = .init(book: book, state: state, started: started, ended: ended)
            let data: [String: any Sendable] = [
                "state": state, "ended_on": ended?.description ?? "", "started_on": started?.description ?? "",
                "book": [
                    "title": book.title, "authors": book.authors, "publisher": book.publisher ?? "",
                    "pages": book.pages.map(String.init) ?? "",
                ] as [String: any Sendable],
            ]
            writes.append(["key": key, "type": "record", "id": name, "data": data])
        }
    }

    private func compare(
        _ answer: [String: Any],
        _ plain: Readings,
        _ year: Int,
        _ today: Day,
        _ seed: UInt64
    ) throws {
        func sum(_ answer: [String: Any]) -> Readings.Sum {
            Readings.Sum(
                finished: answer["finished"] as? Int ?? -1,
                pages: answer["pages"] as? Int ?? -1,
                goal: answer["goal"] as? Int
            )
        }
        func expectYear(_ year: Int, _ answer: [String: Any]) {
            let days = plain.days.filter { $0.year == year }
            #expect(sum(answer) == plain.sum(year), "\(year), seed \(seed)")
            #expect(answer["progress"] as? Int == plain.sum(year).progress, "\(year), seed \(seed)")
            #expect(answer["days_reading"] as? Int == days.count, "\(year), seed \(seed)")
            #expect(answer["longest_streak"] as? Int == Readings.longest(days), "\(year), seed \(seed)")
        }
        #expect(answer["today"] as? String == today.description, "seed \(seed)")
        expectYear(year, answer)
        expectYear(year - 1, try #require(answer["before"] as? [String: Any]))
        let past = plain.days.filter { $0 <= today }
        #expect(answer["longest_streak_ever"] as? Int == Readings.longest(past), "seed \(seed)")
        #expect(answer["streak"] as? Int == plain.streak(until: today), "seed \(seed)")
        let months = try #require(answer["months"] as? [[String: Any]])
        #expect(months.map(sum) == (1...12).map { plain.sum(year, month: $0) }, "\(year), seed \(seed)")
        let years = try #require(answer["years"] as? [[String: Any]])
        #expect(years.compactMap { $0["year"] as? Int } == plain.years, "seed \(seed)")
        #expect(years.map(sum) == plain.years.map { plain.sum($0) }, "seed \(seed)")
        func shares(_ name: String) throws -> [[String]] {
            try #require(answer[name] as? [[String: Any]]).map { share in
                ["\(share["name"] ?? "")", "\(share["finished"] ?? "")", "\(share["pages"] ?? "")"]
            }
        }
        #expect(try shares("authors") == plain.shares(year) { Set($0.authors) }, "\(year), seed \(seed)")
        #expect(
            try shares("publishers") == plain.shares(year) { Set([$0.publisher].compactMap { $0 }) },
            "seed \(seed)"
        )
    }

    @Test func theFirstAndTheLastYearHaveNumbers() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            for day in ["0001-01-01", "9999-12-31"] {
                try await world.shelve(day, as: mina, ["state": "finished", "ended_on": day])
            }
            for year in [1, 9999] {
                let answer = try await world.ask(.get, "/api/v1/shelf/statistics?year=\(year)", as: mina).object
                #expect(answer["finished"] as? Int == 1)
                #expect(answer["days_reading"] as? Int == 1)
            }
            for year in ["0", "10000", "-1", "x"] {
                let code = try await world.get("/api/v1/shelf/statistics?year=\(year)", as: mina).code
                #expect(code == 422 || code == 400, "\(year)")
            }
        }
    }
}
