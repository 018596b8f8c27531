// SPDX-License-Identifier: Apache-2.0
// How connections come up, break and come up again.

internal import CPostgres
import Domain
internal import Glibc
internal import Logging
internal import Threads

extension DatabaseConfiguration {
    /// What every session starts with. What the operator wrote wins over the keywords before `dbname`, not after.
    ///
    /// The server gives a statement up when its caller does, though not before five seconds; what connects, waits for a lock or
    /// idles in a transaction does in proportion.
    func keywords(statementTimeout: String? = nil, lockTimeout: String? = nil) -> [(String, String)] {
        let patience = max(.seconds(5), deadline)
        func milliseconds(_ time: Duration) -> String { "\(time.nanoseconds / 1_000_000)" }
        let (statementTimeout, lockTimeout) = (
            statementTimeout ?? milliseconds(patience), lockTimeout ?? milliseconds(patience / 5 * 2)
        )
        let path = schema.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let options = [
            "search_path=\"\(path)\"", "statement_timeout=\(statementTimeout)", "lock_timeout=\(lockTimeout)",
            "idle_in_transaction_session_timeout=\(milliseconds(patience * 2))", "jit=off",
            "plan_cache_mode=\(plansOnce ? "force_generic_plan" : "auto")",
            "enable_seqscan=\(plansOnce ? "off" : "on")",
        ].map { option in "-c " + option.flatMap { $0 == " " || $0 == "\\" ? ["\\", $0] : [$0] } }
        return [
            ("gssencmode", "disable"), ("connect_timeout", "\(patience.components.seconds)"), ("dbname", connection),
            ("options", options.joined(separator: " ")), ("application_name", applicationName),
            ("client_encoding", "UTF8"), ("keepalives", "1"), ("keepalives_idle", "10"),
            ("keepalives_interval", "3"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
        ]
    }

    /// Calls a connecting function of libpq with these keywords.
    static func connect(
        _ keywords: [(String, String)],
        by connect: (
            UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>
        ) -> OpaquePointer?
    ) -> OpaquePointer? {
        let strings = keywords.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for (name, value) in strings {
                free(name)
                free(value)
            }
        }
        let names = strings.map { UnsafePointer($0.0) } + [nil]
        let values = strings.map { UnsafePointer($0.1) } + [nil]
        return connect(names, values)
    }
}

extension ConnectionThread {
    func makeConnection(_ role: Connection.Role) -> Connection {
        let connection = Connection(number: nextNumber, role: role)
        nextNumber += 1
        connections[connection.number] = connection
        return connection
    }

    /// Whether the connection should be tried as soon as its time has come: one of each kind always, the others of
    /// the pool when transactions wait for them.
    func isWanted(_ connection: Connection) -> Bool {
        guard connection.role == .exclusive, connection !== exclusive.first else { return true }
        var coming = 0
        for other in exclusive {
            switch other.phase {
            case .starting, .connecting: coming += 1
            default: break
            }
        }
        return coming < applicants.count
    }

    func keepConnected(_ now: Nanoseconds) {
        guard closing == nil || !applicants.isEmpty else { return }
        for connection in connections.values {
            switch connection.phase {
            case .closed(let until) where until <= now && isWanted(connection): startConnecting(connection)
            case .connecting(let until) where until <= now: lose(connection, "connecting took too long")
            case .ready where (connection.answerBy ?? .max) <= now: lose(connection, "a cancelled statement went on")
            default: break
            }
        }
    }

    private func startConnecting(_ connection: Connection) {
        connection.phase = .starting
        let keywords = configuration.keywords()
        startThread(named: "connect") { [self] in
            let pointer = DatabaseConfiguration.connect(keywords) { PQconnectStartParams($0, $1, 1) }
            let link = pointer.map(Link.init)
            if !tell(.started(connection, link)), let link { PQfinish(link.pointer) }
        }
    }

    func begin(_ connection: Connection, _ link: Link?) {
        guard case .starting = connection.phase, connections[connection.number] != nil else {
            if let link { PQfinish(link.pointer) }
            return
        }
        connection.link = link?.pointer
        connection.phase = .connecting(until: monotonicNow() + 5_000_000_000)
        guard let link, PQstatus(link.pointer) != CONNECTION_BAD else { return lose(connection, "cannot connect") }
        watch(connection, EPOLLOUT.rawValue)
    }

