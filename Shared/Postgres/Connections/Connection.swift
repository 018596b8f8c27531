// SPDX-License-Identifier: Apache-2.0
// One connection to the server: what was sent in its pipeline and what is awaited.

internal import CPostgres
internal import DequeModule
internal import Domain
internal import Glibc

/// libpq's connection on its way from one thread to another.
struct Link: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// A place for one connection, kept through loss and reconnection; used by the connections' thread only.
final class Connection: @unchecked Sendable {
    enum Role { case pipelined, exclusive, session }

    enum Phase {
        /// No connection, and none is tried before the time.
        case closed(until: Nanoseconds)
        /// PQconnectStart runs on another thread, since it may resolve a name.
        case starting
        case connecting(until: Nanoseconds)
        case ready
    }

    /// Which statement of a job it is: one whose answer nobody reads, one whose answer is kept, or the last.
    enum Part { case leading, kept, last }

    /// What the server will answer next.
    enum Step {
        case prepare(SQL, number: Int)
        case execute(SQL, Part)
        case sync
    }

    let number: Int
    let role: Role
    var phase = Phase.closed(until: 0)
    var backOff = BackOff()
    var link: OpaquePointer?
    var descriptor: Int32 = -1
    var watched: UInt32 = 0
    /// Which connection of this place it is, so that late messages about an earlier one are recognised.
    var attempt = 0

    var lease: Lease?
    var jobs = Deque<Job>()
    private var steps = Deque<Step>()
    private var cache = StatementCache(capacity: 512)
    private var evicted: [Int] = []
    private var needsFlush = false
    /// Statements handed to libpq since the last flush.
    private var unflushed = 0
    private var isCorked = false

    var isCancelling = false
    /// Statements answered with "cancelled" until then may have been hit by a cancel meant for a neighbour.
    var straysUntil: Nanoseconds = 0
    /// The connection is given up when the cancelled statement is not answered by then.
    var answerBy: Nanoseconds?

    init(number: Int, role: Role) {
        self.number = number
        self.role = role
    }

    var isReady: Bool { if case .ready = phase { true } else { false } }
    /// Whether a lease can have it.
    var isFree: Bool { isReady && lease == nil && jobs.isEmpty && !isCancelling }
    var isIdle: Bool { jobs.isEmpty }

    /// Whether the server has so much to do that what it gets next may travel together, when it answers.
    var mayWait: Bool { role == .pipelined && jobs.count - unflushed >= Connection.plenty }
    private static let plenty = 4

    /// Forgets all about the connection that was.
    func reset() {
        link = nil
        descriptor = -1
        watched = 0
        attempt += 1
        lease = nil
        jobs.removeAll()
        steps.removeAll()
        cache = StatementCache(capacity: 512)
        evicted.removeAll()
        needsFlush = false
        unflushed = 0
        isCorked = false
        isCancelling = false
        straysUntil = 0
        answerBy = nil
    }

    /// Puts the job's statements and a Sync into the pipeline; false when the connection is broken.
    func send(_ job: Job, beginning: Bool, parameters: ParameterBuffer) -> Bool {
        guard let link else { return false }
        job.progress = .sent
        jobs.append(job)
        unflushed += 1
        if unflushed == 2 { cork(true) }
        if beginning, !send("BEGIN", .leading, parameters, link) { return false }
        for statement in job.leading {
            guard send(statement.sql, statement.isKept ? .kept : .leading, parameters, link) else { return false }
        }
        guard send(job.sql, .last, parameters, link), PQpipelineSync(link) == 1 else { return false }
        steps.append(.sync)
        needsFlush = true
        return true
    }

    private func send(_ sql: SQL, _ part: Part, _ parameters: ParameterBuffer, _ link: OpaquePointer) -> Bool {
        parameters.load(sql.binds)
        let number: Int
        switch cache.use(sql.form, types: parameters.types) {
        case .prepared(let known): number = known
        case .missing(let new, let old):
            number = new
            if let old { evicted.append(old) }
            guard PQsendPrepare(link, Connection.name(new), sql.text, parameters.count, parameters.types) == 1 else {
                return false
            }
            steps.append(.prepare(sql, number: new))
        }
        guard
            PQsendQueryPrepared(
                link,
                Connection.name(number),
                parameters.count,
                parameters.values,
                parameters.lengths,
                parameters.formats,
                1
            ) == 1
        else { return false }
        steps.append(.execute(sql, part))
        return true
    }

