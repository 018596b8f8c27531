// SPDX-License-Identifier: Apache-2.0
// What a thread that waits for other things does for tasks in between.

internal import Synchronization

/// The jobs of tasks that prefer one thread, which takes them between its waits. Once it is closed they run in the cooperative pool.
public final class JobQueue: Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        /// Whether the thread waits, or is about to, and looks at nothing until it is rung for.
        var isAsleep = false
        var isClosed = false
    }

    private let state = Mutex(State())

    public init() {}

    /// - Returns: whether the thread must be rung for.
    public func add(_ job: consuming ExecutorJob) -> Bool {
        let job = UnownedJob(job)
        let (isTaken, mustRing) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if !isTaken { globalConcurrentExecutor.enqueue(job) }
        return mustRing
    }

    /// Called by the thread before it waits. False when there are jobs to run instead.
    public func fallAsleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.jobs.isEmpty
            return state.isAsleep
        }
    }

    /// Runs the jobs that are there, and what follows from them, but not for ever: the thread has others to look after. Called by
    /// the thread.
    public func run(on executor: UnownedTaskExecutor) {
        for _ in 0..<JobQueue.rounds {
            let jobs = state.withLock { state in
                state.isAsleep = false
                defer { state.jobs = [] }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: executor) }
        }
    }

    private static let rounds = 16

    /// Called by the thread when it ends.
    public func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in left { globalConcurrentExecutor.enqueue(job) }
    }
}
