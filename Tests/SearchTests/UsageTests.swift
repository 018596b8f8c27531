// SPDX-License-Identifier: Apache-2.0
// What apps tell of how they are used, counted by days.

import Domain
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import ServiceKit
import Support
import Testing
import Web

@testable import SearchService

@Suite struct UsageTests {
    private static func run(_ body: @Sendable (SearchWorld, UsageLog) async throws -> Void) async throws {
        try await SearchWorld.run { world in
            let log = UsageLog()
            try await body(try world.with { $0.usage = log }, log)
        }
    }

    private static func tell(_ body: String, _ world: SearchWorld) async -> Answer {
        await world.send(.post, "/api/v1/events", json: body, as: SearchWorld.reader)
    }

    private static func events(_ names: [String], _ rest: String = "") -> String {
        #"{"events":[\#(names.map { #"{"name":"\#($0)"}"# }.joined(separator: ","))]\#(rest)}"#
    }

    private static func csv(_ days: Int, _ world: SearchWorld) async throws -> [String] {
        var lines: [String] = []
        try await SearchService.usage(of: days, until: world.clock.now, in: world.database) { lines.append($0) }
        return lines
    }

    @Test func `what apps tell is counted by day, name, platform and version, and of nobody`() async throws {
        try await Self.run { world, log in
            let ios = #","platform":"ios","app_version":"1.2.17""#
            for body in [
                Self.events(["book_saved", "screen_view", "book_saved"], ios),
                #"{"events":[{"name":"book_saved","params":{"source":"search","count":3,"new":true}}],"platform":"ANDROID"}"#,
                Self.events(["screen_view"], #","platform":"toaster","app_version":"2""#),
            ] {
                let answer = await Self.tell(body, world)
                #expect(answer.status == .accepted && answer.text == "{}")
            }
            try await log.write(to: world.database)
            world.clock.advance(.seconds(86_400))
            _ = await Self.tell(Self.events(["screen_view"], ios), world)
            _ = await Self.tell(Self.events(["screen_view"], ios), world)
            try await log.write(to: world.database)
            _ = await Self.tell(Self.events(["screen_view"], ios), world)
            try await log.write(to: world.database)
            try await log.write(to: world.database)
            let today = ["2026-03-02,screen_view,ios,1.2,3"]
            let before = [
                "2026-03-01,book_saved,android,,1", "2026-03-01,book_saved,ios,1.2,2",
                "2026-03-01,screen_view,ios,1.2,1",
                "2026-03-01,screen_view,other,2,1",
            ]
            #expect(try await Self.csv(1, world) == ["day,name,platform,version,events"] + today)
            #expect(
                try await Self.csv(UsageSweeps.days, world) == ["day,name,platform,version,events"] + before + today
            )
            // There is nowhere to keep who it was, nor what parameters said.
            let columns: [String] = try await world.database.query(
                """
                SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_attribute a
                WHERE a.attrelid IN ('usage'::regclass, 'usage_words'::regclass) AND a.attnum > 0
                GROUP BY a.attrelid ORDER BY 1
                """
            ).all { try $0.next() }
            #expect(columns == ["day name platform version events", "kind word told_on"])
        }
    }

    @Test func `where nobody counts, apps are told so`() async throws {
        try await SearchWorld.run { world in
            let answer = await Self.tell(Self.events(["a"]), world)
            #expect(answer.status == .forbidden)
            let problem = try JSON(bytes: answer.body)
            #expect(problem["code"]?.text == "usage-off")
            // Not even by who tells what is none.
            #expect(await Self.tell("{}", world).status == .forbidden)
        }
    }

