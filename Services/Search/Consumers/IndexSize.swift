// SPDX-License-Identifier: Apache-2.0
// How much is in the index.

import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Looks from time to time how many documents of each kind there are.
struct IndexSize: Service {
    private static let pause = Duration.seconds(60)

    private final class Sizes: Sendable { let counts = Mutex<[SearchKind: Int]>([:]) }

    private let database: Database
    private let sizes = Sizes()
    private let logger: Logger

    init(_ database: Database, metrics: Metrics, logger: Logger) {
        self.database = database
        self.logger = logger
        for kind in SearchKind.allCases {
            metrics.gauge(
                "madang_search_documents",
                help: "Documents of the index, by kind; what is gone counts until it is swept.",
                labels: [("kind", "\(kind)")]
            ) { [sizes] in Double(sizes.counts.withLock { $0[kind] ?? 0 }) }
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    let counts = try await SegmentStore.counts(in: database)
                    sizes.counts.withLock { $0 = counts }
                } catch {
                    logger.debug("the size of the index is not known", metadata: ["error": "\(error)"])
                }
            } while (try? await Task.sleep(for: IndexSize.pause)) != nil
        }
    }
}
