// SPDX-License-Identifier: Apache-2.0
// Which connection does which job, and what becomes of it.

internal import CPostgres
internal import DequeModule
internal import Threads

extension ConnectionThread {
    /// Statements in flight on one connection; the rest waits here, where it can still be withdrawn.
    private static let depth = 64
    /// How often a statement that nobody waits for is told to end.
    private static let abandonedAgain: Nanoseconds = 20_000_000

    func accept(_ job: Job) {
        guard !job.isCancelled else { return job.finish(.failure(CancellationError())) }
        if job.purpose == .watch { return watchLease(job) }
        nextDeadline = min(nextDeadline, job.deadline, job.patience)
        job.progress = .waiting
        guard let lease = job.lease else {
            if closing != nil { return job.finish(.closed) }
            backlog.append(job)
            return
        }
        if lease.isOver { return job.finish(lease.failure ?? .misuse("the transaction is over")) }
        if let connection = lease.connection, connection.isReady { return send(job, connection) }
        if closing != nil { return job.finish(.closed) }
        if lease.kind == .session, lease.connection == nil {
            let connection = makeConnection(.session)
            connection.lease = lease
            lease.connection = connection
        }
        applicants.append(job)
        lend()
    }

    private func watchLease(_ job: Job) {
        guard let lease = job.lease, !lease.isOver else {
            return job.finish(job.lease?.failure ?? .misuse("the lock is given up"))
        }
        lease.watcher = job
    }

    /// Gives free connections to the transactions that wait longest.
    func lend() {
        guard !applicants.isEmpty else { return }
        var rest = Deque<Job>()
        while let job = applicants.popFirst() {
            guard let lease = job.lease, job.isWanted else { continue }
            if lease.kind == .session {
                if let connection = lease.connection, connection.isReady {
                    send(job, connection)
                } else if lease.isOver {
                    job.finish(lease.failure ?? .closed)
                } else {
                    rest.append(job)
                }
            } else if let connection = exclusive.first(where: \.isFree) {
                connection.lease = lease
                lease.connection = connection
                send(job, connection)
            } else {
                rest.append(job)
            }
        }
        applicants = rest
    }

    func assignBacklog() {
        while !backlog.isEmpty {
            var best: Connection?
            for connection in pipelined where connection.isReady && connection.jobs.count < ConnectionThread.depth {
                if connection.jobs.count < best?.jobs.count ?? .max { best = connection }
            }
            guard let best, let job = backlog.popFirst() else { return }
            if job.isWanted { send(job, best) }
        }
    }

    private func send(_ job: Job, _ connection: Connection) {
        var isBeginning = false
        if let lease = job.lease, lease.kind == .transaction, !lease.isBegun {
            lease.isBegun = true
            isBeginning = true
        }
        guard connection.send(job, beginning: isBeginning, parameters: parameters) else {
            return lose(connection, "a statement could not be sent")
        }
        if connection.role == .pipelined, let old = connection.takeEvicted() { _ = connection.sendUpkeep(old) }
    }

    /// A Sync was reached: what came before it is done, or undone.
    func answered(_ job: Job, _ connection: Connection) {
        if job.lease != nil || job.purpose == .rollback {
            answeredInLease(job, connection)
        } else if job.purpose == .statement {
            if let failure = job.failure {
                if isWorthRepeating(job, failure, connection) {
                    job.isRepeated = job.isStale
                    job.failure = nil
                    job.isStale = false
                    job.rows = nil
                    job.kept = []
                    job.progress = .waiting
                    backlog.prepend(job)
                } else if failure.sqlState == "57014", job.deadline <= monotonicNow() {
                    job.finish(.deadlineExceeded(statement: job.sql.text))
                } else {
                    job.finish(failure)
                }
            } else {
                job.finish(.success(job.rows ?? Rows(affected: 0)))
            }
        } else if connection.isFree {
            lend()
        }
        // A statement that nobody waits for any more is looked at again soon, lest its neighbours wait for it.
        if let next = connection.jobs.first, !next.isWanted, next.purpose == .statement {
            nextDeadline = min(nextDeadline, monotonicNow() + ConnectionThread.abandonedAgain)
        }
    }

    /// A plan may be stale once; a cancellation that was meant for others may come as often as others are cancelled.
    private func isWorthRepeating(_ job: Job, _ failure: PostgresError, _ connection: Connection) -> Bool {
        guard job.isWanted else { return false }
        if job.isStale { return !job.isRepeated }
        let now = monotonicNow()
        let mayBeStray = connection.isCancelling || now < connection.straysUntil
        return failure.sqlState == "57014" && mayBeStray && now < job.deadline
    }

    private func answeredInLease(_ job: Job, _ connection: Connection) {
        if job.purpose == .rollback { return rolledBack(job, connection) }
        guard let lease = job.lease else { return }
        if lease.kind == .session {
            job.finish(job.failure.map { .failure($0) } ?? .success(job.rows ?? Rows(affected: 0)))
            return
        }
        if let failure = job.failure {
            lease.isOver = true
            lease.failure =
                job.isStale
                ? .server(sqlState: "40001", message: "stale plan", constraint: nil, statement: job.sql.text) : failure
            let shown = lease.failure ?? failure
            rollBack(connection)
            job.finish(shown)
        } else if job.purpose == .commit {
            lease.isOver = true
            release(connection)
            job.finish(.success(Rows(affected: 0)))
        } else if lease.isOver {
            rollBack(connection)
            job.finish(lease.failure ?? .closed)
        } else {
            job.finish(.success(job.rows ?? Rows(affected: 0)))
        }
    }

