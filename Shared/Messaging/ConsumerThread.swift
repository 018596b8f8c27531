// SPDX-License-Identifier: Apache-2.0
// The thread behind a consumer.

import CRabbitMQ
import Domain
import Logging
import Synchronization

/// Holds the connection and the unsettled deliveries. Everything but the mailbox, the flag and the counts belongs to
/// the thread that runs `run`.
final class ConsumerThread: @unchecked Sendable {
    enum Request: Sendable {
        /// Settles the batch in hand, unless it came over an earlier connection and is the broker's again.
        case settle(Int, [Settlement])
        /// Gives back the batch in hand and stops consuming.
        case pause(Int)
        case resume
        case stop
        /// Nobody takes batches any more.
        case abandon
    }

    struct Batch: Sendable {
        /// The number of the connection over which it came.
        let connection: Int
        let deliveries: [Delivery]
    }

    private static let countInterval = 5.0
    private static let lookInterval = 1.0
    /// Seconds for which deliveries are left unread while others are waited for: as many as fit a batch may come meanwhile.
    private static let slice = 0.02
    /// Seconds for which acknowledgements wait for each other; what is lost meanwhile comes again.
    private static let leisure = 0.02
    private static let farewell = 25.0

    let batches: AsyncStream<Batch>
    private let yield: AsyncStream<Batch>.Continuation
    private let configuration: BrokerConfiguration
    private let queue: Consumer.Queue
    private let prefetch: Int
    /// Whether some deliveries end the waiting for others, and must be seen at once.
    private let mayHurry: Bool
    private let watched: [String]
    private let logger: Logger
    private let connected: @Sendable () -> Void
    private let disconnected: @Sendable () -> Void
    private let mailbox = Mailbox<Request>()
    private let isOpen = Atomic(false)
    private let waits = Atomic(false)
    private let losses = Atomic(0)
    /// Whether something waits for the batch in hand to be settled.
    private let mustHear = Atomic(true)
    private let counts = Mutex<[String: Int]>([:])

    private var window: DeliveryWindow
    private var backOff = BackOff()
    private var connection = 0
    /// The connection whose batch the task has in hand; nil while it waits for one.
    private var lent: Int?
    private var isPaused = false
    private var isConsuming = false
    /// Whether the deliveries in the window were in vain and must go back before any more come.
    private var mustGiveBack = false
    private var deadline: Double?
    private var nextCount = 0.0
    /// When the length of our temporary queue is looked at again, and what came since the last look.
    private var nextLook = 0.0
    private var arrivedSinceLook = 0

