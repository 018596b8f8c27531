// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/mute and /unmute: somebody has heard enough of a conversation.

import Domain
import Events
import Postgres
import Web

/// Mutes the conversation to which a post belongs.
enum MuteConversation {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        try await EnsureAccount.run(account, dependencies)
        let post = try await GetPost.status(request.id(), request, dependencies).post
        _ = try await dependencies.database.query(ReactionStore.muteConversation(of: post.id, by: account.id))
        return try await GetPost.answer(post.id, request, dependencies)
    }
}

/// Takes the mute of a conversation back.
enum UnmuteConversation {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let post = try await GetPost.status(request.id(), request, dependencies).post
        _ = try await dependencies.database.query(ReactionStore.unmuteConversation(of: post.id, by: viewer))
        return try await GetPost.answer(post.id, request, dependencies)
    }
}