    private func rollBack(_ connection: Connection, again: Bool = false) {
        guard let link = connection.link, PQtransactionStatus(link) != PQTRANS_IDLE else { return release(connection) }
        let job = Job(.rollback, "ROLLBACK", deadline: monotonicNow() + 5_000_000_000)
        job.isRepeated = again
        connection.answerBy = job.deadline
        send(job, connection)
    }

    /// A cancel that was meant for the last statement may hit the ROLLBACK instead: then it is sent once more.
    private func rolledBack(_ job: Job, _ connection: Connection) {
        guard job.failure != nil else { return release(connection) }
        if job.isRepeated {
            lose(connection, "a transaction could not be rolled back")
        } else {
            rollBack(connection, again: true)
        }
    }

    private func release(_ connection: Connection) {
        // Whoever is lent the connection next begins a transaction: none may be open.
        guard let link = connection.link, PQtransactionStatus(link) == PQTRANS_IDLE else {
            return lose(connection, "a transaction did not end")
        }
        connection.lease?.connection = nil
        connection.lease = nil
        while let old = connection.takeEvicted() { _ = connection.sendUpkeep(old) }
        lend()
    }

    func end(_ lease: Lease) {
        lease.watcher?.finish(.failure(CancellationError()))
        lease.watcher = nil
        let wasOver = lease.isOver
        lease.isOver = true
        guard let connection = lease.connection else { return }
        if lease.kind == .session {
            connection.lease = nil
            lease.connection = nil
            connections[connection.number] = nil
            if let link = connection.link { PQfinish(link) }
            connection.reset()
        } else if !wasOver, connection.jobs.isEmpty {
            rollBack(connection)
        }
    }

    func cancel(_ job: Job) {
        switch job.progress {
        case .new:
            job.isCancelled = true
            if job.purpose == .watch {
                job.lease?.watcher = nil
                job.finish(.failure(CancellationError()))
            }
        case .waiting: job.finish(.failure(CancellationError()))
        case .sent:
            // Nobody can tell any more what a COMMIT will do: it is waited for.
            if job.purpose != .commit { abandon(job, CancellationError()) }
        case .answered: break
        }
    }

    /// Answers the task of a job that was sent and stops the server from working on it.
    private func abandon(_ job: Job, _ error: any Error) {
        guard job.isWanted else { return }
        job.finish(.failure(error))
        if let lease = job.lease {
            lease.isOver = true
            if let connection = lease.connection {
                if connection.answerBy == nil { connection.answerBy = monotonicNow() + 3_000_000_000 }
                if job.purpose != .commit { requestCancel(connection) }
            }
        } else if let connection = pipelined.first(where: { $0.jobs.first === job }) {
            connection.answerBy = monotonicNow() + 3_000_000_000
            requestCancel(connection)
            nextDeadline = min(nextDeadline, monotonicNow() + ConnectionThread.abandonedAgain)
        }
    }

    private func requestCancel(_ connection: Connection) {
        guard !connection.isCancelling, let link = connection.link, let pointer = PQgetCancel(link) else { return }
        connection.isCancelling = true
        let ticket = Link(pointer: pointer)
        let attempt = connection.attempt
        startThread(named: "cancel") { [self] in
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(ticket.pointer, &message, Int32(message.count))
            PQfreeCancel(ticket.pointer)
            tell(.cancelled(connection, attempt: attempt))
        }
    }

    /// Ends every job whose time is up and finds the next deadline.
    func sweep(_ now: Nanoseconds) {
        nextDeadline = .max
        backlog.removeAll { job in !job.isWanted || isExpired(job, now, isOpen: pipelined.contains(where: \.isReady)) }
        applicants.removeAll { job in !job.isWanted || isExpired(job, now, isOpen: exclusive.contains(where: \.isReady))
        }
        for connection in connections.values {
            for job in connection.jobs where job.isWanted {
                if job.deadline <= now {
                    let statement = job.sql.text
                    abandon(
                        job,
                        job.purpose == .commit ? PostgresError.commitUnknown : .deadlineExceeded(statement: statement)
                    )
                } else {
                    nextDeadline = min(nextDeadline, job.deadline)
                }
            }
            if connection.role == .pipelined, let head = connection.jobs.first, !head.isWanted,
                head.purpose == .statement
            {
                if connection.answerBy == nil { connection.answerBy = now + 3_000_000_000 }
                // One that came between two statements stopped nothing: it is sent until the statement ends.
                requestCancel(connection)
                nextDeadline = min(nextDeadline, now + ConnectionThread.abandonedAgain)
            }
        }
    }

    /// Ends the waiting job if its time is up.
    private func isExpired(_ job: Job, _ now: Nanoseconds, isOpen: Bool) -> Bool {
        // Patience is for a pool that is busy; a database that is not there yet is waited for up to the deadline.
        let limit = isOpen ? min(job.deadline, job.patience) : job.deadline
        guard limit <= now else {
            nextDeadline = min(nextDeadline, limit)
            return false
        }
        if !isOpen || job.lease?.kind == .session {
            job.finish(.connectionLost(lastFailure, sent: false))
        } else if job.lease != nil {
            job.finish(.poolExhausted)
        } else {
            job.finish(.deadlineExceeded(statement: job.sql.text))
        }
        return true
    }
}
