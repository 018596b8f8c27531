// SPDX-License-Identifier: Apache-2.0
// A transaction under way, as the task that runs it sees it.

internal import Logging
internal import Synchronization

/// A transaction under way: only the task that was given it may use it, one statement after another.
public struct Transaction: Sendable {
    let scope: TransactionScope

    public func query(_ sql: SQL) async throws -> Rows { try await scope.query(sql) }

    /// Runs a statement whose rows nobody needs; its failure may only be told at the next `query` or at the commit,
    /// so that it travels together with them.
    public func enqueue(_ sql: SQL) { scope.enqueue(sql) }

    /// Runs a statement together with the next one, or by itself as soon as its rows are wanted.
    public func ask(_ sql: SQL) -> Question {
        let question = Question()
        scope.enqueue(sql, question)
        return question
    }

    /// What a statement found that was asked before.
    public func answer(to question: Question) async throws -> Rows { try await scope.answer(to: question) }

    /// Runs `action` after the commit succeeded.
    public func afterCommit(_ action: @escaping @Sendable () -> Void) { scope.afterCommit(action) }

    /// The transaction's ending of a type, which is made when there is none yet.
    public func ending<Ending: TransactionEnding>(_ make: () -> Ending) -> Ending { scope.ending(make) }

    /// The database that it is of.
    public var database: ObjectIdentifier { ObjectIdentifier(scope.thread) }
}

/// A statement of a transaction whose rows are wanted later than it is sent.
public final class Question: Sendable {
    private let answer = Mutex<Rows?>(nil)

    fileprivate var rows: Rows? {
        get { answer.withLock { $0 } }
        set { answer.withLock { $0 = newValue } }
    }
}

/// What a transaction writes last, with its commit and in the same round trip.
public protocol TransactionEnding: AnyObject, Sendable {
    /// Called once, when the transaction is about to be committed.
    func statements() -> [SQL]
    /// - Parameter rows: of each of the statements.
    func committed(_ rows: [Rows])
    /// The transaction did not commit, or nobody knows. Called without `statements` when it did not come to that.
    func undone()
}

extension Database {
    /// What `Transaction.database` says of its transactions.
    public var identity: ObjectIdentifier { ObjectIdentifier(thread) }
}

/// One attempt at a transaction: what was enqueued, whether it may go on.
final class TransactionScope: Sendable {
    private enum Phase {
        case open
        case busy
        case failed(any Error)
        case ended
    }

    private struct Queued {
        let sql: SQL
        var question: Question?
    }

    private struct State {
        var phase = Phase.open
        var queued: [Queued] = []
        var actions: [@Sendable () -> Void] = []
        var endings: [any TransactionEnding] = []
        var hasSent = false
    }

    let thread: ConnectionThread
    private let lease = Lease(.transaction)
    private let deadline: Nanoseconds
    private let state = Mutex(State())

    init(_ thread: ConnectionThread, deadline: Nanoseconds) {
        self.thread = thread
        self.deadline = deadline
    }

    func query(_ sql: SQL) async throws -> Rows { try await run(.statement, sql).rows }

    func answer(to question: Question) async throws -> Rows {
        if let rows = question.rows { return rows }
        // Nothing was sent since.
        guard let last = state.withLock({ $0.queued.popLast() }) else { throw PostgresError.misuse("nobody asked") }
        let rows = try await run(.statement, last.sql).rows
        last.question?.rows = rows
        guard let answer = question.rows else { throw PostgresError.misuse("another transaction was asked") }
        return answer
    }

    func query(all statements: [SQL]) async throws -> [Rows] {
        guard let last = statements.last else { return [] }
        let (rows, kept) = try await run(.statement, keeping: Array(statements.dropLast()), last)
        return kept + [rows]
    }

    /// Sends what was enqueued, what the endings write and the COMMIT; a transaction that never sent anything has nothing
    /// to commit.
    func commit() async throws {
        let (isEmpty, endings) = try state.withLock { state in
            if case .failed(let error) = state.phase { throw error }
            return (!state.hasSent && state.queued.isEmpty && state.endings.isEmpty, state.endings)
        }
        var written: [[Rows]] = []
        if !isEmpty {
            let statements = endings.map { $0.statements() }
            var kept = try await run(.commit, keeping: Array(statements.joined()), "COMMIT").kept[...]
            for part in statements {
                written.append(Array(kept.prefix(part.count)))
                kept = kept.dropFirst(part.count)
            }
        }
        state.withLock { state in
            state.phase = .ended
            state.endings = []
        }
        for (ending, rows) in zip(endings, written) { ending.committed(rows) }
    }

    func ending<Ending: TransactionEnding>(_ make: () -> Ending) -> Ending {
        let (ending, isLate) = state.withLock { state in
            for case let ending as Ending in state.endings { return (ending, false) }
            let ending = make()
            if case .ended = state.phase { return (ending, true) }
            state.endings.append(ending)
            return (ending, false)
        }
        if isLate { thread.logger.error("something was to be written after the end of its transaction") }
        return ending
    }

    private func run(
        _ purpose: Job.Purpose,
        keeping needed: [SQL] = [],
        _ sql: SQL
    ) async throws -> (rows: Rows, kept: [Rows]) {
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
        let job = Job(
            purpose,
            leading: queued.map { Job.Leading(sql: $0.sql, isKept: $0.question != nil) }
                + needed.map { Job.Leading(sql: $0, isKept: true) },
            sql,
            lease: lease,
            deadline: deadline,
            patience: patience
        )
        do {
            let rows = try await thread.run(job)
            state.withLock { state in
                if case .busy = state.phase { state.phase = .open }
            }
            let questions = queued.compactMap(\.question)
            for (question, answer) in zip(questions, job.kept) { question.rows = answer }
            return (rows, Array(job.kept.dropFirst(questions.count)))
        } catch {
            state.withLock { $0.phase = .failed(error) }
            throw error
        }
    }

    func enqueue(_ sql: SQL, _ question: Question? = nil) {
        let isLate = state.withLock { state in
            switch state.phase {
            case .open: state.queued.append(Queued(sql: sql, question: question))
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
        let (cause, hasSent, endings) = state.withLock { state in
            defer {
                state.phase = .ended
                state.endings = []
            }
            if case .failed(let cause) = state.phase { return (cause, state.hasSent, state.endings) }
            return (error, state.hasSent, state.endings)
        }
        if hasSent { thread.tell(.end(lease)) }
        for ending in endings { ending.undone() }
        return cause as? PostgresError ?? .misuse("\(cause)")
    }
}