    private static func name(_ number: Int) -> String { "s\(number)" }

    /// A statement that made room in the cache and is no longer needed by the server either.
    func takeEvicted() -> SQL? {
        evicted.popLast().map { SQL(stringLiteral: "DEALLOCATE \(Connection.name($0))") }
    }

    /// Sends a statement of our own that is not worth preparing.
    func sendUpkeep(_ sql: SQL) -> Bool {
        guard let link, PQsendQueryParams(link, sql.text, 0, nil, nil, nil, nil, 1) == 1, PQpipelineSync(link) == 1
        else { return false }
        let job = Job(.upkeep, sql, deadline: .max)
        job.progress = .sent
        jobs.append(job)
        steps.append(.execute(sql, .last))
        steps.append(.sync)
        needsFlush = true
        return true
    }

    enum Flushed { case all, partly, failed }

    func flushIfNeeded() -> Flushed? {
        guard needsFlush, let link else { return nil }
        unflushed = 0
        defer { if isCorked { cork(false) } }
        switch PQflush(link) {
        case 0:
            needsFlush = false
            return .all
        case 1: return .partly
        default: return .failed
        }
    }

    /// Holds statements back in the kernel until all that are ready have been written (tcp(7), `TCP_CORK`): libpq 15 and 16
    /// send at every Sync, which would wake the server and cost a packet for each statement. Does nothing on a local socket.
    private func cork(_ isOn: Bool) {
        var value: Int32 = isOn ? 1 : 0
        let result = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
        isCorked = isOn && result == 0
    }

    enum Received {
        /// Every statement up to a Sync was answered.
        case answered(Job)
        /// Nothing more to read for now.
        case nothing
        case lost(String)
    }

    /// Takes in what the server sent; false when the connection is broken, after whose last answers are read.
    func consume() -> Bool {
        guard let link else { return false }
        return PQconsumeInput(link) == 1
    }

    /// The next answered job of those whose answers were taken in.
    func receive() -> Received {
        guard let link else { return .nothing }
        var silences = 0
        while let step = steps.first {
            guard PQisBusy(link) == 0 else { return .nothing }
            guard let result = PQgetResult(link) else {
                // libpq says "nothing" once between two statements.
                silences += 1
                if silences > 8 { return .lost("libpq's pipeline lost step with ours") }
                continue
            }
            silences = 0
            if let reason = take(result, at: step, link) { return .lost(reason) }
            if let job = answered {
                answered = nil
                return .answered(job)
            }
        }
        // Notices and parameter changes are parsed here.
        _ = PQisBusy(link)
        return .nothing
    }

    private var answered: Job?

