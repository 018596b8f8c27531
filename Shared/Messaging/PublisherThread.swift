// SPDX-License-Identifier: Apache-2.0
// The thread behind a publisher.

import CRabbitMQ
import Domain
import Logging
import Synchronization

/// Holds the connection, what is to be sent and what is to be confirmed. Everything but the mailbox and the two flags
/// belongs to the thread that runs `run`.
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
        mailbox.post(request)
        if closed.load(ordering: .sequentiallyConsistent) { refuse() }
    }

    func run() {
        while !isFinished {
            do {
                let connection = try Connection.open(configuration)
                try connection.call("select confirms") { _ = amqp_confirm_select($0, $1) }
                defer {
                    connected.store(false, ordering: .relaxed)
                    blocked.store(false, ordering: .relaxed)
                }
                connected.store(true, ordering: .relaxed)
                logger.info("publisher connected")
                backOff.reset()
                try serve(connection)
                connection.close()
            } catch {
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
        }
        window.abandon { $0.batch.finish(.failure(PublisherClosed())) }
        closed.store(true, ordering: .sequentiallyConsistent)
        refuse()
    }

    private func serve(_ connection: Connection) throws {
        while true {
            takeRequests()
            if isFinished { return }
            if !isBlocked {
                while window.canSend, !connection.isCongested, let entry = window.send(messageID: { $0.message.id }) {
                    connection.encoder.publish(entry.message)
                }
            }
            try connection.write()
            if try connection.wait(doorbell: mailbox.doorbell, seconds: deadline == nil ? 60 : 0.1) {
                try connection.receive { try take($0) }
            }
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
