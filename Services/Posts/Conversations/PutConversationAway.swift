// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/conversations/:id: somebody puts a conversation away; its posts stay.

import Domain
import Web

/// The conversation comes back with the next post in it.
enum PutConversationAway {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        guard try await ConversationStore.clear(request.id(), of: viewer, in: dependencies.database) else {
            throw Problem.notFound
        }
        return .empty
    }
}
