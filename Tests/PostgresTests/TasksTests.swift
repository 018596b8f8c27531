// SPDX-License-Identifier: Apache-2.0
// Tasks on the thread that waits for the server.

import Logging
import Support
import Testing

@testable import Postgres

@Suite struct TasksTests {
    @Test func whatIsAskedForIsAnsweredWhereItWasAskedFor() async throws {
        try await withDatabase { database, _ in
            let names = try await withTaskExecutorPreference(database.tasks) {
                var names = [threadName()]
                for _ in 0..<3 {
                    let inside = try await database.transaction { transaction in
                        _ = try await transaction.query("SELECT 1")
                        return threadName()
                    }
                    names += [inside, threadName()]
                }
                async let child = threadName()
                await names.append(child)
                return names
            }
            #expect(names == Array(repeating: "postgres", count: 8))
        }
    }

    @Test func lanesOfCommandsRunWhereTheirAnswersAreRead() async throws {
        try await withDatabase { database, _ in
            let lanes = CommandLanes<Int, String>()
            let name = try await lanes.run(7, in: database) { commands, transaction in
                _ = try await transaction.query("SELECT 1")
                return commands.map { _ in threadName() }
            }
            #expect(name == "postgres")
        }
    }

    @Test func manyTasksFromElsewhereAllRun() async throws {
        try await withDatabase { database, _ in
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<500 {
                    group.addTask(executorPreference: database.tasks) {
                        await Task.yield()
                        let row = try #require(try await database.query("SELECT \(number)::int8").first)
                        var columns = row.columns
                        return try columns.next()
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 124_750)
        }
    }

    @Test func whoPrefersAThreadThatHasEndedRunsInThePool() async throws {
        try await withDatabase { _, configuration in
            let database = Database(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let tasks = database.tasks
            _ = try await database.query("SELECT 1")
            // It begins on the thread, and is on it still when that is told to end.
            let name = try await withTaskExecutorPreference(tasks) {
                database.thread.tell(.close(immediately: true))
                await database.thread.waitUntilClosed()
                await Task.yield()
                return threadName()
            }
            #expect(name != "postgres")
            #expect(await withTaskExecutorPreference(tasks) { threadName() } != "postgres")
        }
    }
}
