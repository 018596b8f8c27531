// SPDX-License-Identifier: Apache-2.0
// GET /internal/statistics: how much there is, for the page about the server.

import Domain
import HTTPTypes
import Views
import Web

/// Tells the gateway how many accounts and posts there are.
enum GetStatistics {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try InternalCall.check(request, secret: dependencies.internalSecret)
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

/// Calls of other processes of this server, which share a secret.
enum InternalCall {
    /// Throws notFound, as if the route were not there, unless the request carries the secret.
    static func check(_ request: Request, secret: String) throws {
        guard let name = HTTPField.Name("X-Madang-Internal"), let given = request.headers[name], !secret.isEmpty,
            equal(Array(given.utf8), Array(secret.utf8))
        else { throw Problem.notFound }
    }

    /// Takes the same time wherever the two differ.
    private static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
