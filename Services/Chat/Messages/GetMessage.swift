// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/messages/:id: one message.

import Domain
import Web

enum GetMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let seen = try await SeenMessage.find(request.id(), viewer: viewer, dependencies)
        return .json(MessageView(message: seen.message, site: dependencies.site))
    }
}
