// SPDX-License-Identifier: Apache-2.0
// A transaction under way, as the task that runs it sees it.

internal import Logging
internal import Synchronization

/// A transaction under way: only the task that was given it may use it, one statement after another.
package struct Transaction: Sendable {
    let scope: TransactionScope

    package func query(_ sql: SQL) async throws -> Rows { try await scope.query(sql) }

    /// Runs a statement whose rows nobody needs; its failure may only be told at the next `query` or at the commit,
    /// so that it travels together with them.
    package func enqueue(_ sql: SQL) { scope.enqueue(sql) }

    /// Runs `action` after the commit succeeded.
    package func afterCommit(_ action: @escaping @Sendable () -> Void) { scope.afterCommit(action) }
}

/// One attempt at a transaction: what was enqueued, whether it may go on.
final class TransactionScope: Sendable {
    private enum Phase {
        case open
        case busy
        case failed(any Error)
        case ended
    }

    private struct State {
        var phase = Phase.open
        var queued: [SQL] = []
        var actions: [@Sendable () -> Void] = []
        var hasSent = false
    }

    private let thread: ConnectionThread
    private let lease = Lease(.transaction)
    private let deadline: Nanoseconds
    private let state = Mutex(State())

    init(_ thread: ConnectionThread, deadline: Nanoseconds) {
        self.thread = thread
        self.deadline = deadline
    }

    func query(_ sql: SQL) async throws -> Rows { try await run(.statement, sql) }

    /// Sends what was enqueued and the COMMIT; a transaction that never sent anything has nothing to commit.
    func commit() async throws {
        let isEmpty = try state.withLock { state in
            if case .failed(let error) = state.phase { throw error }
            return !state.hasSent && state.queued.isEmpty
        }
        if !isEmpty { _ = try await run(.commit, "COMMIT") }
        state.withLock { $0.phase = .ended }
    }

    private func run(_ purpose: Job.Purpose, _ sql: SQL) async throws -> Rows {
        let queued = try state.withLock { state in
            switch state.phase {
            case .open: break
            case .busy:
                throw PostgresError.misuse("two tasks use one transaction at once")
            case .failed(let error): throw error
            case .ended: throw PostgresError.misuse("the transaction is over")
            }
            state.phase = .busy
            state.hasSent = true
            defer { state.queued = [] }
            return state.queued
        }
        let patience = monotonicNow() + thread.configuration.patience.nanoseconds
        let job = Job(purpose, leading: queued, sql, lease: lease, deadline: deadline, patience: patience)
        do {
            let rows = try await thread.run(job)
            state.withLock { state in
                if case .busy = state.phase { state.phase = .open }
            }
            return rows
        } catch {
            state.withLock { $0.phase = .failed(error) }
            throw error
        }
    }

    func enqueue(_ sql: SQL) {
        let isLate = state.withLock { state in
            switch state.phase {
            case .open: state.queued.append(sql)
            case .busy: state.phase = .failed(PostgresError.misuse("two tasks use one transaction at once"))
            case .failed: break
            case .ended: return true
            }
            return false
        }
        if isLate { thread.logger.error("a statement was enqueued after the end of its transaction") }
    }

    func afterCommit(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.actions.append(action) }
    }

    func runActions() {
        for action in state.withLock({ $0.actions }) { action() }
    }

    /// Ends the transaction without COMMIT.
    ///
    /// - Returns: what made it fail: the statement's error where there is one, otherwise `error`.
    func rollBack(after error: any Error) -> PostgresError {
        let (cause, hasSent) = state.withLock { state in
            defer { state.phase = .ended }
            if case .failed(let cause) = state.phase { return (cause, state.hasSent) }
            return (error, state.hasSent)
        }
        if hasSent { thread.tell(.end(lease)) }
        return cause as? PostgresError ?? .misuse("\(cause)")
    }
}
