// SPDX-License-Identifier: Apache-2.0
// GET /internal/statistics: how much there is, for the page about the server.

import Domain
import Views
import Web

/// Tells the gateway how many accounts and posts there are.
enum GetStatistics {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let month = dependencies.now() + .seconds(-30 * 86_400)
        let (accounts, posts, active) = try await AccountStore.statistics(
            activeSince: month,
            in: dependencies.database
        )
        return .json(StatisticsView(accounts: accounts, posts: posts, active: active))
    }
}

private struct StatisticsView: View {
    let accounts: Int
    let posts: Int
    let active: Int

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("accounts", accounts)
            json.member("posts", posts)
            json.member("active_month", active)
        }
    }
}
