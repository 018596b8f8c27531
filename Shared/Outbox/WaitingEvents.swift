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
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for queue in queues { group.addTask { await repeatedly(queue) } }
            }
        }
    }

    private func repeatedly(_ queue: EventQueue) async {
        let inbox = Inbox(queue, database: database)
        let count = Count()
        metrics.gauge(
            "madang_waiting_events",
            help: "Events of a type that this release does not know, or could not apply once it did.",
            labels: [("queue", queue.name)]
        ) { Double(count.value.load(ordering: .relaxed)) }
        repeat {
            do {
                // Nearly always there is nothing, which one look says.
                var waiting = try await inbox.countWaiting()
                if waiting > 0 {
                    try await takeUp(queue, inbox)
                    waiting = try await inbox.countWaiting()
                }
                count.value.store(waiting, ordering: .relaxed)
            } catch {
                logger.debug("waiting events stay for now", metadata: ["error": "\(error)"])
            }
        } while (try? await Task.sleep(for: WaitingEvents.pause)) != nil
    }

    private final class Count: Sendable { let value = Atomic(0) }

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
