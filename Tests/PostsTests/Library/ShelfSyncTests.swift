// SPDX-License-Identifier: Apache-2.0
// A shelf on several devices, some of them without a network for a while.

import Domain
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ShelfSyncTests {
    /// Two phones do what they like without a network; what they send comes late, in any order and more than once. Once all
    /// has come, both know the same, and so does a new one. All of it with `MADANG_TEST_SCALE=10`.
    @Test func everyDeviceComesToKnowTheSame() async throws {
        let drawn = TestSeed().seed
        try await GraphWorld.run { world in
            for seed in drawn..<drawn + UInt64(TestScale.of(20, atMost: 200)) {
                try await synchronize(TestSeed(seed), world)
            }
        }
    }

    private func synchronize(_ seed: TestSeed, _ world: GraphWorld) async throws {
        var random = seed
        let reader = try await world.person("r\(seed.seed)")
        var phones = [Phone(world, of: reader), Phone(world, of: reader)]
        let names = (0..<6).map { _ in clientID(&random) }
        var batches: [[[String: any Sendable]]] = []
        for round in 0..<8 {
            batches.append((0..<Int.random(in: 1...6, using: &random)).map { _ in write(names, &random) })
            // Some arrive now, some later, some twice.
            for batch in batches.shuffled(using: &random).prefix(2) where random.chance(2, in: 3) {
                _ = try await world.sendWrites(batch, as: reader)
            }
            let phone = round % 2
            if random.chance(1, in: 2) { try await phones[phone].read(limit: Int.random(in: 1...7, using: &random)) }
            if random.chance(1, in: 10) { phones[phone].forget() }
        }
        for batch in batches.shuffled(using: &random) { _ = try await world.sendWrites(batch, as: reader) }
        let before = try await state(of: reader, world)
        // Whatever comes again changes nothing.
        for batch in batches.shuffled(using: &random) {
            for outcome in try await world.sendWrites(batch, as: reader) {
                #expect(["repeated", "refused"].contains(outcome["outcome"] as? String ?? ""), "seed \(seed.seed)")
            }
        }
        #expect(try await state(of: reader, world) == before, "seed \(seed.seed)")
        for index in phones.indices { try await phones[index].read(limit: Int.random(in: 1...5, using: &random)) }
        var fresh = Phone(world, of: reader)
        try await fresh.read()
        #expect(phones[0].items == fresh.items, "seed \(seed.seed)")
        #expect(phones[1].items == fresh.items, "seed \(seed.seed)")
        let rows = try await world.number(
            """
            SELECT (SELECT count(*) FROM shelf_books WHERE account_id = \(reader.id))
                + (SELECT count(*) FROM reading_records WHERE account_id = \(reader.id))
                + (SELECT count(*) FROM reading_goals WHERE account_id = \(reader.id))
            """
        )
        #expect(fresh.items.count == rows, "seed \(seed.seed)")
    }

    /// What stands in the tables, as far as a write could change it.
    private func state(of reader: Person, _ world: GraphWorld) async throws -> String {
        let row = try #require(
            try await world.database.query(
                """
                SELECT concat(
                    (
                        SELECT string_agg(r::text, '|' ORDER BY r.id) FROM reading_records r
                        WHERE r.account_id = \(reader.id)
                    ),
                    (
                        SELECT string_agg(b::text, '|' ORDER BY b.id) FROM shelf_books b
                        WHERE b.account_id = \(reader.id)
                    ),
                    (
                        SELECT string_agg(g::text, '|' ORDER BY g.year, g.month) FROM reading_goals g
                        WHERE g.account_id = \(reader.id)
                    ),
                    (
                        SELECT string_agg(p::text, '|' ORDER BY p.record_id, p.day) FROM reading_progress p
                        WHERE p.account_id = \(reader.id)
                    )
                )
                """
            ).first
        )
        var columns = row.columns
        return try columns.next()
    }

    private func write(_ names: [String], _ random: inout TestSeed) -> [String: any Sendable] {
        let key = clientID(&random)
        let name = names.randomElement(using: &random) ?? key
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return ["key": key, "type": "record", "op": "delete", "id": name]
        case 1: return ["key": key, "type": "goal", "id": "2026", "op": "delete"]
        case 2:
            let data = ["books": Int.random(in: 1...3, using: &random)]
            return ["key": key, "type": "goal", "id": "2026-0\(Int.random(in: 1...2, using: &random))", "data": data]
        default:
            let day = "2026-01-0\(Int.random(in: 1...9, using: &random))"
            var data: [String: any Sendable] = [
                "book": ["title": "book \(Int.random(in: 1...3, using: &random))"],
                "state": ["planned", "reading", "finished"].randomElement(using: &random) ?? "planned",
            ]
            if random.chance(1, in: 2) { data["one_line"] = "line \(Int.random(in: 0...99, using: &random))" }
            if random.chance(1, in: 2) { data["ended_on"] = day }
            if random.chance(1, in: 3) { data["favourite"] = random.chance(1, in: 2) }
            if random.chance(1, in: 3) {
                let entry: [String: any Sendable] = ["day": day, "page": Int.random(in: 0...99, using: &random)]
                data["progress"] = [entry]
            }
            var write: [String: any Sendable] = ["key": key, "type": "record", "id": name, "data": data]
            if random.chance(1, in: 3) { write["version"] = Int.random(in: 0...20, using: &random) }
            return write
        }
    }

    /// A change that is committed late has a number above all that were seen, because the shelf is held by who takes numbers.
    @Test func nothingIsCommittedBehindACursor() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            var phone = Phone(world, of: mina)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask { try await world.shelve("\(number)", as: mina) }
                    if number.isMultiple(of: 6) { try await phone.read(limit: 5) }
                }
                while try await group.next() != nil { try await phone.read(limit: 7) }
            }
            try await phone.read()
            #expect(phone.items.count == 80)
            #expect(try await world.number("SELECT version FROM shelves") == 80)
        }
    }

    @Test func theLaterWriteWinsAndWhatItDidNotKnowIsKept() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let quote: [String: any Sendable] = ["text": "a passage", "page": 3]
            let id = try await world.shelve("a", as: mina, ["one_line": "first", "review": "r", "quotes": [quote]])
            let path = "/api/v1/shelf/records/\(id)"
            let version = try #require(try await world.record(id, as: mina)["version"] as? Int)
            try await world.ask(.put, path, as: mina, ["version": version, "one_line": "of phone A"])
            #expect(try await world.ids("\(path)/texts", as: mina) == [])
            let late = try await world.ask(
                .put,
                path,
                as: mina,
                ["version": version, "one_line": "of phone B", "quotes": [] as [String]]
            )
            #expect(try late.string("one_line") == "of phone B")
            #expect(try late.string("review") == "r")
            let texts = try await world.ask(.get, "\(path)/texts", as: mina).list
            #expect(Set(texts.compactMap { $0["text"] as? String }) == ["of phone A", "a passage"])
            #expect(Set(texts.compactMap { $0["field"] as? String }) == ["one_line", "quotes"])
            // Whoever knows what they replace, and whoever does not care, loses nothing for others.
            try await world.ask(.put, path, as: mina, ["one_line": "over"])
            #expect(try await world.ask(.get, "\(path)/texts", as: mina).list.count == 2)
            // As many are kept as there is room for, the newest.
            for number in 0..<30 {
                try await world.ask(.put, path, as: mina, ["version": version, "one_line": "\(number)"])
            }
            let kept = try await world.ask(.get, "\(path)/texts", as: mina).list.compactMap { $0["text"] as? String }
            #expect(kept == (9..<29).reversed().map(String.init))
        }
    }

    @Test func whatIsDeletedStaysDeletedAndWhatIsNotSeenIsNotDeleted() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            var random = TestSeed()
            let name = clientID(&random)
            let path = "/api/v1/shelf/records/\(name)"
            let made = try await world.ask(.put, path, as: mina, ["book": ["title": "a"]]).object
            let version = try #require(made["version"] as? Int)
            #expect(made["client_id"] as? String == name)
            // A UUID is the same in capitals.
            try await world.ask(.put, "/api/v1/shelf/records/\(name.uppercased())", as: mina, ["one_line": "new"])
            try await world.ask(.delete, "\(path)?version=\(version)", as: mina, code: 409)
            try await world.ask(.delete, path, as: mina)
            try await world.ask(.put, path, as: mina, ["book": ["title": "a"]], code: 410)
            let outcome = try await world.sendWrites(
                [["key": clientID(&random), "type": "record", "id": name, "data": ["book": ["title": "a"]]]],
                as: mina
            )
            #expect(outcome.first?["outcome"] as? String == "refused")
            #expect((outcome.first?["error"] as? [String: Any])?["code"] as? String == "gone")
            let gone = try await world.sendWrites(
                [["key": clientID(&random), "type": "record", "op": "delete", "id": name]],
                as: mina
            )
            #expect(gone.first?["outcome"] as? String == "deleted")
            #expect(try await world.number("SELECT count(*) FROM reading_records") == 0)
        }
    }

    @Test func aGoalThatIsSetAgainIsThere() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            var phone = Phone(world, of: mina)
            try await world.ask(.put, "/api/v1/shelf/goals/2026", as: mina, ["books": 1])
            try await phone.read()
            try await world.ask(.delete, "/api/v1/shelf/goals/2026", as: mina)
            try await world.ask(.put, "/api/v1/shelf/goals/2026", as: mina, ["books": 2])
            try await phone.read()
            #expect(phone.items["goal 2026"]?.contains(#""books":2"#) == true)
            try await world.ask(.delete, "/api/v1/shelf/goals/2026", as: mina)
            try await phone.read()
            #expect(phone.items.isEmpty)
        }
    }

    @Test func aGoalThatChangedMeanwhileIsNotDeletedByWhoDoesNotKnow() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            var random = TestSeed()
            func write(_ more: [String: any Sendable]) -> [String: any Sendable] {
                more.merging(["key": clientID(&random), "type": "goal", "id": "2026"]) { own, _ in own }
            }
            let made = try await world.sendWrites([write(["data": ["books": 5]])], as: mina)
            let known = try #require(made.first?["version"] as? Int)
            // Phone B changes it before phone A, which was offline, deletes what it knows.
            let changed = try await world.sendWrites([write(["data": ["books": 6]])], as: mina)
            let newest = try #require(changed.first?["version"] as? Int)
            let deletion = write(["op": "delete", "version": known])
            let refused = try await world.sendWrites([deletion], as: mina)
            #expect(refused.first?["outcome"] as? String == "refused")
            #expect((refused.first?["error"] as? [String: Any])?["code"] as? String == "outdated")
            let path = "/api/v1/shelf/goals/2026"
            try await world.ask(.delete, "\(path)?version=\(known)", as: mina, code: 409)
            var phone = Phone(world, of: mina)
            try await phone.read()
            #expect(phone.items["goal 2026"]?.contains(#""books":6"#) == true)
            // The same goal again is the goal that is known.
            let same = try await world.sendWrites([write(["data": ["books": 6]])], as: mina)
            #expect(same.first?["outcome"] as? String == "unchanged" && same.first?["version"] as? Int == newest)
            let gone = try await world.sendWrites([write(["op": "delete", "version": newest])], as: mina)
            #expect(gone.first?["outcome"] as? String == "deleted")
            try await phone.read()
            #expect(phone.items.isEmpty, "by its tombstone")
            // Whoever deletes what is gone has what they wanted.
            let again = try await world.sendWrites([write(["op": "delete", "version": newest])], as: mina)
            #expect(again.first?["outcome"] as? String == "deleted")
            try await world.ask(.delete, "\(path)?version=\(newest)", as: mina, code: 404)
        }
    }

    @Test func oneBadWriteOfSeveralIsRefusedAlone() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            var random = TestSeed()
            func write(_ more: [String: any Sendable]) -> [String: any Sendable] {
                more.merging(["key": clientID(&random)]) { own, _ in own }
            }
            let good: [String: any Sendable] = [
                "type": "record", "id": clientID(&random), "data": ["book": ["title": "a"]],
            ]
            let bad: [[String: any Sendable]] = [
                ["type": "record", "id": clientID(&random), "data": ["rating": 9]],
                ["type": "record", "id": clientID(&random)],
                ["type": "record", "id": "7", "data": ["state": "reading"]],
                ["type": "record"], ["type": "record", "id": "x"],
                ["type": "goal", "id": "2026-99", "data": ["books": 1]],
                ["type": "goal", "id": "2026", "data": ["books": 0]],
                ["type": "book", "id": "7", "data": ["title": "a"]],
                ["type": "book", "op": "delete", "id": "7"], ["type": "cat"], [:], ["type": "record", "op": "burn"],
                ["type": "record", "id": clientID(&random), "data": ["book_id": "7"]],
                ["type": "record", "id": clientID(&random), "data": "x"],
            ]
            let outcomes = try await world.sendWrites((bad + [good]).map(write), as: mina)
            #expect(outcomes.dropLast().allSatisfy { $0["outcome"] as? String == "refused" }, "\(outcomes)")
            #expect(outcomes.last?["outcome"] as? String == "made")
            #expect(try await world.titles("/api/v1/shelf", as: mina) == ["a"])
            for writes in ["7", "[7]", #"[{"key":"x"}]"#, #"[{"type":"record"}]"#] {
                let json = #"{"writes":\#(writes)}"#
                let code = try await world.post("/api/v1/shelf/changes", as: mina, json: json).code
                #expect(code == 400 || code == 422, "\(writes)")
            }
            let many = (0..<101).map { _ in write(["type": "goal", "id": "2026", "data": ["books": 1]]) }
            try await world.ask(.post, "/api/v1/shelf/changes", as: mina, ["writes": many], code: 422)
        }
    }

    @Test func whoeverWasAwayTooLongBeginsAnew() async throws {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            var limits = Limits()
            limits.library.tombstones = 2
            let world = try GraphWorld(database, limits: limits)
            let mina = try await world.person("mina")
            var phone = Phone(world, of: mina)
            var ids: [String] = []
            for number in 0..<4 { ids.append(try await world.shelve("\(number)", as: mina)) }
            try await phone.read()
            let old = try #require(phone.cursor)
            // Each takes its book along: two deletions.
            try await world.ask(.delete, "/api/v1/shelf/records/\(ids[0])", as: mina)
            try await world.ask(.get, "/api/v1/shelf/changes?since=\(old)", as: mina)
            try await world.ask(.delete, "/api/v1/shelf/records/\(ids[1])", as: mina)
            try await world.ask(.get, "/api/v1/shelf/changes?since=\(old)", as: mina, code: 410)
            phone.forget()
            // A new one is told nothing of what it never saw, and goes on while more is forgotten.
            let first = try await world.ask(.get, "/api/v1/shelf/changes?limit=1", as: mina).object
            #expect((first["deleted"] as? [Any])?.isEmpty == true)
            let next = try #require(first["next"] as? String)
            try await world.ask(.get, "/api/v1/shelf/changes?since=\(next)", as: mina)
            try await phone.read(limit: 1)
            #expect(phone.items.count == 4)
            for cursor in ["x", "-1", "1-", "-", "1-2-3", "9223372036854775808", "1--2"] {
                try await world.ask(.get, "/api/v1/shelf/changes?since=\(cursor)", as: mina, code: 400)
            }
            // A cursor of another's shelf, or of one that was restored from a backup, is ahead of it.
            try await world.ask(.get, "/api/v1/shelf/changes?since=9999", as: mina, code: 410)
        }
    }

    @Test func deletionsAndWritesAreForgottenWhenNobodyCanAskForThem() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let old = try await world.shelve("a", as: mina)
            var phone = Phone(world, of: mina)
            try await phone.read()
            try await world.ask(.delete, "/api/v1/shelf/records/\(old)", as: mina)
            var random = TestSeed()
            _ = try await world.sendWrites(
                [["key": clientID(&random), "type": "goal", "id": "2026", "data": ["books": 1]]],
                as: mina
            )
            world.clock.advance(Sweeps.graceOfDevices + .seconds(1))
            let now = world.dependencies.now
            for sweep in [Sweeps.shelfTombstones(world.dependencies), ShelfWriteStore.sweep(now: now)] {
                #expect(try await sweep.finish(in: world.database) > 0)
            }
            #expect(try await world.number("SELECT count(*) FROM shelf_tombstones") == 0)
            #expect(try await world.number("SELECT count(*) FROM shelf_writes") == 0)
            let cursor = try #require(phone.cursor)
            try await world.ask(.get, "/api/v1/shelf/changes?since=\(cursor)", as: mina, code: 410)
        }
    }
}
