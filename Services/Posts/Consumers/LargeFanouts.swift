// SPDX-License-Identifier: Apache-2.0
// Fan-outs to more followers than fit the transaction of their event.

import Domain
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Goes on with fan-outs in transactions of their own, one step after the other, so that a burst of posts to many
/// followers never makes a batch of events too large for its deadline. Every copy of the process takes part.
struct LargeFanouts: Service {
    let dependencies: Dependencies
    let logger: Logger

    /// How long somebody waits at most for a step to begin, beyond the first followers.
    private static let pause = Duration.milliseconds(200)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await Fanout.goOn(dependencies) { try Task.checkCancellation() }
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("a fan-out waits", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: LargeFanouts.pause)
            }
        }
    }
}
