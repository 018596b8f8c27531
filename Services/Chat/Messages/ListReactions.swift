// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/messages/:id/reactions: who reacted to a message, and how.

import Domain
import Views
import Web

/// Each emoji with the first people who used it.
enum ListReactions {
    private static let most = 100

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let list = try await ReactionStore.list(
            try request.id(),
            viewer: viewer,
            most: most,
            in: dependencies.database
        ).found()
        return .json(array: list.map { EmojiView(reaction: $0, site: dependencies.site) })
    }

    private struct EmojiView: ObjectView {
        let reaction: ReactionRow
        let site: Site

        func writeMembers(to json: inout JSONWriter) {
            json.member("emoji", reaction.emoji)
            json.member("count", reaction.count)
            json.member("accounts", reaction.people.map { PersonView(person: $0, site: site) })
        }
    }
}
