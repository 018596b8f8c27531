// SPDX-License-Identifier: Apache-2.0
// Removes what was said in channels that are gone.

import Logging
import Postgres
import ServiceLifecycle

/// A deleted channel may hold a million messages: it is taken from everybody in its transaction, and emptied here.
struct ForgetDeletedChannels: Service {
    let database: Database
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await ForgetDeletedChannels.forget(in: database)
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("Deleted channels stay for now", metadata: ["cause": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(10))
            }
        }
    }

    /// Forgets in small steps, so that no lock is held for long.
    static func forget(in database: Database) async throws {
        while try await database.query(ChannelStore.forgetMessages()).affected > 0 { try Task.checkCancellation() }
        while try await database.query(ChannelStore.forgetChannels()).affected > 0 { try Task.checkCancellation() }
    }
}
