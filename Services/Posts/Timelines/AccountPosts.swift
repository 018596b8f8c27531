// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/:id/statuses: what one account posts and boosts.

import Domain
import Serving
import Web

/// An account's posts as far as the viewer may see them.
enum AccountPosts {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account: AccountID = try request.id()
        let parameters = try request.parameters()
        let page = try parameters.page(default: 20, maximum: 40)
        let filter = PostListStore.Filter(
            excludeReplies: try parameters.boolean("exclude_replies") ?? false,
            excludeBoosts: try parameters.boolean("exclude_reblogs") ?? false,
            tag: try parameters.string("tagged").flatMap { try TagFilter.names([$0]).first },
            onlyMedia: try parameters.boolean("only_media") ?? false
        )
        let isPinned = try parameters.boolean("pinned") ?? false
        return try await dependencies.answers.answer(to: request, in: dependencies.database) {
            var listed: [ListedStatus] = []
            var end: PostID?
            if isPinned {
                listed = try await PostListStore.pinned(
                    of: account,
                    viewer: request.viewer,
                    page: page,
                    in: dependencies.database
                )
            } else {
                listed = try await PostListStore.posts(
                    of: account,
                    filter: filter,
                    viewer: request.viewer,
                    page: page,
                    in: dependencies.database
                )
                if listed.count < page.limit {
                    end = try await PostListStore.end(
                        of: account,
                        onlyMedia: filter.onlyMedia,
                        page: page,
                        in: dependencies.database
                    )
                }
            }
            if listed.isEmpty, try await !AccountStore.exists(account, in: dependencies.database) {
                throw Problem.notFound
            }
            let rows = try await dependencies.statuses.shown(listed, dependencies)
            return Shown(
                .statuses(rows, request, site: dependencies.site, page: page, end: end),
                subjects: rows.subjects(account.rawValue, -account.rawValue, request.viewer?.rawValue)
            )
        }
    }
}
