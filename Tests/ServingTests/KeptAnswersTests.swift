// SPDX-License-Identifier: Apache-2.0
// An answer that is kept never outlives what it shows, whoever changes it and whenever.

import Domain
import HTTPTypes
import Outbox
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import Serving

@Suite struct KeptAnswersTests {
    /// Tells how often it was looked at what changed.
    private final class CountingLooks: Querying {
        let database: Database
        let looks = Atomic(0)

        init(_ database: Database) { self.database = database }

        func query(_ sql: SQL) async throws -> Rows {
            if sql.text.contains("FROM changes") { looks.add(1, ordering: .relaxed) }
            return try await database.query(sql)
        }
    }

    /// A table of things, of which one is asked for, and what was read.
    private final class World: Sendable {
        let database: Database
        let answers: KeptAnswers
        private let counting: CountingLooks
        private let made = Atomic(0)

        init(
            _ database: Database,
            capacity: Int = 1 << 20,
            passed: @escaping @Sendable (Timestamp) -> SQL? = { _ in nil }
        ) {
            self.database = database
            counting = CountingLooks(database)
            answers = KeptAnswers(ChangeLog(passed: passed), capacity: capacity)
        }

        /// How many answers were made so far.
        var count: Int { made.load(ordering: .relaxed) }

        var looks: Int { counting.looks.load(ordering: .relaxed) }

        func ask(_ thing: Int64, path: String = "/thing", body: [UInt8] = [], isKept: Bool = true) async throws
            -> String
        {
            String(decoding: try await answer(thing, path: path, body: body, isKept: isKept).body, as: UTF8.self)
        }

        /// - Parameter had: the tag of the answer that whoever asks has.
        func answer(
            _ thing: Int64,
            had: String? = nil,
            path: String = "/thing",
            body: [UInt8] = [],
            isKept: Bool = true
        ) async throws -> Answer {
            var headers: HTTPFields = [:]
            headers[.ifNoneMatch] = had
            let request = Request(method: .get, path: path, query: "id=\(thing)", headers: headers, body: body)
            return try await answers.answer(to: request, in: counting) {
                made.add(1, ordering: .relaxed)
                let name: String? = try await database.query("SELECT name FROM things WHERE id = \(thing)")
                    .one { try $0.next() }
                return Shown(.text(name ?? "none"), subjects: isKept ? [thing] : nil)
            }
        }

        /// Expects an answer that is made, or not.
        func expect(_ name: String, of thing: Int64 = 1, isMade: Bool, _ comment: Comment) async throws {
            let before = count
            let answer = try await ask(thing)
            #expect(answer == name, comment)
            #expect((count > before) == isMade, comment)
        }
    }

    /// Some who ask at once.
    private final class Asking: Sendable {
        private let started = Atomic(0)
        private let tasks = Mutex<[Task<String, any Error>]>([])

        /// How many have started to ask.
        var begun: Int { started.load(ordering: .relaxed) }

        func add(_ ask: @escaping @Sendable () async throws -> String) {
            let task = Task {
                started.add(1, ordering: .relaxed)
                return try await ask()
            }
            tasks.withLock { $0.append(task) }
        }

        func answers() async throws -> [String] {
            var answers: [String] = []
            for task in tasks.withLock({ $0 }) { answers.append(try await task.value) }
            return answers
        }
    }

    private func withWorld(_ body: @Sendable (World, Database, DatabaseConfiguration) async throws -> Void) async throws
    {
        try await withThings { database, other, configuration in
            try await body(World(database), other, configuration)
        }
    }

    @Test func itIsGivenAgainUntilWhatItShowsChanges() async throws {
        try await withWorld { world, other, _ in
            try await world.expect("first", isMade: true, "the first time")
            try await world.expect("first", isMade: false, "nothing changed")
            try await rename(2, "second", in: other)
            try await world.expect("first", isMade: false, "something else changed")
            try await rename(1, "second", in: other)
            try await world.expect("second", isMade: true, "it changed")
            try await world.expect("second", isMade: false, "nothing changed since")
            _ = try await other.query("DELETE FROM things WHERE id = 1")
            try await world.expect("none", isMade: true, "it is gone")
            try await world.expect("none", isMade: false, "it is still gone")
            _ = try await other.query("INSERT INTO things (id, name) VALUES (1, 'third')")
            try await world.expect("third", isMade: true, "it is there again")
            _ = try await other.query("TRUNCATE things")
            try await world.expect("none", isMade: true, "everything is gone")
        }
    }

