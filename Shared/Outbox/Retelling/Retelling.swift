// SPDX-License-Identifier: Apache-2.0
// Tells again what a service owns, to queues that are rebuilt.

import Domain
import Events
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

extension EventQueue {
    /// The queue from which an owner learns who wants what to be told again.
    public static func retelling(of service: String, _ tellers: [Teller]) -> EventQueue {
        func reaction<Asker>(to _: RebuildAdvanced<Asker>.Type) -> Reaction {
            Reaction(to: RebuildAdvanced<Asker>.self) { envelope, transaction in
                let news = envelope.data
                guard news.queue.hasPrefix("\(RebuildAdvanced<Asker>.owner).") else {
                    throw Unacceptable("\(envelope.source) does not own \(printable(news.queue))")
                }
                // Whoever reacts to nothing that is told here does not wait for it.
                guard news.types.contains(where: { $0.hasPrefix("\(service).") }) else { return }
                let applied = news.applied.first { $0.owner == service }?.events
                RetellingStore.keep(news, applied: applied ?? 0, in: transaction)
            }
        }
        let all = [
            reaction(to: RebuildAdvanced<RebuildAskers.Posts>.self),
            reaction(to: RebuildAdvanced<RebuildAskers.Chat>.self),
            reaction(to: RebuildAdvanced<RebuildAskers.Notifications>.self),
            reaction(to: RebuildAdvanced<RebuildAskers.Search>.self),
            reaction(to: RebuildAdvanced<RebuildAskers.Auth>.self),
            reaction(to: RebuildAdvanced<RebuildAskers.Media>.self),
        ]
        return EventQueue("\(service).retelling", all.filter { !$0.type.hasPrefix("\(service).") })
    }
}

/// Goes through what a service owns, step by step, and tells it to the queues that asked, whichever of several is least
/// ahead. Every copy of the process takes part. A step and how far it came are one transaction.
struct Retelling: Service {
    /// Rows of the outbox beyond which nothing is told again, so that other events are not held up.
    private static let outbox = 300
    private static let limit = 250
    private static let pause = Duration.milliseconds(100)
    private static let failures = 5

    let service: String
    let tellers: [Teller]
    let database: Database
    let metrics: Metrics
    let logger: Logger
    /// Rung when there may be something to do.
    var bell: Bell?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let underWay = Atomic(0)
            metrics.gauge("madang_retellings_under_way", help: "Queues to which what is owned here is told again.") {
                Double(underWay.load(ordering: .relaxed))
            }
            await repeatedly(
                every: underWay.load(ordering: .relaxed) == 0 ? bell.idlePause : Retelling.pause,
                wokenBy: bell,
                orSaying: "nothing is told again for now",
                to: logger
            ) {
                let queues = try await RetellingStore.countUnderWay(in: database)
                underWay.store(queues, ordering: .relaxed)
                guard queues > 0 else { return }
                while try await step() { try Task.checkCancellation() }
            }
        }
    }

    /// Tells some rows again.
    ///
    /// - Returns: whether there was anything to tell.
    func step() async throws -> Bool {
        try await database.workOff(
            next: { try await RetellingStore.next(outbox: Retelling.outbox, in: $0) },
            work: { row, transaction in
                try await tell(row, transaction)
                Failpoint.reach("retelling.told")
            }
        ) { row, error in
            logger.log(
                level: row.attempts + 1 >= Retelling.failures ? .error : .warning,
                "a step of telling again failed",
                metadata: ["queue": "\(row.queue)", "kind": "\(row.kind)", "error": "\(error)"]
            )
            try await RetellingStore.putOff(row.queue, reason: "\(error)", in: database)
        }
    }

    private func tell(_ row: RetellingRow, _ transaction: Transaction) async throws {
        let wanted = Set(row.types)
        let mine = tellers.filter { !$0.types.isDisjoint(with: wanted) }
        let turn = mine.firstIndex { $0.name == row.kind } ?? 0
        guard mine.indices.contains(turn) else { return try end(row, told: 0, transaction) }
        let teller = mine[turn]
        let key = teller.name == row.kind ? row.position : []
        // One that was too much for its time may do with less.
        let limit = max(min(Retelling.limit >> min(row.attempts, 6), Int(clamping: row.room)), 1)
        let step = try await teller.step(Teller.Place(after: key, limit: limit), transaction)
        let facts = step.facts.filter { wanted.contains(type(of: $0.event).type) }
        for fact in facts {
            try transaction.retell(fact.event, at: fact.moment, to: row.queue, for: row.rebuildID)
        }
        let following = step.last == nil ? mine.dropFirst(turn + 1).first : teller
        guard let following else { return try end(row, told: facts.count, transaction) }
        RetellingStore.advance(
            row,
            to: following.name,
            after: step.last ?? [],
            telling: facts.count,
            isOver: false,
            in: transaction
        )
    }

    private func end(_ row: RetellingRow, told: Int, _ transaction: Transaction) throws {
        RetellingStore.advance(row, to: row.kind, after: [], telling: told, isOver: true, in: transaction)
        guard let end = Catalogue.retellings.first(where: { $0.owner == service }) else {
            throw Unacceptable("\(service) has no event for the end of what it tells again: RetellingOwners")
        }
        let finished = end.init(queue: row.queue, rebuildID: row.rebuildID, told: row.told + Int64(told))
        try transaction.retell(finished, at: .now(), to: row.queue, for: row.rebuildID)
        logger.notice(
            "told everything again",
            metadata: ["queue": "\(row.queue)", "events": "\(row.told + Int64(told))"]
        )
    }
}
