// SPDX-License-Identifier: Apache-2.0
// Counts what apps tell, and writes it from time to time.

import Domain
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Events of the last seconds by days; written together, so that one that many apps tell is one row's change. What is not written
/// yet when a process is killed is not counted.
final class UsageLog: Sendable {
    /// How many keys wait to be written, at most: beyond them only the platform counts.
    private static let most = 5000
    private static let pause = Duration.seconds(5)

    /// By days of UTC.
    private let counts = Mutex<[String: [UsageKey: Int]]>([:])

    func note(_ report: UsageReport, at now: Timestamp) {
        counts.withLock { counts in
            for (key, count) in report.counts { UsageLog.add(count, of: key, to: &counts[now.date, default: [:]]) }
        }
    }

    private static func add(_ count: Int, of key: UsageKey, to counts: inout [UsageKey: Int]) {
        let isKnown = counts[key] != nil || counts.count < most
        let key = isKnown ? key : UsageKey(name: UsageStore.other, platform: key.platform, version: "")
        counts[key, default: 0] &+= count
    }

    /// Writes what was told until now. What cannot be written is tried again the next time.
    func write(to database: Database) async throws {
        let told = counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        guard !told.isEmpty else { return }
        do {
            try await database.transaction { transaction in
                UsageStore.take(in: transaction)
                for (day, counts) in told.sorted(by: { $0.key < $1.key }) {
                    UsageStore.add(counts, on: day, in: transaction)
                }
            }
        } catch {
            counts.withLock { counts in
                for (day, told) in told {
                    for (key, count) in told { UsageLog.add(count, of: key, to: &counts[day, default: [:]]) }
                }
            }
            throw error
        }
    }

    /// Writes from time to time, and once more at the end.
    func writer(to database: Database, logger: Logger) -> some Service {
        Writer(log: self, database: database, logger: logger)
    }

    private struct Writer: Service {
        let log: UsageLog
        let database: Database
        let logger: Logger

        func run() async throws {
            await cancelWhenGracefulShutdown {
                while (try? await Task.sleep(for: UsageLog.pause)) != nil { await write() }
            }
            // Not of the task that was cancelled.
            await write()
        }

        private func write() async {
            do {
                try await log.write(to: database)
            } catch {
                logger.debug("usage is not written", metadata: ["error": "\(error)"])
            }
        }
    }
}
