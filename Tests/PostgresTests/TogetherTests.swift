// SPDX-License-Identifier: Apache-2.0
// Statements that travel together, what a transaction writes last, and notifications, against a real server.

import Support
import Synchronization
import Testing

@testable import Postgres

@Suite struct TogetherTests {
    private struct Refusal: Error {}

    private final class Ending: TransactionEnding {
        let values: Mutex<[Int64]> = Mutex([])
        let written = Mutex<[[Int64]]>([])
        let isUndone = Atomic(false)

        func statements() -> [SQL] {
            values.withLock { $0 }.map { "INSERT INTO t VALUES (\($0)) RETURNING a" }
        }

        func committed(_ rows: [Rows]) {
            let read = rows.compactMap { rows in try? rows.all { try $0.next(Int64.self) } }
            written.withLock { $0 = read }
        }

        func undone() { isUndone.store(true, ordering: .relaxed) }
    }

    private func withTable(_ body: @Sendable (Database) async throws -> Void) async throws {
        try await withDatabase(configure: { $0.exclusive = 2 }) { database, _ in
            _ = try await database.query("CREATE TABLE t (a int8 PRIMARY KEY)")
            try await body(database)
        }
    }

    private func values(_ database: some Querying) async throws -> [Int64] {
        try await database.query("SELECT a FROM t ORDER BY a").all { try $0.next(Int64.self) }
    }

    @Sendable private static func insert(_ value: Int64, in database: some Querying) async throws -> Int {
        try await database.query("INSERT INTO t VALUES (\(value))").affected
    }

    @Test func whatWasAskedIsAnsweredByWhateverGoesNext() async throws {
        try await withTable { database in
            let asked = try await database.transaction { transaction in
                let first = transaction.ask("INSERT INTO t VALUES (\(1)) RETURNING a")
                transaction.enqueue("INSERT INTO t VALUES (\(2))")
                let second = transaction.ask("SELECT a FROM t ORDER BY a")
                let third = try await transaction.query("INSERT INTO t VALUES (\(3)) RETURNING a")
                let alone = transaction.ask("SELECT count(*) FROM t")
                transaction.enqueue("INSERT INTO t VALUES (\(4))")
                // Together with the transaction's end.
                _ = transaction.ask("INSERT INTO t VALUES (\(5)) RETURNING a")
                return [
                    try await transaction.answer(to: alone), try await transaction.answer(to: first),
                    try await transaction.answer(to: second), third,
                ]
            }
            let values = try asked.map { try $0.all { try $0.next(Int64.self) } }
            #expect(values == [[3], [1], [1, 2], [3]])
            #expect(try await self.values(database) == [1, 2, 3, 4, 5])
        }
    }

    @Test func whatWasAskedLastIsSentWhenItsAnswerIsWanted() async throws {
        try await withTable { database in
            let rows = try await database.transaction { transaction in
                transaction.enqueue("INSERT INTO t VALUES (\(1))")
                let question = transaction.ask("SELECT a FROM t")
                return [try await transaction.answer(to: question), try await transaction.answer(to: question)]
            }
            #expect(try rows.map { try $0.all { try $0.next(Int64.self) } } == [[1], [1]])
        }
    }

