// SPDX-License-Identifier: Apache-2.0
// Forgets idempotency keys that have served.

import Domain
import Logging
import Postgres
import ServiceLifecycle

/// Removes, every ten minutes, the keys that are older than a day.
struct ForgetIdempotencyKeys: Service {
    let database: Database
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await ForgetIdempotencyKeys.forget(in: database, now: now())
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("Old idempotency keys stay for now", metadata: ["cause": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(600))
            }
        }
    }

    /// Forgets in small steps, so that no lock is held for long.
    static func forget(in database: Database, now: Timestamp) async throws {
        let oldest = now + (.zero - IdempotencyStore.lifetime)
        while try await database.query(IdempotencyStore.forget(before: oldest)).affected > 0 {
            try Task.checkCancellation()
        }
    }
}
