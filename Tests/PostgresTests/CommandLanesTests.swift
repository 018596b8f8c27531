// SPDX-License-Identifier: Apache-2.0
// Commands that share transactions, against a real server.

import Dispatch
import Support
import Synchronization
import Testing
import Threads

@testable import Postgres

@Suite struct CommandLanesTests {
    private struct Refusal: Error {}

    /// Inserts numbers; what it was asked to insert together is kept.
    private final class Inserting: Sendable {
        let lanes: CommandLanes<Int64, Int64>
        let batches = Mutex<[[Int64]]>([])
        /// Transactions end when it is opened.
        let gate = Atomic(false)

        init(patience: Duration? = nil) { lanes = CommandLanes(most: 4, patience: patience) }

        func insert(_ number: Int64, key: Int64 = 0, in database: Database) async throws -> Int64 {
            try await lanes.run(number, key: key, in: database) { [self] numbers, transaction in
                batches.withLock { $0.append(numbers) }
                for number in numbers { transaction.enqueue("INSERT INTO t VALUES (\(number))") }
                _ = try await transaction.query("SELECT 1")
                try await eventually("the gate is open") { gate.load(ordering: .acquiring) }
                return numbers.map { $0 * 10 }
            }
        }

        func open() { gate.store(true, ordering: .releasing) }

        func wait(for batches: Int, waiting: Int) async throws {
            try await eventually("\(batches) have begun, \(waiting) wait") {
                self.batches.withLock(\.count) == batches && lanes.waiting == waiting
            }
        }
    }

    private func run(_ body: @Sendable (Inserting, Database) async throws -> Void) async throws {
        try await withDatabase(configure: { $0.exclusive = 4 }) { database, _ in
            _ = try await database.query("CREATE TABLE t (a int8 PRIMARY KEY CHECK (a < 100))")
            try await body(Inserting(), database)
        }
    }

    private func outcome(_ body: () async throws -> Int64) async -> Result<Int64, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    private func values(_ database: Database) async throws -> [Int64] {
        try await database.query("SELECT a FROM t ORDER BY a").all { try $0.next() }
    }

    @Test func whatComesMeanwhileGoesTogether() async throws {
        try await run { inserting, database in
            try await withThrowingTaskGroup(of: Int64.self) { group in
                group.addTask { try await inserting.insert(1, in: database) }
                try await inserting.wait(for: 1, waiting: 0)
                for number in 2...7 as ClosedRange<Int64> {
                    group.addTask { try await inserting.insert(number, in: database) }
                    try await inserting.wait(for: 1, waiting: Int(number) - 1)
                }
                inserting.open()
                var outcomes: Set<Int64> = []
                for try await outcome in group { outcomes.insert(outcome) }
                #expect(outcomes == Set((1...7).map { $0 * 10 }))
            }
            // No more than four at a time.
            #expect(inserting.batches.withLock(\.self) == [[1], [2, 3, 4, 5], [6, 7]])
            #expect(try await values(database) == Array(1...7))
        }
    }

    /// One thread, as an event loop is.
    private final class OneThread: TaskExecutor {
        private let queue = DispatchQueue(label: "one thread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func thoseThatAreReadyOnOneThreadGoTogether() async throws {
        try await run { inserting, database in
            inserting.open()
            try await PreferredExecutor.with(OneThread()) {
                try await withThrowingTaskGroup(of: Int64.self) { group in
                    for number in 1...4 as ClosedRange<Int64> {
                        group.addTask { try await inserting.insert(number, in: database) }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(inserting.batches.withLock(\.self) == [[1, 2, 3, 4]])
        }
    }

    @Test func anotherKeyDoesNotWait() async throws {
        try await run { inserting, database in
            async let first = inserting.insert(1, key: 0, in: database)
            async let second = inserting.insert(2, key: 1, in: database)
            try await inserting.wait(for: 2, waiting: 0)
            inserting.open()
            #expect(try await [first, second] == [10, 20])
        }
    }

    @Test func whoHasWaitedLongBeginsBesideWhatIsUnderWay() async throws {
        try await run { _, database in
            let inserting = Inserting(patience: .zero)
            try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 1...4 as ClosedRange<Int64> {
                    group.addTask { try await inserting.insert(number, in: database) }
                    try await inserting.wait(for: Int(number), waiting: 0)
                }
                // No more than four transactions.
                group.addTask { try await inserting.insert(5, in: database) }
                try await inserting.wait(for: 4, waiting: 1)
                inserting.open()
                try await group.waitForAll()
            }
            #expect(inserting.batches.withLock(\.self) == [[1], [2], [3], [4], [5]])
            #expect(try await values(database) == Array(1...5))
        }
    }

    @Test func oneThatFailsHarmsNoOther() async throws {
        try await run { inserting, database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (waiting, number) in [1, 2, 200, 3].enumerated() as EnumeratedSequence<[Int64]> {
                    group.addTask {
                        let outcome = await outcome { try await inserting.insert(number, in: database) }
                        switch outcome {
                        case .success(let answer): #expect(answer == number * 10 && number < 100)
                        case .failure(let error):
                            #expect((error as? PostgresError)?.sqlState == "23514" && number == 200)
                        }
                    }
                    try await inserting.wait(for: 1, waiting: waiting)
                }
                inserting.open()
                try await group.waitForAll()
            }
            #expect(try await values(database) == [1, 2, 3])
        }
    }

    @Test func whoIsCancelledTakesTheirCommandBack() async throws {
        try await run { inserting, database in
            async let first = inserting.insert(1, in: database)
            try await inserting.wait(for: 1, waiting: 0)
            let cancelled = Task { try await inserting.insert(2, in: database) }
            try await inserting.wait(for: 1, waiting: 1)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(inserting.lanes.waiting == 0)
            let late = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await inserting.insert(3, in: database)
            }
            await #expect(throws: CancellationError.self) { try await late.value }
            inserting.open()
            #expect(try await first == 10)
            #expect(try await values(database) == [1])
        }
    }

    /// Loses its connection at every commit.
    private final class Losing: Sendable {
        let lanes = CommandLanes<Int, Int>(patience: nil)
        let begun = Atomic(0)
        let gate = Atomic(false)

        func ask(_ number: Int, in database: Database) async throws -> Int {
            try await lanes.run(number, key: 0, in: database) { [self] _, _ in
                begun.add(1, ordering: .relaxed)
                try await eventually("the gate is open") { gate.load(ordering: .acquiring) }
                throw PostgresError.commitUnknown
            }
        }
    }

    @Test func whatMayHaveHappenedIsNotRunAgain() async throws {
        try await run { _, database in
            let losing = Losing()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        await #expect(throws: PostgresError.self) { try await losing.ask(number, in: database) }
                    }
                    try await eventually("the first has begun, the others wait") {
                        losing.begun.load(ordering: .relaxed) == 1 && losing.lanes.waiting == number
                    }
                }
                losing.gate.store(true, ordering: .releasing)
                try await group.waitForAll()
            }
            #expect(losing.begun.load(ordering: .relaxed) == 2)
        }
    }
}
