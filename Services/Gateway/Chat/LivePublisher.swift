// SPDX-License-Identifier: Apache-2.0
// What this gateway tells the others about just now, without keeping any of it.

import Domain
import Events
import Logging
import Messaging
import NIOCore
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Publishes to the exchange `live`. What cannot be sent soon is not worth sending: it keeps little, and the newest of it.
final class LivePublisher: Service {
    private static let most = 2000

    private let publisher: Publisher?
    private let logger: Logger
    private let dropped: Counter
    private let pending = Mutex(CircularBuffer<Message>())
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// - Parameter publisher: nil where there is no broker.
    init(_ publisher: Publisher?, metrics: Metrics, logger: Logger) {
        self.publisher = publisher
        dropped = metrics.counter(
            "madang_gateway_live_dropped_total",
            help: "Messages to other gateways that were not sent: too many waited, or the broker refused them."
        )
        self.logger = logger
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sends an event soon; false when an older one had to make room for it.
    @discardableResult func offer<E: Event>(_ event: E, at moment: Timestamp = .now()) -> Bool {
        let id = EventID.new(at: moment)
        let envelope = Envelope(id: id, time: moment, traceparent: nil, data: event)
        guard let body = try? envelope.message() else { return false }
        var message = Message(
            exchange: E.audience.rawValue,
            routingKey: E.type,
            id: id,
            body: body
        )
        message.persistent = false
        message.mandatory = false
        let hadRoom = pending.withLock { pending in
            let hasRoom = pending.count < LivePublisher.most
            if !hasRoom { pending.removeFirst() }
            pending.append(message)
            return hasRoom
        }
        if !hadRoom { dropped.add() }
        ring.yield()
        return hadRoom
    }

    /// What waits to be sent.
    var waiting: [Message] { pending.withLock { Array($0) } }

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            for await _ in bell { try await send() }
        }
        // The last word, that nobody is here any more.
        guard publisher?.isConnected == true else { return }
        try? await withDeadline(.seconds(2)) { [self] in try await send() }
    }

    private func send() async throws {
        let messages = pending.withLock { pending in
            let taken = Array(pending)
            pending.removeAll()
            return taken
        }
        guard let publisher, !messages.isEmpty else { return }
        let outcomes = try await publisher.publish(messages)
        let refused = outcomes.count { $0 == .refused }
        dropped.add(refused)
        if refused > 0 { logger.warning("the broker refused live messages", metadata: ["count": "\(refused)"]) }
    }
}