    func handle(events: UInt32, of connection: Connection) {
        switch connection.phase {
        case .connecting: goOnConnecting(connection)
        case .ready: read(connection)
        case .closed, .starting: break
        }
    }

    private func goOnConnecting(_ connection: Connection) {
        guard let link = connection.link else { return }
        switch PQconnectPoll(link) {
        case PGRES_POLLING_READING: watch(connection, EPOLLIN.rawValue)
        case PGRES_POLLING_WRITING: watch(connection, EPOLLOUT.rawValue)
        case PGRES_POLLING_OK:
            PQsetNoticeReceiver(link, { _, _ in }, nil)
            guard PQsetnonblocking(link, 1) == 0, PQenterPipelineMode(link) == 1 else {
                return lose(connection, "no pipeline mode")
            }
            watch(connection, EPOLLIN.rawValue)
            connection.phase = .ready
            if connection.attempt > 0 { reconnects += 1 }
            connection.backOff.reset()
            nextDeadline = 0
            lend()
        default: lose(connection, "cannot connect")
        }
    }

    /// Tells epoll what the connection waits for; its descriptor may be another one than last time.
    private func watch(_ connection: Connection, _ events: UInt32) {
        guard let link = connection.link else { return }
        let descriptor = PQsocket(link)
        guard descriptor >= 0 else { return }
        var event = epoll_event(events: events, data: epoll_data_t(u64: UInt64(connection.number)))
        if epoll_ctl(poll, EPOLL_CTL_MOD, descriptor, &event) != 0 {
            epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)
        }
        connection.descriptor = descriptor
        connection.watched = events
    }

    private func read(_ connection: Connection) {
        let isAlive = connection.consume()
        while true {
            switch connection.receive() {
            case .answered(let job):
                connection.answerBy = nil
                answered(job, connection)
                guard connection.link != nil else { return }
            case .nothing:
                if let hearing = connection.lease?.hearing, connection.takeNotifications(of: hearing.matter) {
                    hearing.action()
                }
                if !isAlive || PQstatus(connection.link) == CONNECTION_BAD { lose(connection, nil) }
                return
            case .lost(let reason): return lose(connection, reason)
            }
        }
    }

    func flush(_ connection: Connection) {
        switch connection.flushIfNeeded() {
        case nil: break
        case .all: if connection.watched != EPOLLIN.rawValue { watch(connection, EPOLLIN.rawValue) }
        case .partly:
            let both = EPOLLIN.rawValue | EPOLLOUT.rawValue
            if connection.watched != both { watch(connection, both) }
        case .failed: lose(connection, nil)
        }
    }

    /// Gives the connection up: everything under way on it fails, and another attempt is made later.
    func lose(_ connection: Connection, _ reason: String?) {
        let wasReady = connection.isReady
        let message = connection.link.map { String(cString: PQerrorMessage($0)) } ?? ""
        let why = [reason, message.isEmpty ? nil : message].compactMap { $0 }.joined(separator: ": ")
        lastFailure = why
        let jobs = Array(connection.jobs)
        let lease = connection.lease
        if connection.descriptor >= 0 { epoll_ctl(poll, EPOLL_CTL_DEL, connection.descriptor, nil) }
        if let link = connection.link { PQfinish(link) }
        connection.reset()
        connection.phase = .closed(until: monotonicNow() + connection.backOff.next().nanoseconds)
        logger.warning(
            wasReady ? "lost a connection to the database" : "cannot connect to the database",
            metadata: ["reason": "\(why)"]
        )
        if let lease {
            lease.connection = nil
            lease.isOver = true
            lease.failure = .connectionLost(why, sent: false)
            lease.watcher?.finish(.connectionLost(why, sent: false))
            lease.watcher = nil
        }
        for job in jobs { job.finish(job.loss(why)) }
        // A session is its connection: no other can stand in for it.
        if connection.role == .session, lease != nil { connections[connection.number] = nil }
        lend()
    }
}
