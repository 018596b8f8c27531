// SPDX-License-Identifier: Apache-2.0
// Commands that share transactions.

internal import DequeModule
internal import Domain
internal import Synchronization
internal import Threads

/// Runs commands of one kind together: what comes while a transaction is under way goes into the next one, so that each costs
/// less the more there are, and a command that nobody is before begins at once.
///
/// Each command has a key, of what commands of its kind lock. Those of one key take one lane, in which one transaction is under way at
/// a time: they wait for each other here, without holding a connection, and not in the database.
package final class CommandLanes<Command: Sendable, Outcome: Sendable>: Sendable {
    /// Runs commands in a transaction, in the order in which they came.
    ///
    /// - Returns: what became of each.
    package typealias Run = @Sendable ([Command], Transaction) async throws -> [Outcome]

    private struct Waiting {
        let number: UInt64
        let command: Command
        let continuation: CheckedContinuation<Outcome, any Error>
    }

    /// What waits in it.
    private typealias Lane = Deque<Waiting>

    private struct State {
        /// Those that are taken, by their numbers.
        var lanes: [Int64: Lane] = [:]
        var last: UInt64 = 0
    }

    private let number: Int?
    private let most: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - number: of lanes, which keys share; nil where each key has its own, so that no transaction is of two keys.
    ///   - most: commands of one transaction.
    package init(_ number: Int? = 4, most: Int = 64) {
        self.number = number
        self.most = max(1, most)
    }

    /// Runs a command with others; its transaction is committed by then.
    ///
    /// One that fails harms no other: when a transaction of several fails, each is run in one of its own. A cancelled task takes its
    /// command back as long as that waits.
    ///
    /// - Parameter run: the same for all commands.
    package func run(
        _ command: Command,
        key: Int64,
        in database: Database,
        _ run: @escaping Run
    ) async throws -> Outcome {
        let lane = lane(of: key)
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiting = Waiting(number: number, command: command, continuation: continuation)
                let isFirst = state.withLock { state in
                    let isFirst = state.lanes[lane] == nil
                    state.lanes[lane, default: []].append(waiting)
                    return isFirst
                }
                // Cancelled before it waited, nobody has taken it back.
                if Task.isCancelled { takeBack(number, from: lane) }
                // Of nobody's task in particular: others depend on it.
                if isFirst {
                    Task.detached(executorPreference: PreferredExecutor.current) {
                        await self.empty(lane, in: database, run)
                    }
                }
            }
        } onCancel: {
            takeBack(number, from: lane)
        }
    }

    private func lane(of key: Int64) -> Int64 {
        guard let number else { return key }
        return Int64(Domain.lane(of: key, among: number))
    }

    /// Commands that wait for the transaction before theirs.
    package var waiting: Int { state.withLock { $0.lanes.values.reduce(0) { $0 + $1.count } } }

    private func takeBack(_ number: UInt64, from lane: Int64) {
        let waiting = state.withLock { state -> Waiting? in
            guard let index = state.lanes[lane]?.firstIndex(where: { $0.number == number }) else { return nil }
            return state.lanes[lane]?.remove(at: index)
        }
        waiting?.continuation.resume(throwing: CancellationError())
    }

    /// Runs what waits in a lane until nothing does.
    private func empty(_ lane: Int64, in database: Database, _ run: @escaping Run) async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.lanes[lane, default: []].prefix(most))
                state.lanes[lane]?.removeFirst(batch.count)
                if batch.isEmpty { state.lanes[lane] = nil }
                return batch
            }
            if batch.isEmpty { return }
            await self.run(batch, in: database, run)
        }
    }

    private func run(_ batch: [Waiting], in database: Database, _ run: @escaping Run) async {
        do {
            let outcomes = try await database.transaction { transaction in
                let outcomes = try await run(batch.map(\.command), transaction)
                // Once it is committed nothing may be run again.
                guard outcomes.count == batch.count else {
                    throw PostgresError.misuse("\(outcomes.count) outcomes of \(batch.count) commands")
                }
                return outcomes
            }
            for (waiting, outcome) in zip(batch, outcomes) { waiting.continuation.resume(returning: outcome) }
        } catch {
            // A database that is away is away for each of them, and a commit that is unknown may have happened.
            guard batch.count > 1, (error as? PostgresError)?.kind != .away else {
                for waiting in batch { waiting.continuation.resume(throwing: error) }
                return
            }
            await withDiscardingTaskGroup { group in
                for waiting in batch { group.addTask { await self.run([waiting], in: database, run) } }
            }
        }
    }
}
