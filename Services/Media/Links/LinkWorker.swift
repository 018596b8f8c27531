// SPDX-License-Identifier: Apache-2.0
// Fetches the pages that are due, some at a time.

import Domain
import Events
import Logging
import MediaWork
import Outbox
import Postgres
import ServiceKit
import ServiceLifecycle

/// Takes pages that are due and says what they show. Every copy of the process takes part; a page that one leaves in the middle is
/// due again after ten minutes.
struct LinkWorker: Service {
    let dependencies: Dependencies
    let metrics: Metrics
    let logger: Logger

    /// How long something waits that another copy was told of and left, or that another copy's fetching of its host kept waiting.
    private static let pause = Duration.seconds(5)

    func run() async throws {
        guard dependencies.previews.areOn else {
            try await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown { await fetchUntilCancelled() }
    }

    private enum Turn {
        case fetched, waited
    }

    private func fetchUntilCancelled() async {
        await withTaskGroup(of: Turn.self) { group in
            var (fetching, isWaiting) = (0, false)
            while !Task.isCancelled {
                let rings = dependencies.linked.rings
                if fetching < dependencies.limits.fetches, let link = await claim() {
                    fetching += 1
                    group.addTask {
                        await fetch(link)
                        return .fetched
                    }
                    continue
                }
                if !isWaiting {
                    isWaiting = true
                    group.addTask {
                        await dependencies.linked.wait(after: rings, atMost: LinkWorker.pause)
                        return .waited
                    }
                }
                switch await group.next() {
                case .fetched: fetching -= 1
                case .waited, nil: isWaiting = false
                }
            }
            group.cancelAll()
        }
    }

    private func claim() async -> DueLink? {
        do {
            return try await LinkWorker.claim(dependencies)
        } catch {
            if !(error is CancellationError) { logger.warning("links wait", metadata: ["error": "\(error)"]) }
            return nil
        }
    }

    private func fetch(_ link: DueLink) async {
        do {
            try await LinkWorker.fetch(link, dependencies, metrics: metrics)
        } catch is CancellationError {
            // It is due again after its time.
        } catch {
            logger.warning("a link waits", metadata: ["error": "\(error)"])
        }
    }

    /// Takes a page that is due, if there is one whose host may be asked.
    static func claim(_ dependencies: Dependencies) async throws -> DueLink? {
        let (now, limits) = (dependencies.now(), dependencies.limits)
        return try await dependencies.database.transaction { transaction in
            LinkStore.hold(in: transaction)
            return try await LinkStore.claim(
                at: now,
                retry: now + limits.fetchAgain,
                lease: now + limits.fetchLease,
                in: transaction
            )
        }
    }

    /// Fetches a page and says what it shows.
    static func fetch(_ link: DueLink, _ dependencies: Dependencies, metrics: Metrics) async throws {
        let outcome: String
        do {
            // The attempt before was the last: nobody lived to say what came of it.
            guard link.attempt <= dependencies.limits.attempts else { throw FetchLink.Nobody.answers }
            let preview = try await withDeadline(dependencies.limits.fetchLease) {
                try await FetchLink.run(link.url, dependencies)
            }
            try await EndFetch.finish(link, preview, dependencies)
            outcome = preview == nil ? "nothing" : "ready"
        } catch let error where error is FetchLink.Nobody || error is WorkerEnded || error is DeadlineExceeded {
            try await EndFetch.leave(link, dependencies)
            outcome = "unanswered"
        }
        metrics.count(
            "madang_media_links_total",
            help: "Pages fetched for previews, by what came of it.",
            labels: [("outcome", outcome)],
            by: 1
        )
    }
}
