// SPDX-License-Identifier: Apache-2.0
// Turns a batch of deliveries into effects and settlements.

import Logging
import Messaging
import Postgres
import ServiceKit

/// Applies the deliveries of one queue.
///
/// A batch is one transaction. One that fails or takes too long is halved, down to the event that is to blame; only
/// that one's attempts are counted, in the database. What no event is to blame for (the database is away) counts
/// nothing: nothing is settled and consuming pauses.
struct EventConsumer: Sendable {
    enum Outcome: String {
        case applied, duplicate, waiting, rejected, failed
        /// Nothing follows from it, so nothing notes that it came.
        case ignored
        /// Another transaction was in the way.
        case postponed
    }

    struct Pending {
        let index: Int
        let arrival: Arrival
        /// Attempts noted so far, the one under way included when it was noted beforehand.
        var attempts = 0
        /// Whether the attempt under way is noted already.
        var isNoted = false
    }

    /// Failed attempts after which an event goes to the dead letters.
    static let attempts = 5

    let queue: EventQueue
    let inbox: Inbox
    let metrics: Metrics
    let logger: Logger
    private let database: Database
    private let unknown = OnceEach()

    init(queue: EventQueue, database: Database, metrics: Metrics, logger: Logger) {
        self.queue = queue
        self.metrics = metrics
        self.database = database
        inbox = Inbox(queue, database: database)
        var logger = logger
        logger[metadataKey: "queue"] = "\(queue.name)"
        self.logger = logger
    }

    func handle(_ deliveries: [Delivery]) async throws -> [Settlement] {
        Failpoint.reach("consumer.delivered")
        var outcomes = [Outcome](repeating: .rejected, count: deliveries.count)
        var fresh: [Pending] = []
        var returned: [Pending] = []
        for (index, delivery) in deliveries.enumerated() {
            do {
                switch try queue.read(delivery) {
                case .known(let arrival) where !queue.concerns(arrival): outcomes[index] = .ignored
                case .known(let arrival) where delivery.redelivered:
                    returned.append(Pending(index: index, arrival: arrival))
                case .known(let arrival): fresh.append(Pending(index: index, arrival: arrival))
                case .unknown(let id, let type):
                    try await keepWaiting(id, type, delivery)
                    outcomes[index] = .waiting
                }
            } catch let error as Unacceptable {
                try await bury(delivery, error.reason)
            }
        }
        // Good ones first: who was given back may be slow, or end the process.
        try await applyInTurn(fresh, deliveries, &outcomes)
        let tries = try await applyReturned(returned, deliveries, &outcomes)

        Failpoint.reach("consumer.committed")
        count(outcomes)
        if outcomes.contains(.applied) { queue.applied?.ring() }
        if !outcomes.contains(.applied), outcomes.contains(where: { $0 == .failed || $0 == .postponed }) {
            // Nothing new but tries that failed: the next come at once, so leave the cause a moment to go away.
            try await Task.sleep(for: .milliseconds(50 << min(max(tries, 0), 4)))
        }
        return outcomes.map { outcome in
            switch outcome {
            case .applied, .duplicate, .waiting, .ignored: .acknowledge
            case .rejected: .reject
            case .failed, .postponed: .requeue
            }
        }
    }

    /// As many to a transaction as the broker would hand over of single ones: packs bring more.
    private func applyInTurn(_ pendings: [Pending], _ deliveries: [Delivery], _ outcomes: inout [Outcome]) async throws
    {
        let most = max(1, queue.prefetch)
        for start in stride(from: 0, to: pendings.count, by: most) {
            try await apply(pendings[start..<min(start + most, pendings.count)], deliveries, &outcomes)
        }
    }

    // MARK: In halves

    private func apply(_ part: ArraySlice<Pending>, _ deliveries: [Delivery], _ outcomes: inout [Outcome]) async throws
    {
        guard let first = part.first else { return }
        do {
            var new = try await inbox.apply(part.map(\.arrival), within: patience(for: part.count))
            for pending in part {
                outcomes[pending.index] = new.remove(pending.arrival.id) == nil ? .duplicate : .applied
            }
        } catch {
            try await requireBlame(error)
            guard part.count > 1 else {
                outcomes[first.index] = try await settle(error, first, deliveries[first.index])
                return
            }
            let middle = part.startIndex + part.count / 2
            try await apply(part[..<middle], deliveries, &outcomes)
            try await apply(part[middle...], deliveries, &outcomes)
        }
    }

    /// A batch may take longer than one event, but not as long as all its events one after the other.
    private func patience(for count: Int) -> Duration {
        database.deadline * (1 + Double(max(count, 1) - 1) / 20)
    }

