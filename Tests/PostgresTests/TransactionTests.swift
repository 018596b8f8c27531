// SPDX-License-Identifier: Apache-2.0
// Transactions and locks against a real server.

import Support
import Synchronization
import Testing

@testable import Postgres

@Suite struct TransactionTests {
    private func count(_ database: Database) async throws -> Int {
        var columns = try #require(try await database.query("SELECT count(*) FROM t").first).columns
        return try columns.next()
    }

    private func withTable(_ body: @Sendable (Database) async throws -> Void) async throws {
        try await withDatabase(configure: { $0.exclusive = 2 }) { database, _ in
            _ = try await database.query("CREATE TABLE t (a int8 PRIMARY KEY, b int8 NOT NULL DEFAULT 0)")
            try await body(database)
        }
    }

    @Test func commitsAndRollsBack() async throws {
        try await withTable { database in
            let done = Atomic(0)
            try await database.transaction { transaction in
                transaction.enqueue("INSERT INTO t VALUES (\(1))")
                let rows = try await transaction.query("SELECT a FROM t")
                #expect(rows.count == 1)
                transaction.enqueue("INSERT INTO t VALUES (\(2))")
                transaction.afterCommit { done.add(1, ordering: .relaxed) }
            }
            #expect(try await count(database) == 2)
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) {
                try await database.transaction { transaction in
                    transaction.afterCommit { done.add(1, ordering: .relaxed) }
                    _ = try await transaction.query("INSERT INTO t VALUES (\(3))")
                    throw Refusal()
                }
            }
            #expect(try await count(database) == 2)
            #expect(done.load(ordering: .relaxed) == 1)
        }
    }

    @Test func enqueuedFailureIsToldWithItsCause() async throws {
        try await withTable { database in
            for isQueried in [true, false] {
                do {
                    try await database.transaction { transaction in
                        transaction.enqueue("INSERT INTO t VALUES (\(1))")
                        transaction.enqueue("INSERT INTO t VALUES (\(1))")
                        if isQueried { _ = try await transaction.query("SELECT 1") }
                    }
                    Issue.record("a duplicate was accepted")
                } catch let error as PostgresError { #expect(error.isUniqueViolation && error.constraint == "t_pkey") }
            }
            #expect(try await count(database) == 0)
            // A failure that the body swallows does not commit.
            await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction in
                    transaction.enqueue("INSERT INTO t VALUES (\(1))")
                    _ = try? await transaction.query("SELECT 1 / \(0)")
                }
            }
            #expect(try await count(database) == 0)
        }
    }

    @Test(arguments: ["40001", "40P01"]) func repeatsThreeTimes(state: String) async throws {
        try await withTable { database in
            let runs = Atomic(0)
            let raise = SQL(stringLiteral: "DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '\(state)'; END $$")
            await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction in
                    runs.add(1, ordering: .relaxed)
                    transaction.enqueue(raise)
                }
            }
            #expect(runs.load(ordering: .relaxed) == 4)
            try await database.transaction { transaction in
                _ = try await transaction.query("INSERT INTO t VALUES (\(1))")
                if runs.add(1, ordering: .relaxed).newValue < 7 { _ = try await transaction.query(raise) }
            }
            #expect(try await count(database) == 1)
        }
    }

    @Test func deadlineLeavesTheConnectionUsable() async throws {
        try await withTable { database in
            for _ in 0..<4 {
                await #expect(throws: PostgresError.self) {
                    try await database.transaction(deadline: .milliseconds(100)) { transaction in
                        _ = try await transaction.query("SELECT pg_sleep(600)")
                    }
                }
            }
            try await database.transaction { _ = try await $0.query("INSERT INTO t VALUES (\(1))") }
            try await eventually { database.statistics.exclusiveInUse == 0 }
            #expect(database.statistics.reconnects == 0)
        }
    }

    @Test func cancelledTaskRollsBack() async throws {
        try await withTable { database in
            let task = Task {
                try await database.transaction { transaction in
                    transaction.enqueue("INSERT INTO t VALUES (\(1))")
                    _ = try await transaction.query("SELECT pg_sleep(600)")
                }
            }
            try await eventually { try await isSleeping(database) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await eventually { database.statistics.exclusiveInUse == 0 }
            #expect(try await count(database) == 0)
        }
    }

    @Test func commitOnALostConnectionIsUnknown() async throws {
        try await withTable { database in
            _ = try await database.query(
                """
                CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$
                """
            )
            _ = try await database.query(
                """
                CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION slow()
                """
            )
            let runs = Atomic(0)
            do {
                try await database.transaction { transaction in
                    runs.add(1, ordering: .relaxed)
                    transaction.afterCommit { Issue.record("nobody knows whether it was committed") }
                    _ = try await transaction.query("INSERT INTO t VALUES (\(1))")
                }
                Issue.record("committed")
            } catch PostgresError.commitUnknown {}
            // What may have happened is not done again.
            #expect(runs.load(ordering: .relaxed) == 1)
            try await database.transaction { _ = try await $0.query("SELECT 1") }
        }
    }

    @Test func afterTheCommitIsAfterIt() async throws {
        try await withTable { database in
            _ = try await database.query("CREATE TABLE p (id int8 PRIMARY KEY)")
            _ = try await database.query("CREATE TABLE c (p int8 REFERENCES p DEFERRABLE INITIALLY DEFERRED)")
            await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction in
                    _ = try await transaction.query("INSERT INTO c VALUES (\(1))")
                    transaction.afterCommit { Issue.record("the commit was refused") }
                }
            }
            let done = Atomic(0)
            try await database.transaction { transaction in
                transaction.afterCommit { done.add(1, ordering: .relaxed) }
                _ = try await transaction.query("INSERT INTO t VALUES (\(1))")
                #expect(done.load(ordering: .relaxed) == 0)
            }
            #expect(done.load(ordering: .relaxed) == 1)
        }
    }

    @Test func exhaustedPoolSaysSo() async throws {
        try await withDatabase(configure: {
            $0.exclusive = 1
            $0.patience = .milliseconds(100)
        }) { database, _ in
            try await database.transaction { transaction in
                _ = try await transaction.query("SELECT 1")
                do {
                    try await database.transaction { _ = try await $0.query("SELECT 1") }
                    Issue.record("one connection was lent twice")
                } catch PostgresError.poolExhausted {}
            }
            try await database.transaction { _ = try await $0.query("SELECT 1") }
        }
    }

    @Test func manyTransactionsAtOnce() async throws {
        try await withTable { database in
            _ = try await database.query("INSERT INTO t VALUES (0)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await database.transaction { transaction in
                            transaction.enqueue("UPDATE t SET b = b + \(1)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            var columns = try #require(try await database.query("SELECT b FROM t").first).columns
            #expect(try columns.next(Int.self) == 200)
        }
    }

    @Test func misuseIsAnError() async throws {
        try await withTable { database in
            let escaped = Mutex<Transaction?>(nil)
            try await database.transaction { transaction in
                escaped.withLock { $0 = transaction }
                _ = try await transaction.query("SELECT 1")
            }
            let late = try #require(escaped.withLock { $0 })
            await #expect(throws: PostgresError.self) { _ = try await late.query("SELECT 1") }
            late.enqueue("SELECT 1")
            await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction in
                    async let first = transaction.query("SELECT pg_sleep(0.1)")
                    async let second = transaction.query("SELECT pg_sleep(0.1)")
                    _ = try await (first, second)
                }
            }
            try await database.transaction { _ = try await $0.query("SELECT 1") }
        }
    }

    @Test func aLockIsHeldByOne() async throws {
        try await withTable { database in
            let inner = try await database.whileHoldingLock(7) {
                try await database.whileHoldingLock(7) { 1 } ?? 0
            }
            #expect(inner == 0)
            #expect(try await database.whileHoldingLock(7) { 2 } == 2)
        }
    }

    @Test func aLostLockCancelsItsBody() async throws {
        try await withTable { database in
            let isHeld = Atomic(false)
            let isCancelled = Atomic(false)
            let holder = Task {
                try await database.whileHoldingLock(7) {
                    isHeld.store(true, ordering: .releasing)
                    do { try await Task.sleep(for: .seconds(3600)) } catch {
                        isCancelled.store(true, ordering: .releasing)
                        throw error
                    }
                }
            }
            defer { holder.cancel() }
            try await eventually { isHeld.load(ordering: .acquiring) }
            _ = try await database.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND objid = 7
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            )
            try await eventually("the end of the lock's holder") { isCancelled.load(ordering: .acquiring) }
            do {
                _ = try await holder.value
                Issue.record("the lock outlived its connection")
            } catch PostgresError.connectionLost {}
        }
    }
}
