// SPDX-License-Identifier: Apache-2.0
// What tasks ask the connections' thread to do.

/// Statements that travel together, and the task that waits for the last one.
///
/// Everything variable belongs to the connections' thread once the job was submitted.
final class Job: @unchecked Sendable {
    enum Purpose {
        case statement
        /// The end of a transaction: if its answer is lost, nobody knows.
        case commit
        /// Sent by the thread itself; nobody waits.
        case rollback
        case upkeep
        /// Not a statement: fails when the lease's connection is lost.
        case watch
    }

    enum Progress { case new, waiting, sent, answered }

    /// A statement sent before `sql`.
    struct Leading {
        let sql: SQL
        /// Whether somebody needs its rows.
        let isKept: Bool
    }

    let purpose: Purpose
    let leading: [Leading]
    let sql: SQL
    /// Nil for a single statement in a pipeline.
    let lease: Lease?
    let deadline: Nanoseconds
    /// Until when the job waits for a connection to be lent.
    let patience: Nanoseconds

    var continuation: CheckedContinuation<Rows, any Error>?
    var progress = Progress.new
    var isCancelled = false
    var isRepeated = false
    var failure: PostgresError?
    var isStale = false
    var rows: Rows?
    /// The rows of those that are kept.
    var kept: [Rows] = []

    init(
        _ purpose: Purpose,
        leading: [Leading] = [],
        _ sql: SQL,
        lease: Lease? = nil,
        deadline: Nanoseconds,
        patience: Nanoseconds = .max
    ) {
        self.purpose = purpose
        self.leading = leading
        self.sql = sql
        self.lease = lease
        self.deadline = deadline
        self.patience = patience
    }

    /// Answers the task; only the first answer counts.
    func finish(_ result: Result<Rows, any Error>) {
        continuation?.resume(with: result)
        continuation = nil
    }

    func finish(_ error: PostgresError) { finish(.failure(error)) }

    /// Whether somebody still waits for the answer.
    var isWanted: Bool { continuation != nil }

    /// What the loss of the connection means to the one who waits.
    func loss(_ reason: String) -> PostgresError {
        switch purpose {
        case .commit where progress == .sent: .commitUnknown
        // Whatever a transaction did before its COMMIT is undone.
        default: .connectionLost(reason, sent: progress == .sent && lease == nil)
        }
    }
}

/// The claim of a transaction or a lock on a connection of its own, from its first statement to its end.
///
/// Belongs to the connections' thread.
final class Lease: @unchecked Sendable {
    enum Kind {
        /// Begins a transaction with the first statement.
        case transaction
        /// A session that outlives its statements: for advisory locks.
        case session
    }

    let kind: Kind
    var connection: Connection?
    var isBegun = false
    /// No statement may follow; why, when it was not the task's own doing.
    var isOver = false
    var failure: PostgresError?
    var watcher: Job?
    /// What the session hears of.
    let hearing: Hearing?

    /// What is done when somebody notifies of a matter.
    struct Hearing: Sendable {
        let matter: String
        let action: @Sendable () -> Void
    }

    init(_ kind: Kind, hearing: Hearing? = nil) {
        self.kind = kind
        self.hearing = hearing
    }
}

/// What other threads tell the connections' thread.
enum Message {
    case submit(Job)
    case cancel(Job)
    /// The task is done with the lease, one way or another.
    case end(Lease)
    /// A connection attempt was begun on another thread.
    case started(Connection, Link?)
    /// A cancel request was delivered or could not be.
    case cancelled(Connection, attempt: Int)
    case close(immediately: Bool)
}
