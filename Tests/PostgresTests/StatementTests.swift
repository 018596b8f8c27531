// SPDX-License-Identifier: Apache-2.0
// Single statements against a real server.

import Domain
import Logging
import Support
import Testing

@testable import Postgres

@Suite struct StatementTests {
    @Test func valuesRoundTrip() async throws {
        try await withDatabase { database, _ in
            func echo<V: PostgresEncodable & PostgresDecodable & Equatable>(_ value: V) async throws -> V {
                var columns = try #require(try await database.query("SELECT \(value)").first).columns
                return try columns.next()
            }
            func same<V: PostgresEncodable & PostgresDecodable & Equatable>(_ values: V...) async throws {
                for value in values { #expect(try await echo(value) == value) }
            }
            try await same(Int.min, -1, 0, 1, Int.max)
            try await same(Int32.min, Int32.max)
            try await same(Int64.min, Int64.max)
            try await same(true, false)
            try await same(0.0, -1.5, Double.greatestFiniteMagnitude, Double.infinity)
            try await same("", "마당 🏡", "'; DROP TABLE x; --", String(repeating: "x", count: 3_000_000))
            try await same([UInt8](), [0, 255], Array(0...255))
            try await same([Int64](), [.min, .max], Array(0..<5000))
            try await same([String](), ["", "a,b", "\"{}\""])
            try await same([[UInt8]](), [[], [0]])
            try await same([true, false], [])
            try await same(Timestamp(milliseconds: 0), Timestamp(milliseconds: -1), .now())
            try await same(PostID(.max), PostID(0))
            let json = JSONB(Array(#"{"a": 1}"#.utf8))
            var columns = try #require(try await database.query("SELECT \(json)").first).columns
            #expect(try columns.next(JSONB.self).json == json.json)
        }
    }

    /// However small a table is: its plan is still there when the table has grown.
    @Test func whatIsPlannedOnceWalksIndexes() async throws {
        try await withDatabase(configure: { $0.plansOnce = true }) { database, configuration in
            let statement = "EXPLAIN SELECT FROM small WHERE id = 1"
            let once = try await Session.run(configuration) { session in
                try session.execute("CREATE TABLE small (id bigint PRIMARY KEY)")
                try session.execute("VACUUM small")
                return try session.rows(statement).compactMap(\.first).compactMap(\.self)
            }
            #expect(
                once.contains { $0.contains("Seq Scan") },
                "what runs once is planned for its table as it is: \(once)"
            )
            let kept: [String] = try await database.query(SQL(stringLiteral: statement)).all { try $0.next() }
            #expect(kept.contains { $0.contains("Index Only Scan") }, "\(kept)")
        }
    }

    @Test func partsKeepTheirValues() {
        let inner: SQL = "b = \(2) OR b = \("x")"
        let part: SQL = "(\(inner)) AND c = \(3)"
        let many = (4...12).reduce(part) { "\($0) AND d = \($1)" }
        let whole: SQL = "a = \(1) AND \(many) AND \(inner) AND e = '$'"
        #expect(
            whole.text == """
                a = $1 AND (b = $2 OR b = $3) AND c = $4 AND d = $5 AND d = $6 AND d = $7 AND d = $8 AND d = $9 AND \
                d = $10 AND d = $11 AND d = $12 AND d = $13 AND b = $14 OR b = $15 AND e = '$'
                """
        )
        let values = [Bind(1), Bind(2), Bind("x"), Bind(3)] + (4...12).map { Bind($0) } + [Bind(2), Bind("x")]
        #expect(whole.binds.map(\.bytes) == values.map(\.bytes))
    }

    @Test func nullIsNilAndNothingElse() async throws {
        try await withDatabase { database, _ in
            let none: String? = nil
            let row = try #require(try await database.query("SELECT \(none), \(none), 7::int2").first)
            var columns = row.columns
            let first: String? = try columns.next()
            #expect(first == nil)
            #expect(throws: PostgresError.self) { _ = try columns.next(String.self) }
            let seven: Int = try columns.next()
            #expect(seven == 7)
            #expect(throws: PostgresError.self) { _ = try columns.next(Int.self) }
        }
    }

    @Test func decodingNamesStatementAndColumn() async throws {
        try await withDatabase { database, _ in
            var columns = try #require(try await database.query("SELECT 'text', ARRAY[1, NULL]::int8[]").first).columns
            do {
                _ = try columns.next(Int.self)
                Issue.record("a text was read as a number")
            } catch PostgresError.decoding(let statement, let column, _) {
                #expect(statement.hasPrefix("SELECT 'text'") && column == 1)
            }
            #expect(throws: PostgresError.self) { _ = try columns.next([Int64].self) }
        }
    }

    @Test func interpolationIsNeverText() {
        let evil = "x'; DROP TABLE posts; --"
        let sql: SQL = "SELECT \(evil), \(1)"
        #expect(sql.text == "SELECT $1, $2")
        #expect(sql.binds.count == 2)
    }

    @Test func badTextIsRefusedByTheServer() async throws {
        try await withDatabase { database, _ in
            do {
                _ = try await database.query("SELECT \("a\0b")")
                Issue.record("a NUL was accepted")
            } catch let error as PostgresError { #expect(error.isInvalidText) }
            do {
                _ = try await database.query("SELECT \(Timestamp(milliseconds: .max))")
                Issue.record("a time out of range was accepted")
            } catch let error as PostgresError { #expect(error.sqlState == "22008") }
            #expect(try await database.query("SELECT 1").count == 1)
        }
    }

    @Test func failuresLeaveNeighboursAlone() async throws {
        try await withDatabase(configure: { $0.pipelined = 1 }) { database, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        if index % 3 == 0 {
                            await #expect(throws: PostgresError.self) { _ = try await database.query("SELECT nothing") }
                        } else if index % 3 == 1 {
                            await #expect(throws: PostgresError.self) {
                                _ = try await database.query("SELECT 1 / \(0)")
                            }
                        } else {
                            var columns = try #require(try await database.query("SELECT \(index)").first).columns
                            #expect(try columns.next(Int.self) == index)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func whoRunsOutOfTimeLeavesNeighboursAlone() async throws {
        try await withDatabase(configure: { $0.pipelined = 1 }) { database, _ in
            #expect(try await database.query("SELECT 1").count == 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for round in 0..<40 {
                            if lane < 4 {
                                let hasty = database.bounded(until: .now + .milliseconds(2 + (lane + round) % 7))
                                let error = await #expect(throws: PostgresError.self) {
                                    _ = try await hasty.query("SELECT pg_sleep(600)")
                                }
                                guard case .deadlineExceeded = error else {
                                    Issue.record("\(String(describing: error))")
                                    continue
                                }
                            } else {
                                let rows = try await database.query("SELECT pg_sleep(0.002)")
                                #expect(rows.count == 1)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func deferredConstraintFailsTheStatement() async throws {
        try await withDatabase { database, _ in
            _ = try await database.query("CREATE TABLE p (id int8 PRIMARY KEY)")
            _ = try await database.query(
                "CREATE TABLE c (p int8 CONSTRAINT known REFERENCES p DEFERRABLE INITIALLY DEFERRED)"
            )
            do {
                _ = try await database.query("INSERT INTO c VALUES (\(1))")
                Issue.record("an orphan was accepted")
            } catch let error as PostgresError { #expect(error.constraint == "known") }
            #expect(try await database.query("SELECT 1").count == 1)
        }
    }

    @Test func changedColumnsArePreparedAnew() async throws {
        try await withDatabase(configure: { $0.pipelined = 1 }) { database, _ in
            _ = try await database.query("CREATE TABLE t (a int8)")
            _ = try await database.query("INSERT INTO t VALUES (1)")
            _ = try await database.query("SELECT * FROM t")
            _ = try await database.query("ALTER TABLE t ADD COLUMN b int8")
            #expect(try await database.query("SELECT * FROM t").count == 1)
            _ = try await database.query("DEALLOCATE ALL")
            #expect(try await database.query("SELECT * FROM t").count == 1)
        }
    }

    /// Whoever asks has the turn, or leaves the question to who has it: nobody gets another's answer, and nobody none.
    @Test func answersGoToWhoeverAsked() async throws {
        try await withDatabase { database, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for asker in 0..<100 {
                    group.addTask {
                        for question in 0..<50 {
                            let number = asker * 1000 + question
                            let answer = try await database.query("SELECT \(number)", deadline: .seconds(300))
                                .one { try $0.next(Int.self) }
                            #expect(answer == number)
                        }
                    }
                    group.addTask {
                        // Gone before there is an answer, or just then.
                        let task = Task { try await database.query("SELECT \(asker)", deadline: .seconds(300)) }
                        task.cancel()
                        do { _ = try await task.value } catch is CancellationError {}
                    }
                }
                try await group.waitForAll()
            }
            #expect(database.statistics.reconnects == 0)
        }
    }

    @Test func deadlineCancelsTheStatement() async throws {
        try await withDatabase(configure: { $0.pipelined = 1 }) { database, _ in
            await #expect(throws: PostgresError.self) {
                _ = try await database.query("SELECT pg_sleep(600)", deadline: .milliseconds(100))
            }
            let rows = try await database.query("SELECT 1", deadline: .seconds(300))
            #expect(rows.count == 1)
            #expect(database.statistics.reconnects == 0)
        }
    }

    @Test func cancelledTaskStopsWaiting() async throws {
        try await withDatabase(configure: { $0.pipelined = 1 }) { database, _ in
            let sleeper = Task { try await database.query("SELECT pg_sleep(600)", deadline: .seconds(600)) }
            try await eventually { try await isSleeping(database) }
            sleeper.cancel()
            await #expect(throws: CancellationError.self) { _ = try await sleeper.value }
            let rows = try await database.query("SELECT 1", deadline: .seconds(300))
            #expect(rows.count == 1)
        }
    }

    @Test func lostConnectionsComeBack() async throws {
        try await withDatabase { database, _ in
            _ = try await database.query("SELECT 1")
            await #expect(throws: PostgresError.self) {
                _ = try await database.query("SELECT pg_terminate_backend(pg_backend_pid())")
            }
            try await eventually { (try? await database.query("SELECT 1").count) == 1 }
            try await eventually { database.statistics.reconnects >= 1 }
        }
    }

    @Test func closingAnswersEverybody() async throws {
        try await withDatabase { database, configuration in
            let other = Database(configuration, logger: Logger(label: "test"))
            let running = Task { try await other.run() }
            _ = try await other.query("SELECT 1")
            let sleepers = (0..<20).map { _ in Task { try await other.query("SELECT pg_sleep(600)") } }
            try await eventually { try await isSleeping(database) }
            running.cancel()
            for sleeper in sleepers { await #expect(throws: PostgresError.self) { _ = try await sleeper.value } }
            try await running.value
            await #expect(throws: PostgresError.self) { _ = try await other.query("SELECT 1") }
        }
    }
}

/// Whether the server is at work on a `pg_sleep` in this database.
func isSleeping(_ database: Database) async throws -> Bool {
    let rows = try await database.transaction { transaction in
        try await transaction.query(
            """
            SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND wait_event = 'PgSleep'
            """
        )
    }
    return !rows.isEmpty
}