    @Test func aChangeCountsFromItsCommit() async throws {
        try await withWorld { world, other, _ in
            try await world.expect("first", isMade: true, "the first time")
            try await other.transaction { transaction in
                try await rename(1, "second", in: transaction)
                try await world.expect("first", isMade: false, "it is not committed")
                // Later numbers are committed before it.
                try await rename(2, "other", in: world.database)
                try await world.expect("other", of: 2, isMade: true, "another one is")
                try await world.expect("first", isMade: false, "it is still not committed")
            }
            try await world.expect("second", isMade: true, "it is committed")
            // It was read after a look that had not seen the change.
            try await world.expect("other", of: 2, isMade: true, "a look has seen the change since")
            try await world.expect("other", of: 2, isMade: false, "nothing changed since")
        }
    }

    @Test func whatIsTakenBackChangesNothing() async throws {
        struct Stop: Error {}
        try await withWorld { world, other, _ in
            try await world.expect("first", isMade: true, "the first time")
            await #expect(throws: Stop.self) {
                try await other.transaction { transaction in
                    try await rename(1, "second", in: transaction)
                    throw Stop()
                }
            }
            try await world.expect("first", isMade: false, "nothing was committed")
        }
    }

    @Test func afterACrashNothingHolds() async throws {
        try await withWorld { world, other, _ in
            try await world.expect("first", isMade: true, "the first time")
            try await rename(1, "second", in: other)
            // What is not written to the WAL is empty after a crash.
            _ = try await other.query("TRUNCATE changes, change_floor")
            try await world.expect("second", isMade: true, "nobody knows what changed")
            try await world.expect("second", isMade: false, "from then on it is known")
            try await rename(1, "third", in: other)
            try await world.expect("third", isMade: true, "it changed")
        }
    }

    @Test func whatIsForgottenIsNotBelieved() async throws {
        try await withWorld { world, other, _ in
            try await world.expect("first", isMade: true, "the first time")
            try await rename(1, "second", in: other)
            // The floor stays below whatever transaction is under way somewhere in the cluster.
            try await eventually("nothing is known of it") {
                // As if minutes went by.
                _ = try await other.query("UPDATE change_floor SET moved_at = moved_at - interval '1 hour'")
                try await ChangeStore.sweep.finish(in: other)
                return try await other.query("SELECT count(*) FROM changes").number() == 0
            }
            try await world.expect("second", isMade: true, "what changed is forgotten")
            try await world.expect("second", isMade: false, "from then on it is known")
        }
    }

    @Test func whatCameWithADumpGoes() async throws {
        try await withWorld { world, other, _ in
            _ = try await other.query(
                "INSERT INTO changes (xid, subjects) SELECT CAST('1000000000' AS xid8), ARRAY[g] FROM generate_series(1, 7) g"
            )
            try await ChangeStore.sweep.finish(in: other)
            #expect(try await other.query("SELECT count(*) FROM changes WHERE xid > '900000000'").number() == 0)
        }
    }

    @Test func whenVeryMuchChangedNothingHolds() async throws {
        try await withWorld { world, other, _ in
            try await world.expect("first", isMade: true, "the first time")
            for number in 0..<1100 { try await rename(2, "\(number)", in: other) }
            try await world.expect("first", isMade: true, "it is not told by name")
            try await world.expect("first", isMade: false, "nothing changed since")
            // One statement that changes very much.
            _ = try await other.query("INSERT INTO things (id, name) SELECT id, 'x' FROM generate_series(10, 20010) id")
            try await world.expect("first", isMade: true, "everything may have changed")
        }
    }

    @Test func whatEndsByItselfIsAskedFor() async throws {
        try await withWorld { _, other, _ in
            // Nobody notes what is written here: a time that ends between two looks.
            _ = try await other.query("CREATE TABLE endings (thing bigint NOT NULL, ends_at timestamptz NOT NULL)")
            let world = World(other) {
                "SELECT thing FROM endings WHERE ends_at > \($0) AND ends_at <= statement_timestamp()"
            }
            try await world.expect("first", isMade: true, "the first time")
            try await world.expect("first", isMade: false, "nothing ended")
            _ = try await other.query("INSERT INTO endings VALUES (1, statement_timestamp()), (2, 'infinity')")
            // A look tells its moment in milliseconds, and finds again what ended in the last of them.
            _ = try await other.query("SELECT pg_sleep(0.002)")
            try await world.expect("first", isMade: true, "it ended since")
            try await world.expect("first", isMade: false, "it ended once")
            try await world.expect("first", of: 2, isMade: true, "the first time")
            try await world.expect("first", of: 2, isMade: false, "it does not end")
        }
    }

    @Test func whoHasItGetsItNotAgain() async throws {
        try await withWorld { world, other, _ in
            let first = try await world.answer(1)
            let tag = try #require(first.headers[.eTag])
            let again = try await world.answer(1, had: tag)
            #expect(again.status == .notModified && again.body.isEmpty && again.headers[.eTag] == tag)
            #expect(try await world.answer(1, had: "\"another\"").body == first.body)
            try await rename(1, "second", in: other)
            let second = try await world.answer(1, had: tag)
            #expect(second.status == .ok && second.body == Array("second".utf8) && second.headers[.eTag] != tag)
            try await rename(1, "first", in: other)
            let third = try await world.answer(1, had: tag)
            #expect(third.status == .notModified, "it was made again, and is the same")
            #expect(try await World(other).answer(1).headers[.eTag] == tag, "another process says the same of the same")
            for _ in 0..<2 {
                let unkept = try await world.answer(1, had: tag, path: "/unkept", isKept: false)
                #expect(unkept.status == .notModified)
            }
        }
    }

    @Test func whatIsNotToBeKeptIsNot() async throws {
        try await withWorld { world, _, _ in
            for _ in 0..<2 { _ = try await world.ask(1, isKept: false) }
            #expect(world.count == 2)
            for _ in 0..<2 { _ = try await world.ask(1, body: Array("id=2".utf8)) }
            #expect(world.count == 4, "a body says more than path and query")
            _ = try await world.ask(1, path: "/a")
            _ = try await world.ask(1, path: "/b")
            _ = try await world.ask(1, path: "/a")
            #expect(world.count == 6)
        }
    }

    @Test func whatIsKeptIsBounded() async throws {
        try await withWorld { _, other, _ in
            let world = World(other, capacity: 4000)
            for thing in 1...100 { _ = try await world.ask(Int64(thing)) }
            #expect(world.count == 100)
            _ = try await world.ask(100)
            #expect(world.count == 100, "the last one is there")
            _ = try await world.ask(1)
            #expect(world.count == 101, "the first one went")
            for number in 0..<4 { _ = try await world.ask(2, path: "/\(number)" + String(repeating: "x", count: 1000)) }
            let before = world.count
            _ = try await world.ask(2, path: "/0" + String(repeating: "x", count: 1000))
            #expect(world.count == before + 1, "what was asked for counts too")
        }
    }

    @Test func manyWhoAskAtOnceShareLooks() async throws {
        try await withWorld { world, other, _ in
            try await world.expect("first", isMade: true, "the first time")
            let before = world.looks
            let asking = Asking()
            try await other.transaction { transaction in
                // No look ends until all have asked.
                _ = try await transaction.query("LOCK TABLE changes")
                for _ in 0..<400 { asking.add { try await world.ask(1) } }
                try await eventually("all have asked") { asking.begun == 400 }
            }
            #expect(try await asking.answers() == Array(repeating: "first", count: 400))
            #expect(world.count == 1)
            // The one that waited and the next one, and those of whoever had not quite asked.
            #expect(world.looks - before <= 10)
            try await rename(1, "second", in: other)
            let later = Asking()
            for _ in 0..<400 { later.add { try await world.ask(1) } }
            #expect(try await later.answers() == Array(repeating: "second", count: 400))
        }
    }

    /// A reader that sees a change never sees what was before it again.
    @Test func writersAndReadersAtOnce() async throws {
        try await withWorld { world, other, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for thing in Int64(1)...3 {
                    group.addTask {
                        for number in 100..<160 {
                            try await rename(thing, "\(number)", in: other)
                            // Whoever wrote reads it at once.
                            #expect(try await world.ask(thing) == "\(number)")
                        }
                    }
                    group.addTask {
                        var last = "first"
                        for _ in 0..<200 {
                            let name = try await world.ask(thing)
                            #expect(last == "first" || (name != "first" && name >= last), "\(name) after \(last)")
                            last = name
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
