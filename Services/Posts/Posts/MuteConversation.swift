// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/mute and /unmute: somebody has heard enough of a conversation.

import Domain
import Events
import Web

/// Mutes the conversation to which a post belongs.
enum MuteConversation {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        try await EnsureAccount.run(account, dependencies)
        let post = try await VisiblePost.require(request.id(), request, dependencies).post
        try await ThreadStore.mute(conversationOf: post.id, by: account.id, in: dependencies.database)
        return try await VisiblePost.answer(post.id, request, dependencies)
    }
}

/// Takes the mute of a conversation back.
enum UnmuteConversation {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let post = try await VisiblePost.require(request.id(), request, dependencies).post
        try await ThreadStore.unmute(conversationOf: post.id, by: viewer, in: dependencies.database)
        return try await VisiblePost.answer(post.id, request, dependencies)
    }
}
