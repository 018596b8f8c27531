// SPDX-License-Identifier: Apache-2.0
// GET /internal/rooms: where a connection's account belongs.

import Domain
import Web

/// The rooms of an account, as the gateway keeps them while it has a connection.
enum GetRooms {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        return .json(try await GatewayStore.rooms(of: account, in: dependencies.database))
    }
}