    /// - Returns: why the connection is lost, if it is.
    private func take(_ result: OpaquePointer, at step: Step, _ link: OpaquePointer) -> String? {
        let status = PQresultStatus(result)
        var isKept = false
        defer { if !isKept { PQclear(result) } }
        switch (status, step) {
        case (PGRES_PIPELINE_SYNC, .sync):
            steps.removeFirst()
            answered = jobs.popFirst()
            answered?.progress = .answered
        case (PGRES_COMMAND_OK, .prepare): steps.removeFirst()
        case (PGRES_TUPLES_OK, .execute(let sql, let part)):
            steps.removeFirst()
            guard part != .leading else { break }
            isKept = true
            note(Rows(ResultMemory(result, statement: sql)), part)
        case (PGRES_COMMAND_OK, .execute(_, let part)), (PGRES_EMPTY_QUERY, .execute(_, let part)):
            steps.removeFirst()
            guard part != .leading else { break }
            note(Rows(affected: Int(cString: PQcmdTuples(result)) ?? 0), part)
            guard part == .last else { break }
            // A COMMIT of a transaction that has failed is answered politely with ROLLBACK.
            if jobs.first?.purpose == .commit, String(cString: PQcmdStatus(result)) != "COMMIT" {
                fail(.server(sqlState: "25P02", message: "rolled back", constraint: nil, statement: "COMMIT"))
            }
        case (PGRES_PIPELINE_ABORTED, .prepare(let sql, let number)):
            steps.removeFirst()
            cache.forget(sql.form, number: number)
        case (PGRES_PIPELINE_ABORTED, .execute): steps.removeFirst()
        case (PGRES_FATAL_ERROR, _):
            let error = ServerError(result)
            guard !error.endsSession, !error.state.isEmpty else { return error.message }
            switch step {
            case .prepare(let sql, let number):
                steps.removeFirst()
                cache.forget(sql.form, number: number)
                fail(error.described(sql.text))
            case .execute(let sql, _):
                steps.removeFirst()
                if error.isStalePlan {
                    cache.forget(sql.form)
                    jobs.first?.isStale = true
                }
                fail(error.described(sql.text))
            // An error between the last statement and the Sync comes from the commit, of a deferred constraint say.
            case .sync: fail(error.described(jobs.first?.sql.text ?? ""))
            }
        default:
            return "unexpected answer \(status.rawValue): \(String(cString: PQerrorMessage(link)))"
        }
        return nil
    }

    private func note(_ rows: Rows, _ part: Part) {
        if part == .last { jobs.first?.rows = rows } else { jobs.first?.kept.append(rows) }
    }

    /// Whether somebody has notified this session of a matter since it was last asked.
    func takeNotifications(of matter: String) -> Bool {
        guard let link else { return false }
        var isNotified = false
        while let notification = PQnotifies(link) {
            if let extra = notification.pointee.extra, String(cString: extra) == matter { isNotified = true }
            PQfreemem(notification)
        }
        return isNotified
    }

    private func fail(_ error: PostgresError) {
        guard let job = jobs.first, job.failure == nil else { return }
        job.failure = error
    }
}

/// The fields of an error that we use.
struct ServerError {
    let state: String
    let message: String
    let constraint: String?
    /// The server closes the connection after this error.
    let endsSession: Bool
    /// The prepared statement is gone or its columns have changed: preparing it anew helps.
    let isStalePlan: Bool

    init(_ result: OpaquePointer) {
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        state = field("C") ?? ""
        message = field("M") ?? String(cString: PQresultErrorMessage(result))
        constraint = field("n")
        endsSession = field("V") == "FATAL" || field("V") == "PANIC"
        isStalePlan = state == "26000" || (state == "0A000" && field("R") == "RevalidateCachedQuery")
    }

    func described(_ statement: String) -> PostgresError {
        .server(sqlState: state, message: message, constraint: constraint, statement: statement)
    }
}

/// The values of one statement laid out as libpq wants them; reused from statement to statement.
final class ParameterBuffer {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    private(set) var types: [UInt32] = []
    private(set) var values: [UnsafePointer<CChar>?] = []
    private(set) var lengths: [Int32] = []
    private(set) var formats: [Int32] = []

    deinit { bytes.deallocate() }

    var count: Int32 { Int32(truncatingIfNeeded: types.count) }

    func load(_ binds: [Bind]) {
        types.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        guard !binds.isEmpty else { return }
        let size = binds.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
        if size > bytes.count {
            bytes.deallocate()
            bytes = .allocate(byteCount: size * 2, alignment: 16)
        }
        while formats.count < binds.count { formats.append(1) }
        var offset = 0
        for bind in binds {
            types.append(bind.type)
            guard let value = bind.bytes, let start = bytes.baseAddress else {
                values.append(nil)
                lengths.append(0)
                continue
            }
            value.withUnsafeBytes { source in
                if let from = source.baseAddress { (start + offset).copyMemory(from: from, byteCount: source.count) }
            }
            values.append(UnsafePointer((start + offset).assumingMemoryBound(to: CChar.self)))
            lengths.append(Int32(truncatingIfNeeded: value.count))
            offset += value.count
        }
    }
}
