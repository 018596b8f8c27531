// SPDX-License-Identifier: Apache-2.0
// What apps told today, as series.

import Domain
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Looks from time to time how often each event was told today. Each process shows the same.
struct UsageSeries: Service {
    private static let pause = Duration.seconds(60)

    private struct Label: Hashable {
        let name: String
        let platform: String
    }

    private final class Today: Sendable { let events = Mutex<[Label: Int64]>([:]) }

    private let database: Database
    private let now: @Sendable () -> Timestamp
    private let metrics: Metrics
    private let logger: Logger
    private let today = Today()

    init(_ database: Database, now: @escaping @Sendable () -> Timestamp, metrics: Metrics, logger: Logger) {
        self.database = database
        self.now = now
        self.metrics = metrics
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    try await look()
                } catch {
                    logger.debug("usage is not known", metadata: ["error": "\(error)"])
                }
            } while (try? await Task.sleep(for: UsageSeries.pause)) != nil
        }
    }

    /// Shows what is there now; what was shown once is 0 on a day on which nobody told it.
    func look() async throws {
        let found = try await UsageStore.platforms(on: now().date, in: database)
        let events = Dictionary(found.map { (Label(name: $0.name, platform: $0.platform), $0.events) }) { $0 &+ $1 }
        today.events.withLock { $0 = events }
        for label in events.keys {
            metrics.gauge(
                "madang_search_usage_today",
                help: "Events that apps told today (UTC), by name and platform; every process shows the same.",
                labels: [("name", label.name), ("platform", label.platform)]
            ) { [today] in Double(today.events.withLock { $0[label] ?? 0 }) }
        }
    }
}
