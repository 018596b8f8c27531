// SPDX-License-Identifier: Apache-2.0
// The thread behind a publisher, and what it and those who publish do in turns.

import CRabbitMQ
import Domain
import Logging
import Synchronization

/// Holds the connection, what is to be sent and what is to be confirmed. Everything but the mailbox, the flags and the messages of
/// others belongs to whoever has the turn: the thread that runs `run` when the broker has answered or time is up, else whoever
/// publishes. So a message goes to the broker without waking anybody.
final class PublisherThread: @unchecked Sendable {
    enum Request: Sendable {
        case publish(Batch)
        case stop
    }

    /// The messages of one `publish`. Their outcomes belong to the thread, the continuation to whoever takes it first.
    final class Batch: @unchecked Sendable {
        let messages: [Message]
        let continuation = Mutex<CheckedContinuation<[PublishOutcome], any Error>?>(nil)
        private var outcomes: [PublishOutcome]
        private var missing: Int

        init(_ messages: [Message]) {
            self.messages = messages
            outcomes = Array(repeating: .refused, count: messages.count)
            missing = messages.count
        }

        func resolve(_ index: Int, _ outcome: PublishOutcome) {
            outcomes[index] = outcome
            missing -= 1
            if missing == 0 { finish(.success(outcomes)) }
        }

        func finish(_ result: Result<[PublishOutcome], any Error>) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(with: result)
        }
    }

    private struct Entry {
        let batch: Batch
        let index: Int
        var message: Message { batch.messages[index] }
    }

    private static let farewell = 5.0

    private let configuration: BrokerConfiguration
    private let logger: Logger
    private let mailbox = Mailbox<Request>()
    private let connected = Atomic(false)
    private let blocked = Atomic(false)
    private let losses = Atomic(0)
    private let closed = Atomic(false)
    private let turn = Mutex(())
    /// The connection while it serves.
    private var open: Connection?
    /// Why it must be given up, found by another than the thread.
    private var failure: (any Error)?
    private var window: ConfirmWindow<Entry>
    private var backOff = BackOff()
    /// When what is unconfirmed is given up; nil while nobody wants to stop.
    private var deadline: Double?

    init(_ configuration: BrokerConfiguration, window: Int, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        self.window = ConfirmWindow(limit: window)
    }

    var isConnected: Bool { connected.load(ordering: .relaxed) }
    /// Connections that were lost, or could not be made.
    var lostConnections: Int { losses.load(ordering: .relaxed) }
    var isBlocked: Bool { blocked.load(ordering: .relaxed) }

    func post(_ request: Request) {
        let isFirst = mailbox.put(request)
        if !sendWaiting(), isFirst { mailbox.doorbell.ring() }
        if closed.load(ordering: .sequentiallyConsistent) { refuse() }
    }

    func run() {
        while !isFinished {
            do {
                let connection = try Connection.open(configuration)
                try connection.call("select confirms") { _ = amqp_confirm_select($0, $1) }
                try serve(connection)
                connection.close()
            } catch {
                lost(error)
            }
        }
        window.abandon { $0.batch.finish(.failure(PublisherClosed())) }
        closed.store(true, ordering: .sequentiallyConsistent)
        refuse()
    }

    private func serve(_ connection: Connection) throws {
        turn.withLock { _ in
            open = connection
            failure = nil
        }
        connected.store(true, ordering: .relaxed)
        logger.info("publisher connected")
        backOff.reset()
        defer {
            connected.store(false, ordering: .relaxed)
            blocked.store(false, ordering: .relaxed)
            turn.withLock { _ in open = nil }
        }
        while true {
            let pause: Connection.Pause? = try turn.withLock { _ in
                try send(over: connection)
                if let failure { throw failure }
                return isFinished ? nil : try connection.pause(seconds: deadline == nil ? 60 : 0.1)
            }
            guard let pause else { return }
            // What was left while this thread had the turn.
            guard mailbox.isEmpty else { continue }
            if pause.wait(mailbox.doorbell) { try turn.withLock { _ in try connection.receive { try take($0) } } }
        }
    }

    /// Sends what waits, unless somebody has the turn, who looks once more when it is over.
    ///
    /// - Returns: false when the thread must see to it.
    private func sendWaiting() -> Bool {
        while !mailbox.isEmpty {
            let isSent: Bool? = turn.withLockIfAvailable { _ in
                guard let open, failure == nil else { return false }
                do { try send(over: open) } catch { failure = error }
                // What the broker does not take now, a failure and the end are the thread's.
                if open.hasUnwritten || failure != nil || deadline != nil { mailbox.doorbell.ring() }
                return true
            }
            if isSent == false { return false }
            if isSent == nil { return true }
        }
        return true
    }

    private func send(over connection: Connection) throws {
        takeRequests()
        if !isBlocked {
            while window.canSend, !connection.isCongested, let entry = window.send(messageID: { $0.message.id }) {
                connection.encoder.publish(entry.message)
            }
        }
        try connection.write()
    }

    /// Nobody else has a turn while no connection serves.
    private func lost(_ error: any Error) {
        let refusal = (error as? ConnectionFailure)?.refusal
        let isRefused = refusal?.isOfPublish ?? false
        losses.wrappingAdd(1, ordering: .relaxed)
        logger.warning("publisher lost its connection", metadata: ["error": "\(error)"])
        if let refusal, isRefused {
            if let entry = window.refused() {
                entry.batch.resolve(entry.index, .unpublishable(code: refusal.code, refusal.text))
            }
        } else {
            window.lost()
        }
        takeRequests()
        // One message's fault is no reason to wait.
        if !isFinished, !isRefused {
            mailbox.doorbell.wait(deadline == nil ? backOff.next() : .milliseconds(100))
        }
    }

    private func take(_ incoming: Incoming) throws {
        switch incoming {
        case .answered(let tag, let multiple, let refused):
            window.answered(tag, multiple: multiple, refused: refused) { $0.batch.resolve($0.index, $1) }
        case .returned(let messageID, let reason): window.returned(messageID: messageID, reason: reason)
        case .blocked(let reason):
            blocked.store(true, ordering: .relaxed)
            logger.warning("broker blocks publishing", metadata: ["reason": "\(reason)"])
        case .unblocked:
            blocked.store(false, ordering: .relaxed)
            logger.info("broker allows publishing again")
        case .delivered, .empty, .cancelled, .closing: break
        }
    }

    private func takeRequests() {
        for request in mailbox.take() {
            switch request {
            case .publish(let batch):
                for (index, message) in batch.messages.enumerated() {
                    if message.isEncodable {
                        window.enqueue(Entry(batch: batch, index: index))
                    } else {
                        batch.resolve(index, .unpublishable(code: 0, "its names are longer than the protocol allows"))
                    }
                }
            case .stop: deadline = deadline ?? monotonicSeconds() + PublisherThread.farewell
            }
        }
    }

    private var isFinished: Bool {
        guard let deadline else { return false }
        return window.isEmpty || monotonicSeconds() > deadline
    }

    /// Answers those who came too late. Any thread may do so once `run` is over, but only for what is in the mailbox.
    private func refuse() {
        for request in mailbox.take() {
            if case .publish(let batch) = request { batch.finish(.failure(PublisherClosed())) }
        }
    }
}
