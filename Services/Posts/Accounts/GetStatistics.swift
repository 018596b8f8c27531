// SPDX-License-Identifier: Apache-2.0
// GET /internal/statistics: how much there is, for the page about the server.

import Calls
import Domain
import Web

/// Tells the gateway how many accounts and posts there are.
enum GetStatistics {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let month = dependencies.now() + .seconds(-30 * 86_400)
        return .json(try await AccountStore.statistics(activeSince: month, in: dependencies.database))
    }
}