    /// Throws `error` unless one of the events may be to blame for it.
    private func requireBlame(_ error: any Error) async throws {
        let isBeyond: Bool
        if error is CancellationError || Task.isCancelled {
            isBeyond = true
        } else {
            switch (error as? PostgresError)?.kind {
            case .away: isBeyond = true
            // A database that answers nothing at all within our time is away, only it cannot say so.
            case .slow: isBeyond = await !database.isAnswering
            case .conflict, .own, nil: isBeyond = false
            }
        }
        if isBeyond { throw error }
    }

    // MARK: Those that come again

    /// Applies what the broker delivered before. One of these may be what ended the process, so that each attempt is
    /// noted before it begins; who was noted before is tried alone, those with the fewest attempts first.
    ///
    /// - Returns: the most attempts that one has had.
    private func applyReturned(
        _ returned: [Pending],
        _ deliveries: [Delivery],
        _ outcomes: inout [Outcome]
    ) async throws -> Int {
        if returned.isEmpty { return 0 }
        let history = try await inbox.history(of: returned.map(\.arrival.id))
        var together: [Pending] = []
        var alone: [Pending] = []
        for var pending in returned {
            guard !history.handled.contains(pending.arrival.id) else {
                outcomes[pending.index] = .duplicate
                continue
            }
            // Buried, it comes again with another of its pack: tried anew, two that fail in turns would never both be dead.
            guard !history.dead.contains(pending.arrival.id) || deliveries[pending.index].isReplayed else {
                outcomes[pending.index] = .rejected
                continue
            }
            guard let noted = history.noted[pending.arrival.id] else {
                together.append(pending)
                continue
            }
            pending.attempts = noted.attempts
            if noted.attempts >= EventConsumer.attempts {
                try await bury(deliveries[pending.index], "\(noted.reason), \(noted.attempts) times")
            } else {
                alone.append(pending)
            }
        }
        try await applyNoted(together, deliveries, &outcomes)
        alone.sort { $0.attempts < $1.attempts }
        for pending in alone { try await applyNoted([pending], deliveries, &outcomes) }
        return alone.last?.attempts ?? 0
    }

    private func applyNoted(
        _ pendings: [Pending],
        _ deliveries: [Delivery],
        _ outcomes: inout [Outcome]
    ) async throws {
        if pendings.isEmpty { return }
        let ids = pendings.map(\.arrival.id)
        try await inbox.noteAttempts(ids, reason: "in hand when its consumer ended")
        let noted = pendings.map { pending in
            var pending = pending
            pending.attempts += 1
            pending.isNoted = true
            return pending
        }
        do {
            try await applyInTurn(noted, deliveries, &outcomes)
        } catch {
            // By no event's fault; what was applied or has failed by then is better counted too low than too high.
            inbox.owe(ids)
            throw error
        }
    }

    // MARK: What failed

    private func settle(_ error: any Error, _ pending: Pending, _ delivery: Delivery) async throws -> Outcome {
        let id = pending.arrival.id
        if let unacceptable = error as? Unacceptable {
            try await bury(delivery, unacceptable.reason)
            return .rejected
        }
        if (error as? PostgresError)?.kind == .conflict {
            if pending.isNoted { try await inbox.takeBack([id]) }
            return .postponed
        }
        let noted = try await inbox.noteFailure(id, reason: "\(error)", isNoted: pending.isNoted)
        logger.warning("event failed", metadata: ["event": "\(id)", "attempts": "\(noted)", "error": "\(error)"])
        guard noted >= EventConsumer.attempts else { return .failed }
        try await bury(delivery, "failed \(noted) times: \(error)")
        return .rejected
    }

    private func bury(_ delivery: Delivery, _ reason: String) async throws {
        let reason = storable(reason)
        let type = storable(queue.sentAs(delivery))
        logger.error(
            "event goes to the dead letters",
            metadata: ["event": "\(delivery.key)", "type": "\(type)", "reason": "\(reason)"]
        )
        let known = try? queue.read(delivery)
        try await inbox.noteDeath(delivery.key, attempted: known?.id ?? "", type: type, reason: reason)
    }

    private func keepWaiting(_ id: String, _ type: String, _ delivery: Delivery) async throws {
        try await inbox.keepWaiting(id, type: type, envelope: delivery.body)
        unknown.once(type) {
            logger.warning("events of an unknown type wait for a release that knows it", metadata: ["type": "\(type)"])
        }
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

/// A text that a column takes: no NUL, and no more than the operator wants to read.
func storable(_ text: String) -> String { String(text.prefix(1000)).replacing("\0", with: "") }
