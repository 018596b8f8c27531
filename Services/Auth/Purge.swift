// SPDX-License-Identifier: Apache-2.0
// Forgets what has run out.

import Domain
import Logging
import ServiceLifecycle

/// Deletes expired codes, tokens, sessions and counters, a thousand at a time, every ten minutes.
struct Purge: Service {
    let dependencies: Dependencies
    var interval: Duration = .seconds(600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await once() > 0 { try Task.checkCancellation() }
                } catch is CancellationError {
                    return
                } catch {
                    dependencies.logger.warning("Expired tokens were not purged", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// - Returns: how many rows went.
    func once() async throws -> Int {
        let now = dependencies.now()
        let limits = dependencies.limits
        let database = dependencies.database
        // A code is kept for a while after it expired, to notice its second use.
        let codes = try await CodeStore.purge(before: now + .seconds(-86_400), in: database)
        let attempts = try await AttemptStore.purge(before: now + (.zero - limits.signInWindow), in: database)
        let unused = now + (.zero - limits.appAlone)
        return try await codes + attempts + SessionStore.purge(now: now, unusedAppsBefore: unused, in: database)
    }
}
