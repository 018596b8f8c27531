// SPDX-License-Identifier: Apache-2.0
// Takes up events that came before the release that knows them.

import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Applies, at the start and from time to time, what waits in `waiting_events` and can be understood by now. An old
/// copy of a process may still put something there while this one runs.
struct WaitingEvents: Service {
    private static let pause = Duration.seconds(15)
    private static let page = 64

    private let queues: [EventQueue]
    private let database: Database
    private let metrics: Metrics
    private let logger: Logger

    init(_ queues: [EventQueue], database: Database, metrics: Metrics, logger: Logger) {
        self.queues = queues
        self.database = database
        self.metrics = metrics
        self.logger = logger
    }

    func run() async throws {
        let counts = Mutex<[String: Int]>([:])
        for queue in queues {
            metrics.gauge(
                "madang_waiting_events",
                help: "Events of a type that this release does not know, or could not apply once it did.",
                labels: [("queue", queue.name)]
            ) { Double(counts.withLock { $0[queue.name] ?? 0 }) }
        }
        await cancelWhenGracefulShutdown {
            await repeatedly(every: WaitingEvents.pause, orSaying: "waiting events stay for now", to: logger) {
                // Nearly always there is nothing, which one look says.
                var waiting = try await Inbox.countWaiting(in: database)
                counts.withLock { $0 = waiting }
                guard !waiting.isEmpty else { return }
                await takeUp(waiting)
                waiting = try await Inbox.countWaiting(in: database)
                counts.withLock { $0 = waiting }
            }
        }
    }

    /// Of each queue by itself: what one waits for keeps no other.
    private func takeUp(_ waiting: [String: Int]) async {
        await withDiscardingTaskGroup { group in
            for queue in queues where waiting[queue.name] != nil {
                group.addTask {
                    do { try await takeUp(queue, Inbox(queue, database: database)) } catch {
                        logger.debug("waiting events stay for now", metadata: ["error": "\(error)"])
                    }
                }
            }
        }
    }

    /// Applies everything that is known by now, one by one.
    func takeUp(_ queue: EventQueue, _ inbox: Inbox) async throws {
        var done: Set<String> = []
        while true {
            let page = try await inbox.waiting(of: queue.types, limit: WaitingEvents.page)
            let new = page.filter { done.insert($0.id).inserted }
            for waiting in new {
                do {
                    guard let arrival = try queue.arrival(of: waiting.envelope, sentAs: waiting.type) else { continue }
                    try await inbox.applyWaiting(waiting.id, arrival)
                } catch  where (error as? PostgresError)?.kind != .away && !(error is CancellationError) {
                    logger.error(
                        "an event that waited failed",
                        metadata: ["event": "\(waiting.id)", "type": "\(waiting.type)", "error": "\(error)"]
                    )
                    try await inbox.waitOn(waiting.id, reason: "\(error)")
                }
            }
            if new.isEmpty { return }
        }
    }
}
