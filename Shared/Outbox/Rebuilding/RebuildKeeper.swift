// SPDX-License-Identifier: Apache-2.0
// Carries rebuilds out: tells owners how far they are and, in the end, withdraws what nobody told of.

import Domain
import Events
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Brings the rebuilds of a service's queues on; every copy of the process does, one at a time for each queue. What it does
/// is committed step by step, so that another goes on where one was killed.
struct RebuildKeeper: Service {
    private static let pause = Duration.milliseconds(100)
    private static let idlePause = Duration.seconds(5)

    let service: String
    let queues: [EventQueue]
    let database: Database
    let metrics: Metrics
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let underWay = Atomic(0)
            metrics.gauge("madang_rebuilds_under_way", help: "Queues whose projections are being rebuilt.") {
                Double(underWay.load(ordering: .relaxed))
            }
            var isRegistered = false
            // Of a rebuild that ended before this process began, too.
            var mayHaveSeen = true
            await repeatedly(
                every: underWay.load(ordering: .relaxed) == 0 ? RebuildKeeper.idlePause : RebuildKeeper.pause,
                orSaying: "rebuilds wait",
                to: logger
            ) {
                if !isRegistered { try await RebuildStore.register(queues.map(\.name), in: database) }
                isRegistered = true
                let rebuilds = try await RebuildStore.all(in: database).filter(\.state.isUnderWay)
                underWay.store(rebuilds.count, ordering: .relaxed)
                for queue in queues where rebuilds.contains(where: { $0.queue == queue.name }) {
                    while try await step(queue) { try Task.checkCancellation() }
                }
                if !rebuilds.isEmpty {
                    mayHaveSeen = true
                } else if mayHaveSeen {
                    while try await RebuildStore.forgetSeen(in: database) > 0 { try Task.checkCancellation() }
                    mayHaveSeen = false
                }
            }
        }
    }

    /// Does the next thing for a queue's rebuild.
    ///
    /// - Returns: whether there may be more to do at once.
    func step(_ queue: EventQueue) async throws -> Bool {
        try await database.transaction { transaction in
            guard let rebuild = queue.rebuild, let row = try await RebuildStore.take(queue.name, in: transaction) else {
                return false
            }
            switch (row.state, row.id) {
            case (.asked, _):
                let id = EventID.new()
                // Without anybody who tells again nothing may go.
                guard !queue.owners.isEmpty else { throw Unacceptable("nobody tells \(queue.name) anything again") }
                RebuildStore.start(queue.name, as: id, owners: queue.owners, in: transaction)
                try tell(queue, id, row.version + 1, of: [], in: transaction)
                logger.notice("a rebuild begins", metadata: ["queue": "\(queue.name)", "rebuild": "\(id)"])
                return false
            case (.retelling, let id?):
                let owners = try await RebuildStore.owners(of: [queue.name], in: transaction)
                if owners.allSatisfy(\.isDone) {
                    RebuildStore.set(.withdrawing, of: queue.name, in: transaction)
                    return true
                }
                if owners.contains(where: { $0.applied > $0.announced }) {
                    RebuildStore.announce(owners, in: transaction)
                    try tell(queue, id, row.version + 1, of: owners, in: transaction)
                }
                return false
            case (.withdrawing, let id?):
                if rebuild.withdrawals.indices.contains(row.withdrawn) {
                    let withdrawal = rebuild.withdrawals[row.withdrawn]
                    let rows = try await RebuildStore.untold(withdrawal, in: id, transaction)
                    var removed = 0
                    if !rows.isEmpty {
                        // Looked for without holding anybody back, and looked at again.
                        RebuildStore.holdConsumers(of: queue.name, in: transaction)
                        removed = try await RebuildStore.remove(rows, withdrawal, in: id, transaction)
                    }
                    RebuildStore.withdrew(removed, isLast: rows.isEmpty, from: queue.name, in: transaction)
                    return true
                }
                RebuildStore.set(.finished, of: queue.name, in: transaction)
                logger.notice("a rebuild is done", metadata: ["queue": "\(queue.name)", "removed": "\(row.removed)"])
                return false
            case (.abandoning, let id?):
                try tell(queue, id, row.version + 1, of: [], isAbandoned: true, in: transaction)
                RebuildStore.set(.abandoned, of: queue.name, in: transaction)
                logger.notice("a rebuild is given up", metadata: ["queue": "\(queue.name)"])
                return false
            default: return false
            }
        }
    }

    private func tell(
        _ queue: EventQueue,
        _ id: String,
        _ version: Int64,
        of owners: [RebuildOwner],
        isAbandoned: Bool = false,
        in transaction: Transaction
    ) throws {
        func record<Asker: EventName>(_: Asker.Type) throws {
            try transaction.record(
                RebuildAdvanced<Asker>(
                    queue: queue.name,
                    rebuildID: id,
                    types: queue.reactions.map(\.type).sorted(),
                    applied: owners.map { RetoldCount(owner: $0.owner, events: $0.applied) },
                    isAbandoned: isAbandoned,
                    subjectVersion: version
                )
            )
        }
        switch service {
        case "posts": try record(RebuildAskers.Posts.self)
        case "chat": try record(RebuildAskers.Chat.self)
        case "notifications": try record(RebuildAskers.Notifications.self)
        case "search": try record(RebuildAskers.Search.self)
        case "auth": try record(RebuildAskers.Auth.self)
        case "media": try record(RebuildAskers.Media.self)
        default: throw Unacceptable("\(service) has no event for rebuilds: RebuildAskers")
        }
    }
}
