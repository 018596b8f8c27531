// SPDX-License-Identifier: Apache-2.0
// Commands that share transactions.

internal import DequeModule
internal import Synchronization
internal import Threads

/// Runs commands of one kind together: what comes while a transaction is under way goes into the next one, so that each costs
/// less the more there are. A command that nobody is before begins at once, with those that are ready beside it.
///
/// In a lane one transaction is under way at a time: its commands wait for each other here, without holding a connection, and not in the
/// database. Whoever comes while a transaction takes long begins the next beside it: what one waits for need not hold up the others.
/// Commands that must not share a transaction have keys, and each key a lane.
public final class CommandLanes<Command: Sendable, Outcome: Sendable>: Sendable {
    /// Runs commands in a transaction, in the order in which they came.
    ///
    /// - Returns: what became of each.
    public typealias Run = @Sendable ([Command], Transaction) async throws -> [Outcome]

    private struct Waiting {
        let number: UInt64
        let command: Command
        let continuation: CheckedContinuation<Outcome, any Error>
    }

    private struct Lane {
        var waiting: Deque<Waiting> = []
        /// Transactions under way, and when the last of them began.
        var transactions = 0
        var began: Nanoseconds = 0

        /// Whether another transaction begins for those that wait.
        mutating func begins(at now: Nanoseconds, after patience: Nanoseconds) -> Bool {
            let isSlow = transactions < CommandLanes.mostTransactions && now > began && now - began > patience
            guard transactions == 0 || isSlow else { return false }
            transactions += 1
            began = now
            return true
        }

        /// The commands of the next transaction; none when it is not needed.
        mutating func take(_ most: Int, at now: Nanoseconds) -> [Waiting] {
            let batch = Array(waiting.prefix(most))
            waiting.removeFirst(batch.count)
            if batch.isEmpty { transactions -= 1 } else { began = now }
            return batch
        }
    }

    private struct State {
        /// Those that are taken, by the keys of their commands.
        var lanes: [Int64: Lane] = [:]
        var last: UInt64 = 0
    }

    private static var mostTransactions: Int { 4 }

    private let most: Int
    private let patience: Nanoseconds
    private let state = Mutex(State())

    /// - Parameters:
    ///   - most: commands of one transaction.
    ///   - patience: for how long those of a lane wait for a transaction; nil where the next could only wait for the same.
    public init(most: Int = 64, patience: Duration? = .milliseconds(250)) {
        self.most = max(1, most)
        self.patience = patience?.nanoseconds ?? .max
    }

    /// Runs a command with others; its transaction is committed by then.
    ///
    /// One that fails harms no other: when a transaction of several fails, each is run in one of its own. A cancelled task takes its
    /// command back as long as that waits.
    ///
    /// - Parameters:
    ///   - key: of the lane.
    ///   - run: the same for all commands.
    public func run(
        _ command: Command,
        key lane: Int64 = 0,
        in database: Database,
        _ run: @escaping Run
    ) async throws -> Outcome {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiting = Waiting(number: number, command: command, continuation: continuation)
                let now = monotonicNow()
                let begins = state.withLock { state in
                    state.lanes[lane, default: Lane()].waiting.append(waiting)
                    return state.lanes[lane, default: Lane()].begins(at: now, after: patience)
                }
                // Cancelled before it waited, nobody has taken it back.
                if Task.isCancelled { takeBack(number, from: lane) }
                if begins { begin(lane, in: database, run) }
            }
        } onCancel: {
            takeBack(number, from: lane)
        }
    }

    /// Commands that wait for the transaction before theirs.
    public var waiting: Int { state.withLock { $0.lanes.values.reduce(0) { $0 + $1.waiting.count } } }

    private func takeBack(_ number: UInt64, from lane: Int64) {
        let waiting = state.withLock { state -> Waiting? in
            guard let index = state.lanes[lane]?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.lanes[lane]?.waiting.remove(at: index)
        }
        waiting?.continuation.resume(throwing: CancellationError())
    }

    /// Of nobody's task in particular, since others depend on it; behind what is ready where the command comes from, which may be
    /// commands too.
    private func begin(_ lane: Int64, in database: Database, _ run: @escaping Run) {
        Task.detached(executorPreference: PreferredExecutor.current ?? database.tasks) {
            await withTaskExecutorPreference(database.tasks) { await self.empty(lane, in: database, run) }
        }
    }

    /// Runs what waits in a lane until nothing does.
    private func empty(_ lane: Int64, in database: Database, _ run: @escaping Run) async {
        while true {
            let now = monotonicNow()
            let batch = state.withLock { state in
                let batch = state.lanes[lane, default: Lane()].take(most, at: now)
                if state.lanes[lane]?.transactions == 0 { state.lanes[lane] = nil }
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
