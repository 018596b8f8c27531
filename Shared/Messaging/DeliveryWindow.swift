// SPDX-License-Identifier: Apache-2.0
// Which deliveries a consumer holds and how their settlement is told to the broker.

import DequeModule

/// The unsettled deliveries of one channel: first the batch in hand, then those that wait.
struct DeliveryWindow {
    /// One frame to the broker; `multiple` settles every unsettled delivery up to the tag.
    struct Answer: Equatable {
        let tag: UInt64
        let multiple: Bool
        let settlement: Settlement
    }

    /// The most deliveries of a batch.
    private let limit: Int
    /// Seconds for which the first of a batch waits for others, unless they are as many as a batch may have.
    private let gathering: Double
    /// The routing keys of deliveries that wait; nil when all do.
    private let patient: Set<String>?
    /// Seconds for which an acknowledgement waits for the next ones: a quorum queue writes and syncs its log for each.
    private let leisure: Double
    /// How many of those that wait would rather not.
    private var hurried = 0
    private var inHand: [UInt64] = []
    /// Acknowledgements that the broker has not been told of, and the moment at which it must be.
    private var owed: (tag: UInt64, count: Int, due: Double)?
    private var waiting: Deque<(tag: UInt64, delivery: Delivery, arrival: Double)> = []

    init(limit: Int, gathering: Double = 0, patient: Set<String>? = nil, leisure: Double = 0) {
        self.limit = max(1, limit)
        self.gathering = gathering
        self.patient = patient
        self.leisure = leisure
    }

    var isInHand: Bool { !inHand.isEmpty }
    var hasWaiting: Bool { !waiting.isEmpty }

    /// - Parameter moment: monotonic seconds.
    mutating func arrived(_ delivery: Delivery, tag: UInt64, at moment: Double) {
        waiting.append((tag, delivery, moment))
        if isHurried(delivery) { hurried += 1 }
    }

    private func isHurried(_ delivery: Delivery) -> Bool { patient.map { !$0.contains(delivery.routingKey) } ?? false }

    /// Seconds from `moment` until the next batch may be taken, 0 when it may be now; nil while nothing waits or a batch is
    /// in hand.
    func untilBatch(at moment: Double) -> Double? {
        guard inHand.isEmpty, let first = waiting.first else { return nil }
        return waiting.count >= limit || hurried > 0 ? 0 : max(0, first.arrival + gathering - moment)
    }

    /// Takes the next batch when it may be taken.
    mutating func takeBatch(at moment: Double) -> [Delivery]? {
        guard untilBatch(at: moment) == 0 else { return nil }
        let batch = waiting.prefix(limit)
        inHand = batch.map(\.tag)
        let deliveries = batch.map(\.delivery)
        hurried -= deliveries.count(where: isHurried)
        waiting.removeFirst(deliveries.count)
        return deliveries
    }

    /// Settles the batch in hand: one answer for each run of equal settlements, but acknowledgements at its end are owed where
    /// they may wait. A delivery without a settlement is requeued.
    mutating func settle(_ settlements: [Settlement], at moment: Double = 0) -> [Answer] {
        var answers: [Answer] = []
        var run = 0
        for (index, tag) in inHand.enumerated() {
            let settlement = index < settlements.count ? settlements[index] : .requeue
            run += 1
            let next = index + 1 < settlements.count ? settlements[index + 1] : .requeue
            if index + 1 == inHand.count || next != settlement {
                // Whatever was older is settled already, so that all up to the tag are just the run.
                if settlement == .acknowledge, leisure > 0 {
                    owed = (tag, (owed?.count ?? 0) + run, owed?.due ?? moment + leisure)
                } else {
                    if let acknowledgement = takeOwed() { answers.append(acknowledgement) }
                    answers.append(Answer(tag: tag, multiple: run > 1, settlement: settlement))
                }
                run = 0
            }
        }
        inHand = []
        return answers
    }

    /// Seconds from `moment` until the broker must be told what is owed; nil when nothing is.
    func untilOwed(at moment: Double) -> Double? {
        owed.map { 2 * $0.count >= limit ? 0 : max(0, $0.due - moment) }
    }

    /// All acknowledgements that are owed, in one answer.
    mutating func takeOwed() -> Answer? {
        defer { owed = nil }
        return owed.map { Answer(tag: $0.tag, multiple: $0.count > 1, settlement: .acknowledge) }
    }

    /// Gives everything back: the batch in hand and what waits.
    mutating func giveBack() -> [Answer] {
        let acknowledgement = takeOwed()
        let last = waiting.last?.tag ?? inHand.last
        let count = waiting.count + inHand.count
        clear()
        let requeued = last.map { Answer(tag: $0, multiple: count > 1, settlement: .requeue) }
        return [acknowledgement, requeued].compactMap(\.self)
    }

    mutating func clear() {
        inHand = []
        waiting.removeAll()
        hurried = 0
        owed = nil
    }
}