    @Test func aQuestionOfAnotherTransactionHasNoAnswerHere() async throws {
        try await withTable { database in
            let other = try await database.transaction { $0.ask("SELECT 1") }
            let rows = try await database.transaction { transaction in
                // Sent with the commit, it is answered for whoever asks now.
                try await transaction.answer(to: other).count
            }
            #expect(rows == 1)
            await #expect(throws: PostgresError.self) {
                try await database.transaction { first in
                    let question = first.ask("SELECT 1")
                    try await database.transaction { second in
                        second.enqueue("INSERT INTO t VALUES (\(1))")
                        _ = try await second.answer(to: question)
                    }
                }
            }
            let left = try await self.values(database)
            #expect(left.isEmpty)
        }
    }

    @Test func aQuestionThatFailsUndoesTheTransaction() async throws {
        try await withTable { database in
            for isWanted in [true, false] {
                await #expect(throws: PostgresError.self) {
                    try await database.transaction { transaction in
                        transaction.enqueue("INSERT INTO t VALUES (\(1))")
                        let question = transaction.ask("INSERT INTO t VALUES (\(1)) RETURNING a")
                        if isWanted { _ = try await transaction.answer(to: question) }
                    }
                }
            }
            let left = try await self.values(database)
            #expect(left.isEmpty)
        }
    }

    @Test func eachSeesWhatThoseBeforeItDid() async throws {
        try await withTable { database in
            let (inserted, seen, again) = try await database.transaction { transaction in
                transaction.enqueue("INSERT INTO t VALUES (\(1))")
                return try await transaction.together(
                    { try await Self.insert(2, in: $0) },
                    { try await $0.query("SELECT a FROM t ORDER BY a").all { try $0.next(Int64.self) } },
                    { try await Self.insert(3, in: $0) }
                )
            }
            #expect(inserted == 1 && seen == [1, 2] && again == 1)
            let stored = try await values(database)
            #expect(stored == [1, 2, 3])
        }
    }

    @Test func whoHasNoStatementOrTwoHoldsNobodyUp() async throws {
        try await withTable { database in
            let (none, two) = try await database.transaction { transaction in
                try await transaction.together(
                    { _ in 7 },
                    {
                        let first = try await Self.insert(1, in: $0)
                        return first + (try await Self.insert(2, in: $0))
                    }
                )
            }
            #expect(none == 7 && two == 2)
            await #expect(throws: Refusal.self) {
                try await database.transaction { transaction in
                    try await transaction.together(
                        { _ in throw Refusal() },
                        { try await Self.insert(3, in: $0) }
                    )
                }
            }
            let stored = try await values(database)
            #expect(stored == [1, 2])
        }
    }

    @Test func theFailureOfOneIsEverybodys() async throws {
        try await withTable { database in
            await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction in
                    try await transaction.together(
                        { try await Self.insert(1, in: $0) },
                        { try await Self.insert(1, in: $0) }
                    )
                }
            }
            let left = try await values(database)
            #expect(left == [])
        }
    }

    @Test func anEndingIsWrittenWithTheCommitAndToldOfItsRows() async throws {
        try await withTable { database in
            let ending = Ending()
            try await database.transaction { transaction in
                transaction.ending { ending }.values.withLock { $0 = [1] }
                // The same ending, whoever asks.
                transaction.ending { Ending() }.values.withLock { $0.append(2) }
                let before = try await values(transaction)
                #expect(before == [])
            }
            let stored = try await values(database)
            #expect(stored == [1, 2])
            let (written, isUndone) = (ending.written.withLock { $0 }, ending.isUndone.load(ordering: .relaxed))
            #expect(written == [[1], [2]] && !isUndone)
        }
    }

    @Test func anEndingThatCannotBeWrittenUndoesItsTransaction() async throws {
        try await withTable { database in
            let ending = Ending()
            await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction in
                    _ = try await Self.insert(1, in: transaction)
                    transaction.ending { ending }.values.withLock { $0 = [2, 1] }
                }
            }
            let left = try await values(database)
            #expect(left == [])
            let (written, isUndone) = (ending.written.withLock { $0 }, ending.isUndone.load(ordering: .relaxed))
            #expect(written == [] && isUndone)
        }
    }

    @Test func whoHoldsALockHearsOfNotifications() async throws {
        try await withTable { database in
            let (calls, tell) = AsyncStream<Void>.makeStream()
            let heard = try await database.whileHoldingLock(7, hearing: "a matter", { tell.yield() }) {
                try await database.notify("another")
                try await database.notify("a matter")
                var calls = calls.makeAsyncIterator()
                return await calls.next() != nil
            }
            #expect(heard == true)
        }
    }
}
