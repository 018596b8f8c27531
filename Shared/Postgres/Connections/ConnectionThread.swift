// SPDX-License-Identifier: Apache-2.0
// The one thread that waits for the server in epoll, and what it and those who ask for something do in turns.

internal import CPostgres
internal import DequeModule
internal import Glibc
internal import Logging
internal import Synchronization
internal import Threads

/// Everything but `inbox`, `published` and the descriptors belongs to whoever has the turn: the thread when the server has answered
/// or time is up, else whoever asks for something. So a statement goes to the server without waking anybody.
final class ConnectionThread: TaskExecutor, @unchecked Sendable {
    let configuration: DatabaseConfiguration
    let logger: Logger

    private struct Inbox {
        var messages: [Message] = []
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }
    private let inbox = Mutex(Inbox())
    private let turn = Mutex(())
    private let published = Mutex(Database.Statistics())
    private let tasks = JobQueue()
    let poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))

    var connections: [Int: Connection] = [:]
    var pipelined: [Connection] = []
    var exclusive: [Connection] = []
    var nextNumber = 1
    /// Single statements that no connection has taken yet.
    var backlog = Deque<Job>()
    /// First statements of transactions that wait for a connection.
    var applicants = Deque<Job>()
    /// No deadline of a job passes before.
    var nextDeadline = Nanoseconds.max
    var closing: Nanoseconds?
    /// When the thread looks up next, whatever happens.
    private var wakesAt = Nanoseconds.max
    /// Whether anything was done since it looked up last.
    private var hasWorked = false
    var lastFailure = "no connection yet"
    var reconnects = 0
    let parameters = ParameterBuffer()
    var current = Database.Statistics()

    init(_ configuration: DatabaseConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        epoll_ctl(poll, EPOLL_CTL_ADD, bell, &event)
        for index in 0..<(max(1, configuration.pipelined) + max(1, configuration.exclusive)) {
            let isPipelined = index < max(1, configuration.pipelined)
            let connection = makeConnection(isPipelined ? .pipelined : .exclusive)
            if isPipelined { pipelined.append(connection) } else { exclusive.append(connection) }
        }
    }

    deinit {
        Glibc.close(poll)
        Glibc.close(bell)
    }

    func start() { startThread(named: "postgres") { self.loop() } }

    var statistics: Database.Statistics { published.withLock { $0 } }

    // MARK: From any thread

    /// False when the thread has ended and nobody will read the message.
    @discardableResult
    func tell(_ message: Message) -> Bool {
        let (isTaken, isFirst) = inbox.withLock { inbox in
            guard !inbox.isClosed else { return (false, false) }
            inbox.messages.append(message)
            return (true, inbox.messages.count == 1)
        }
        if isFirst { obeyAll() }
        return isTaken
    }

    /// Does what was asked for, unless somebody has the turn, who looks once more when it is over.
    private func obeyAll() {
        while hasMessages {
            let hadTurn = turn.withLockIfAvailable { _ in
                work { !$0.mayWait }
                // What a close waits for is looked at by the thread.
                if closing != nil || nextWake < wakesAt { ring() }
            }
            if hadTurn == nil { return }
        }
    }

    private var hasMessages: Bool { inbox.withLock { !$0.isClosed && !$0.messages.isEmpty } }

    private func ring() {
        wakesAt = 0
        eventfd_write(bell, 1)
    }

    /// Submits the job and waits for its answer; a cancelled task stops waiting.
    func run(_ job: Job) async throws -> Rows {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                job.continuation = continuation
                if !tell(.submit(job)) { job.finish(.closed) }
            }
        } onCancel: {
            tell(.cancel(job))
        }
    }

    /// Returns when the thread has closed everything.
    func waitUntilClosed() async {
        await withCheckedContinuation { continuation in
            let isClosed = inbox.withLock { inbox in
                if !inbox.isClosed { inbox.closers.append(continuation) }
                return inbox.isClosed
            }
            if isClosed { continuation.resume() }
        }
    }

    // MARK: On the thread

    private func loop() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var pause: Int32 = 0
        while true {
            let count = epoll_wait(poll, &events, 64, pause == 0 || tasks.fallAsleep() ? pause : 0)
            let hasEnded = turn.withLock { _ in
                for event in events.prefix(Int(max(0, count))) { handle(event) }
                work { _ in true }
                guard !isOver else {
                    shutDown()
                    return true
                }
                pause = timeout()
                return false
            }
            if hasEnded { return tasks.close() }
            obeyAll()
            tasks.run(on: asUnownedTaskExecutor())
        }
    }

    private func handle(_ event: epoll_event) {
        let number = Int(truncatingIfNeeded: event.data.u64)
        if number == 0 {
            var value: eventfd_t = 0
            eventfd_read(bell, &value)
        } else if let connection = connections[number] {
            hasWorked = true
            handle(events: event.events, of: connection)
        }
    }

    // MARK: Tasks

    /// Runs tasks that prefer this thread: what they wait for is answered here, and wakes no other.
    func enqueue(_ job: consuming ExecutorJob) {
        if tasks.add(job) { eventfd_write(bell, 1) }
    }

    // MARK: Of whoever has the turn

    /// - Parameter isDue: whether what a connection holds back is sent now.
    private func work(_ isDue: (Connection) -> Bool) {
        let messages = inbox.withLock { inbox in
            defer { inbox.messages.removeAll() }
            return inbox.messages
        }
        if !messages.isEmpty { hasWorked = true }
        for message in messages { obey(message) }
        let now = monotonicNow()
        if now >= nextDeadline { sweep(now) }
        keepConnected(now)
        assignBacklog()
        for connection in connections.values where isDue(connection) { flush(connection) }
        publish()
    }

    /// Whether a close is due, graceful or not.
    private var isOver: Bool { closing.map { isQuiet || monotonicNow() >= $0 } ?? false }

    /// Whether a graceful close may happen now.
    private var isQuiet: Bool {
        if !connections.values.contains(where: \.isReady) { return true }
        return backlog.isEmpty && applicants.isEmpty
            && connections.values.allSatisfy { $0.lease == nil && $0.jobs.isEmpty }
    }

    /// When something is to be looked after that nobody will tell of.
    private var nextWake: Nanoseconds {
        var wake = min(nextDeadline, closing ?? .max)
        for connection in connections.values {
            switch connection.phase {
            case .closed(let until): if isWanted(connection) { wake = min(wake, until) }
            case .connecting(let until): wake = min(wake, until)
            case .starting: break
            case .ready: if let answerBy = connection.answerBy { wake = min(wake, answerBy) }
            }
        }
        return wake
    }

    /// How long, in milliseconds, the thread may sleep; -1 for ever.
    ///
    /// Soon after something was done more of it may come, and what is asked for has seconds: the thread looks up in time for that by
    /// itself, so that whoever asks need not wake it.
    private func timeout() -> Int32 {
        let now = monotonicNow()
        var wake = nextWake
        if hasWorked { wake = min(wake, now + ConnectionThread.linger) }
        hasWorked = false
        wakesAt = wake
        guard wake != .max else { return -1 }
        return wake <= now ? 0 : Int32(min((wake - now) / 1_000_000 + 1, 60_000))
    }

    private static let linger: Nanoseconds = 1_000_000_000

    private func obey(_ message: Message) {
        switch message {
        case .submit(let job): accept(job)
        case .cancel(let job): cancel(job)
        case .end(let lease): end(lease)
        case .started(let connection, let link): begin(connection, link)
        case .cancelled(let connection, let attempt):
            guard connection.attempt == attempt else { return }
            connection.isCancelling = false
            connection.straysUntil = monotonicNow() + 1_000_000_000
            if connection.role == .exclusive, connection.lease == nil { lend() }
        case .close(let immediately):
            closing = immediately ? 0 : min(closing ?? .max, monotonicNow() + 15_000_000_000)
        }
    }

    private func publish() {
        var statistics = Database.Statistics()
        for connection in pipelined where connection.isReady { statistics.open += 1 }
        for connection in exclusive where connection.isReady {
            statistics.open += 1
            if connection.lease != nil { statistics.exclusiveInUse += 1 }
        }
        statistics.waiting = backlog.count + applicants.count
        statistics.reconnects = reconnects
        guard statistics != current else { return }
        current = statistics
        published.withLock { $0 = statistics }
    }

    private func shutDown() {
        let (messages, closers) = inbox.withLock { inbox in
            inbox.isClosed = true
            defer {
                inbox.messages = []
                inbox.closers = []
            }
            return (inbox.messages, inbox.closers)
        }
        for case .submit(let job) in messages { job.finish(.closed) }
        for case .started(_, let link?) in messages { PQfinish(link.pointer) }
        for job in backlog { job.finish(.closed) }
        for job in applicants { job.finish(.closed) }
        for connection in connections.values {
            for job in connection.jobs {
                job.finish(job.purpose == .commit && job.progress == .sent ? .commitUnknown : .closed)
            }
            connection.lease?.watcher?.finish(.closed)
            if let link = connection.link { PQfinish(link) }
            connection.reset()
        }
        backlog.removeAll()
        applicants.removeAll()
        connections.removeAll()
        pipelined.removeAll()
        exclusive.removeAll()
        published.withLock { $0 = Database.Statistics() }
        for closer in closers { closer.resume() }
    }
}
