// SPDX-License-Identifier: Apache-2.0
// What an operator sees of the moderators' queue.

import Domain
import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Counts the reports that have waited for a day.
struct ReportsWaiting: Service {
    static let patience = Duration.seconds(24 * 3600)
    private static let interval = Duration.seconds(60)

    private final class Count: Sendable {
        let reports = Atomic(0)
    }

    let dependencies: Dependencies
    let metrics: Metrics
    let logger: Logger

    func run() async throws {
        let count = Count()
        metrics.gauge("madang_reports_waiting", help: "Open reports that are older than 24 hours.") {
            Double(count.reports.load(ordering: .relaxed))
        }
        await cancelWhenGracefulShutdown {
            await repeatedly(
                every: ReportsWaiting.interval,
                orSaying: "reports are not counted for now",
                [:],
                to: logger
            ) {
                let oldest = dependencies.now() - ReportsWaiting.patience
                let waiting = try await ReportStore.waiting(since: oldest, in: dependencies.database)
                count.reports.store(waiting, ordering: .relaxed)
            }
        }
    }
}
