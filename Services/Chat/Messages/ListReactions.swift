// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/messages/:id/reactions: who reacted to a message, and how.

import Domain
import Postgres
import Serving
import Views
import Web

/// Each emoji with the first people who used it.
enum ListReactions {
    private static let most = 100

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let list = ReactionStore.list(try request.id(), viewer: viewer, most: most)
        let rows = try await dependencies.database.query(list)
        guard !rows.isEmpty else { throw Problem.notFound }
        let site = dependencies.site
        let reactions = try rows.compactMap { row -> EmojiView? in
            var columns = row.columns
            guard let emoji: String = try columns.next() else { return nil }
            return EmojiView(
                emoji: emoji,
                count: try columns.next(),
                people: try columns.next(JSONB.self).snapshot(),
                site: site
            )
        }
        return .json(array: reactions)
    }

    private struct EmojiView: View {
        let emoji: String
        let count: Int
        let people: [Person]
        let site: Site

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("emoji", emoji)
                json.member("count", count)
                json.member("accounts", people.map { PersonView($0, site: site) })
            }
        }
    }
}
