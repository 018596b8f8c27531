// SPDX-License-Identifier: Apache-2.0
// Turns a batch of deliveries into effects and settlements.

import Logging
import Messaging
import Postgres
import ServiceKit

/// Applies the deliveries of one queue.
///
/// A batch is one transaction. When it fails because of one of its events, each gets a transaction of its own, so that
/// only the culprit goes to the dead letters. When the database is away, nothing is settled and consuming pauses.
struct EventConsumer: Sendable {
    enum Outcome: String {
        case applied, duplicate, rejected, failed
    }

    private struct Pending {
        let index: Int
        let arrival: Arrival
    }

    /// Failed attempts after which an event goes to the dead letters.
    static let attempts = 5
    /// Deliveries after which a message may be the one that ends the process: it is tried alone, its attempt noted first.
    static let suspicious = 3

    let queue: EventQueue
    let inbox: Inbox
    let metrics: Metrics
    let logger: Logger

    init(queue: EventQueue, database: Database, metrics: Metrics, logger: Logger) {
        self.queue = queue
        self.metrics = metrics
        inbox = Inbox(consumer: queue.name, database: database)
        var logger = logger
        logger[metadataKey: "queue"] = "\(queue.name)"
        self.logger = logger
    }

    func handle(_ deliveries: [Delivery]) async throws -> [Settlement] {
        Failpoint.reach("consumer.delivered")
        var outcomes = [Outcome](repeating: .rejected, count: deliveries.count)
        var together: [Pending] = []
        var alone: [Pending] = []
        for (index, delivery) in deliveries.enumerated() {
            do {
                let arrival = try queue.arrival(of: delivery.body, routingKey: delivery.routingKey)
                let pending = Pending(index: index, arrival: arrival)
                if delivery.deliveryCount < EventConsumer.suspicious {
                    together.append(pending)
                } else {
                    alone.append(pending)
                }
            } catch let error as Unacceptable {
                try await bury(delivery, error.reason)
            }
        }
        if !together.isEmpty {
            do {
                var new = try await inbox.apply(together.map(\.arrival))
                for pending in together {
                    outcomes[pending.index] = new.remove(pending.arrival.id) == nil ? .duplicate : .applied
                }
            } catch  where together.count > 1 && !isBeyondEvents(error) {
                for pending in together {
                    outcomes[pending.index] = try await applyAlone(pending, deliveries[pending.index])
                }
            } catch  where !isBeyondEvents(error) {
                outcomes[together[0].index] = try await settle(error, together[0], deliveries[together[0].index], nil)
            }
        }
        for pending in alone { outcomes[pending.index] = try await applySuspect(pending, deliveries[pending.index]) }

        Failpoint.reach("consumer.committed")
        count(outcomes)
        if outcomes.allSatisfy({ $0 == .failed }) {
            // Nothing but tries that failed: the next come at once, so leave the cause a moment to go away.
            let tries = deliveries.map(\.deliveryCount).max() ?? 0
            try await Task.sleep(for: .milliseconds(50 << min(max(tries, 0), 4)))
        }
        return outcomes.map { outcome in
            switch outcome {
            case .applied, .duplicate: .acknowledge
            case .rejected: .reject
            case .failed: .requeue
            }
        }
    }

    private func applyAlone(_ pending: Pending, _ delivery: Delivery) async throws -> Outcome {
        do {
            return try await inbox.apply([pending.arrival]).isEmpty ? .duplicate : .applied
        } catch  where !isBeyondEvents(error) {
            return try await settle(error, pending, delivery, nil)
        }
    }

    private func applySuspect(_ pending: Pending, _ delivery: Delivery) async throws -> Outcome {
        let reason = "in hand when its consumer ended"
        let tries = try await inbox.noteAttempt(pending.arrival.id, reason: reason)
        guard tries <= EventConsumer.attempts else {
            try await bury(delivery, "\(reason), \(EventConsumer.attempts) times")
            return .rejected
        }
        do {
            return try await inbox.apply([pending.arrival]).isEmpty ? .duplicate : .applied
        } catch  where !isBeyondEvents(error) {
            return try await settle(error, pending, delivery, tries)
        }
    }

    /// - Parameter tries: the attempts noted, this one included; nil when it is not noted yet.
    private func settle(
        _ error: any Error,
        _ pending: Pending,
        _ delivery: Delivery,
        _ tries: Int?
    ) async throws -> Outcome {
        if let unacceptable = error as? Unacceptable {
            try await bury(delivery, unacceptable.reason)
            return .rejected
        }
        var noted = tries ?? 0
        if tries == nil { noted = try await inbox.noteAttempt(pending.arrival.id, reason: "\(error)") }
        logger.warning(
            "event failed",
            metadata: ["event": "\(pending.arrival.id)", "attempts": "\(noted)", "error": "\(error)"]
        )
        guard noted >= EventConsumer.attempts else { return .failed }
        try await bury(delivery, "failed \(noted) times: \(error)")
        return .rejected
    }

    private func bury(_ delivery: Delivery, _ reason: String) async throws {
        let reason = String(reason.prefix(1000)).replacing("\0", with: "")
        logger.error(
            "event goes to the dead letters",
            metadata: [
                "event": "\(delivery.messageID ?? "-")", "type": "\(delivery.routingKey)", "reason": "\(reason)",
            ]
        )
        guard let id = delivery.messageID else { return }
        try await inbox.noteDeath(id, type: delivery.routingKey, reason: reason)
    }

    /// Whether the cause lies in no event: the database is away, or we are stopping.
    private func isBeyondEvents(_ error: any Error) -> Bool {
        if error is CancellationError || Task.isCancelled { return true }
        return (error as? PostgresError)?.isUnavailable ?? false
    }

    private func count(_ outcomes: [Outcome]) {
        for (outcome, group) in Dictionary(grouping: outcomes, by: \.self) {
            metrics.count(
                "madang_consumer_deliveries_total",
                help: "Deliveries, by what became of them.",
                labels: [("queue", queue.name), ("outcome", outcome.rawValue)],
                by: group.count
            )
        }
    }
}