    init(
        _ configuration: BrokerConfiguration,
        queue: Consumer.Queue,
        prefetch: Int,
        gathering: Duration,
        patient: Set<String>?,
        watched: [String],
        logger: Logger,
        connected: @escaping @Sendable () -> Void,
        disconnected: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.queue = queue
        self.prefetch = max(1, min(prefetch, Int(UInt16.max)))
        window = DeliveryWindow(
            limit: self.prefetch,
            gathering: gathering / .seconds(1),
            patient: patient,
            leisure: ConsumerThread.leisure
        )
        mayHurry = patient != nil
        self.watched = watched
        self.logger = logger
        self.connected = connected
        self.disconnected = disconnected
        (batches, yield) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    var isConnected: Bool { isOpen.load(ordering: .relaxed) }

    /// Whether consuming is stopped because a batch could not be handled.
    var isWaiting: Bool { waits.load(ordering: .relaxed) }
    /// Connections that were lost, or could not be made.
    var lostConnections: Int { losses.load(ordering: .relaxed) }

    /// Without wakening the thread where it would only note that a batch is settled.
    func post(_ request: Request) {
        if case .settle = request, !mustHear.load(ordering: .sequentiallyConsistent) {
            mailbox.put(request)
        } else {
            mailbox.post(request)
        }
    }

    func readyMessages(in queue: String) -> Int? { counts.withLock { $0[queue] } }

    func run() {
        while !isFinished {
            var opened = false
            do {
                let connection = try Connection.open(configuration)
                let name = try prepare(connection)
                self.connection += 1
                isConsuming = false
                mustGiveBack = false
                nextLook = 0
                opened = true
                isOpen.store(true, ordering: .relaxed)
                logger.info("consumer connected", metadata: ["queue": "\(name)"])
                connected()
                try serve(connection, queue: name)
                connection.close()
            } catch {
                losses.wrappingAdd(1, ordering: .relaxed)
                if case .named(let name) = queue, (error as? ConnectionFailure)?.refusal?.isOfSomethingMissing == true {
                    logger.error(
                        "the broker has no such queue: nothing of it is handled until it is declared",
                        metadata: ["queue": "\(name)", "error": "\(error)"]
                    )
                } else {
                    logger.warning("consumer lost its connection", metadata: ["error": "\(error)"])
                }
            }
            window.clear()
            isOpen.store(false, ordering: .relaxed)
            counts.withLock { $0 = [:] }
            if opened { disconnected() }
            takeRequests(nil)
            if !isFinished { mailbox.doorbell.wait(deadline == nil ? backOff.next() : .milliseconds(50)) }
        }
        yield.finish()
    }

    private func prepare(_ connection: Connection) throws -> String {
        try connection.call("set the prefetch") { _ = amqp_basic_qos($0, $1, 0, UInt16(prefetch), 0) }
        switch queue {
        case .named(let name): return name
        case .temporary(let prefix, let exchange, let keys, let length):
            let name = prefix + randomName()
            let kept = length.map { Int32(clamping: 2 * ($0 + prefetch)) } ?? 0
            try connection.call("declare a queue") { state, channel in
                madang_amqp_declare_temporary(state, channel, name, kept)
            }
            for key in keys {
                try connection.call("bind the queue") { state, channel in
                    withBytes(name) { name in
                        withBytes(exchange) { exchange in
                            withBytes(key) { key in
                                _ = amqp_queue_bind(state, channel, name, exchange, key, amqp_empty_table)
                            }
                        }
                    }
                }
            }
            return name
        }
    }

    private func serve(_ connection: Connection, queue name: String) throws {
        while true {
            takeRequests(connection)
            let isWanted = !isPaused && deadline == nil
            if isConsuming, !isWanted || mustGiveBack { try cancel(connection) }
            if !isConsuming, isWanted { try consume(connection, name) }
            if isFinished || window.untilOwed(at: monotonicSeconds()) == 0, let answer = window.takeOwed() {
                connection.encoder.settle(answer)
            }
            if isFinished { return }
            lend()
            try count(connection)
            try look(at: name, connection)
            try connection.write()
            let mustHear = !isConsuming || window.hasWaiting || deadline != nil
            self.mustHear.store(mustHear, ordering: .sequentiallyConsistent)
            // What was settled before that rang for nobody.
            if mustHear, !mailbox.isEmpty { continue }
            if let wait = window.untilBatch(at: monotonicSeconds()), wait > 0, isConsuming, !mayHurry {
                // Whoever gathers wakes up for many deliveries, not for each.
                mailbox.doorbell.wait(.seconds(min(wait + 0.001, ConsumerThread.slice)))
                try connection.receive { try take($0) }
            } else if try connection.wait(doorbell: mailbox.doorbell, seconds: pause) {
                try connection.receive { try take($0) }
            }
        }
    }

    private func consume(_ connection: Connection, _ name: String) throws {
        try connection.call("consume") { state, channel in
            withBytes(name) { name in
                withBytes("madang") { tag in
                    _ = amqp_basic_consume(state, channel, name, tag, 0, 0, 0, amqp_empty_table)
                }
            }
        }
        isConsuming = true
        backOff.reset()
    }

    /// Stops the flow, then gives back what came before it stopped.
    private func cancel(_ connection: Connection) throws {
        try connection.call("cancel") { state, channel in
            withBytes("madang") { tag in _ = amqp_basic_cancel(state, channel, tag) }
        }
        isConsuming = false
        try connection.receive { try take($0) }
        mustGiveBack = false
        // While we stop, the batch in hand is still to be settled; the others go back when the connection closes.
        if lent == nil { for answer in window.giveBack() { connection.encoder.settle(answer) } }
    }

    private func lend() {
        guard lent == nil, isConsuming, let deliveries = window.takeBatch(at: monotonicSeconds()) else { return }
        lent = connection
        yield.yield(Batch(connection: connection, deliveries: deliveries))
    }

    private func take(_ incoming: Incoming) throws {
        switch incoming {
        case .delivered(let tag, let delivery):
            window.arrived(delivery, tag: tag, at: monotonicSeconds())
            arrivedSinceLook += 1
        case .cancelled: throw ConnectionFailure("the broker ended the consuming, perhaps the queue is gone")
        case .answered, .returned, .empty, .blocked, .unblocked, .closing: break
        }
    }

    private func takeRequests(_ open: Connection?) {
        for request in mailbox.take() {
            switch request {
            case .settle(let number, let settlements):
                lent = nil
                guard let open, number == connection else { continue }
                for answer in window.settle(settlements, at: monotonicSeconds()) { open.encoder.settle(answer) }
            case .pause(let number):
                lent = nil
                isPaused = true
                waits.store(true, ordering: .relaxed)
                guard let open, number == connection else { continue }
                mustGiveBack = isConsuming
                if !isConsuming {
                    for answer in window.settle([], at: monotonicSeconds()) { open.encoder.settle(answer) }
                }
            case .resume:
                isPaused = false
                waits.store(false, ordering: .relaxed)
            case .stop: deadline = deadline ?? monotonicSeconds() + ConsumerThread.farewell
            case .abandon:
                lent = nil
                deadline = monotonicSeconds()
            }
        }
    }

    private var isFinished: Bool {
        guard let deadline else { return false }
        return lent == nil || monotonicSeconds() > deadline
    }

    private var regularPause: Double {
        if case .temporary(_, _, _, .some) = queue { ConsumerThread.lookInterval } else { ConsumerThread.countInterval }
    }

    private var pause: Double {
        let now = monotonicSeconds()
        let batch = isConsuming ? window.untilBatch(at: now) ?? .infinity : .infinity
        let owed = window.untilOwed(at: now) ?? .infinity
        // A batch that is settled may ring for nobody, and is told the broker a moment later all the same.
        let settling = lent == nil ? .infinity : ConsumerThread.leisure
        // Waiting counts whole milliseconds.
        return min(regularPause, min(batch, owed, settling) + 0.001)
    }

    /// The broker drops the oldest of a temporary queue without a word. No drop goes unseen: it keeps more than twice
    /// `length`, and between two looks we take at most half of that and what was under way.
    private func look(at name: String, _ connection: Connection) throws {
        guard case .temporary(_, _, _, let length?) = queue else { return }
        guard arrivedSinceLook >= length / 2 || monotonicSeconds() >= nextLook else { return }
        nextLook = monotonicSeconds() + ConsumerThread.lookInterval
        arrivedSinceLook = 0
        if let ready = try connection.readyMessages(in: name), ready > length {
            throw ConnectionFailure("\(ready) messages wait in \(name), more than \(length)")
        }
    }

    private func count(_ connection: Connection) throws {
        guard !watched.isEmpty, monotonicSeconds() >= nextCount else { return }
        nextCount = monotonicSeconds() + ConsumerThread.countInterval
        for name in watched {
            let ready = try connection.readyMessages(in: name)
            counts.withLock { $0[name] = ready }
        }
    }
}

/// 128 random bits in hexadecimal.
private func randomName() -> String {
    func half() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return half() + half()
}
