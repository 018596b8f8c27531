// SPDX-License-Identifier: Apache-2.0
// Remembers, beside the answering, what is asked.

import Domain
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// Questions of the last seconds; written together, so that a search writes nothing. What is not written yet when the process
/// ends is forgotten.
final class QueryLog: Sendable {
    private static let most = 1000
    private static let pause = Duration.seconds(5)

    private let asked = Mutex<Set<AskedQuery>>([])

    func note(_ text: String, by asker: AccountID) {
        guard let query = AskedQuery(text, by: asker) else { return }
        asked.withLock { asked in
            if asked.count < Self.most { asked.insert(query) }
        }
    }

    /// Writes what was asked until now.
    func write(to database: Database, at now: Timestamp) async throws {
        let queries = asked.withLock { asked in
            defer { asked.removeAll() }
            return asked
        }
        if !queries.isEmpty { try await QueryStore.keep(Array(queries), at: now, in: database) }
    }

    /// Writes from time to time, as long as the process runs.
    func writer(to database: Database, now: @escaping @Sendable () -> Timestamp, logger: Logger) -> some Service {
        Writer(log: self, database: database, now: now, logger: logger)
    }

    private struct Writer: Service {
        let log: QueryLog
        let database: Database
        let now: @Sendable () -> Timestamp
        let logger: Logger

        func run() async throws {
            await cancelWhenGracefulShutdown {
                while (try? await Task.sleep(for: QueryLog.pause)) != nil {
                    do {
                        try await log.write(to: database, at: now())
                    } catch {
                        logger.debug("what was asked is not kept", metadata: ["error": "\(error)"])
                    }
                }
            }
        }
    }
}