    @Test func `a batch that breaks a rule counts nothing`() async throws {
        try await Self.run { world, log in
            let long = String(repeating: "a", count: 101)
            let many = (0..<11).map { #""p\#($0)":1"# }.joined(separator: ",")
            for body in [
                "{}", #"{"events":[]}"#, Self.events(Array(repeating: "a", count: 101)), Self.events(["a", ""]),
                Self.events(["a", "A"]), Self.events(["1a"]), Self.events(["_a"]), Self.events(["a-b"]),
                Self.events(["가"]), "null",
                Self.events([String(repeating: "a", count: 41)]), Self.events(["a"], #","app_version":"1.0-beta""#),
                Self.events(["a"], #","app_version":"1.2.3.4.5""#), Self.events(["a"], #","app_version":"12345""#),
                Self.events(["a"], #","app_version":"1.""#), #"{"events":[{"name":"a"},{}]}"#,
                #"{"events":[{"name":"a","params":{"\#(long)":1}}]}"#, #"{"events":[{"name":"a","params":{"B":1}}]}"#,
                #"{"events":[{"name":"a","params":{"b":"\#(long)"}}]}"#,
                #"{"events":[{"name":"a","params":{\#(many)}}]}"#,
            ] {
                let answer = await Self.tell(body, world)
                #expect(answer.status == .unprocessableContent, "\(body.prefix(200)) \(answer.text)")
            }
            for body in [
                #"{"events":7}"#, #"{"events":["a"]}"#, #"{"events":[{"name":["a"]}]}"#,
                #"{"events":[{"name":"a","params":[1]}]}"#,
                #"{"events":[{"name":"a","params":{"b":[1]}}]}"#, Self.events(["a"], #","platform":{}"#), "[",
            ] {
                let answer = await Self.tell(body, world)
                #expect(answer.status == .badRequest, "\(body) \(answer.text)")
            }
            try await log.write(to: world.database)
            #expect(try await Self.csv(1, world).count == 1)
            // At the bounds it counts.
            let whole = Self.events(
                Array(repeating: String(repeating: "a", count: 40), count: 100),
                #","app_version":"9999.0.0.1""#
            )
            #expect(await Self.tell(whole, world).status == .accepted)
            try await log.write(to: world.database)
            #expect(
                try await Self.csv(1, world).last == "2026-03-01,\(String(repeating: "a", count: 40)),other,9999.0,100"
            )
        }
    }

    @Test func `no more names and versions than agreed are counted by themselves, whoever tells them`() async throws {
        try await Self.run { world, _ in
            // Processes that write at a time.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for process in 0..<4 {
                    group.addTask {
                        let log = UsageLog()
                        for part in 0..<3 {
                            let names = (0..<100).map { "event_\(process)_\(part)_\($0)" }
                            let body = Self.events(
                                names,
                                #","platform":"web","app_version":"\#(process).\#(part)\#(process)""#
                            )
                            log.note(try UsageReport(Parameters(json: Array(body.utf8))), at: world.clock.now)
                            try await log.write(to: world.database)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let usage = try await UsageStore.usage(on: "2026-03-01", in: world.database)
            #expect(usage.reduce(0) { $0 + $1.events } == 1200)
            #expect(Set(usage.map(\.name)).count == UsageStore.names + 1)
            #expect(usage.filter { $0.name == UsageStore.other }.reduce(0) { $0 + $1.events } == 1200 - 200)
            #expect(Set(usage.map(\.version)).count == 12)
            // A name that is known goes on; one that nobody tells any more makes room.
            let known = try #require(usage.first { $0.name != UsageStore.other }?.name)
            let log = UsageLog()
            func tell(_ names: [String], ago days: Int64 = 0) async throws -> Set<String> {
                let moment = world.clock.now
                log.note(try UsageReport(Parameters(json: Array(Self.events(names).utf8))), at: moment)
                try await log.write(to: world.database)
                return Set(try await UsageStore.usage(on: moment.date, in: world.database).map(\.name))
            }
            world.clock.advance(.seconds(86_400))
            #expect(try await tell([known, "new_event"]) == [known, UsageStore.other])
            world.clock.advance(.seconds(30 * 86_400))
            for sweep in UsageSweeps.all(now: world.dependencies.now) { try await sweep.finish(in: world.database) }
            #expect(try await tell([known, "new_event"]) == [known, "new_event"])
            world.clock.advance(.seconds(401 * 86_400))
            for sweep in UsageSweeps.all(now: world.dependencies.now) { try await sweep.finish(in: world.database) }
            #expect(try await Self.csv(UsageSweeps.days, world).count == 1)
        }
    }

    @Test func `what cannot be written is counted later, and bounded while it waits`() async throws {
        try await Self.run { world, log in
            let moment = world.clock.now
            for part in 0..<60 {
                let names = (0..<100).map { "event_\(part)_\($0)" }
                log.note(
                    try UsageReport(Parameters(json: Array(Self.events(names, #","platform":"ios""#).utf8))),
                    at: moment
                )
            }
            _ = try await world.database.query("ALTER TABLE usage RENAME TO usage_elsewhere")
            await #expect(throws: PostgresError.self) { try await log.write(to: world.database) }
            _ = try await world.database.query("ALTER TABLE usage_elsewhere RENAME TO usage")
            try await log.write(to: world.database)
            let usage = try await UsageStore.usage(on: moment.date, in: world.database)
            #expect(usage.reduce(0) { $0 + $1.events } == 6000)
            #expect(usage.count == UsageStore.names + 1)
        }
    }

    @Test func `operators see today's events as series`() async throws {
        try await Self.run { world, log in
            let metrics = Metrics()
            let series = UsageSeries(
                world.database,
                now: world.dependencies.now,
                metrics: metrics,
                logger: Logger(label: "t")
            )
            try await series.look()
            #expect(!metrics.exposition().contains("madang_search_usage_today"))
            for (names, platform) in [(["a", "a", "b"], "ios"), (["a"], "web")] {
                for version in ["1.0", "2.0"] {
                    let rest = #","platform":"\#(platform)","app_version":"\#(version)""#
                    _ = await Self.tell(Self.events(names, rest), world)
                }
            }
            try await log.write(to: world.database)
            try await series.look()
            for line in [
                #"{name="a",platform="ios"} 4"#, #"{name="a",platform="web"} 2"#, #"{name="b",platform="ios"} 2"#,
            ] {
                #expect(metrics.exposition().contains("madang_search_usage_today\(line)"), "\(metrics.exposition())")
            }
            world.clock.advance(.seconds(86_400))
            try await series.look()
            #expect(metrics.exposition().contains(#"madang_search_usage_today{name="a",platform="ios"} 0"#))
        }
    }
}
