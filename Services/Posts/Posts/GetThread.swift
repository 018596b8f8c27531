// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id/context: the conversation around a post.

import Domain
import Events
import Views
import Web

/// What a post answers and what answers it, as far as the viewer may see it.
enum GetThread {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = request.viewer
        let bounds =
            viewer == nil
            ? ThreadStore.Bounds(ancestors: 40, descendants: 60, depth: 20)
            : ThreadStore.Bounds(ancestors: 200, descendants: 500, depth: 200)
        let rows = try await ThreadStore.thread(
            request.id(),
            viewer: viewer,
            bounds: bounds,
            in: dependencies.database
        )
        guard let root = rows.first(where: { $0.place == 0 })?.status else { throw Problem.notFound }
        let view = ThreadView(
            ancestors: rows.filter { $0.place < 0 }.sorted { $0.place < $1.place }.map(\.status),
            descendants: inReadingOrder(rows.filter { $0.place > 0 }, below: root.post.id),
            viewer: viewer,
            site: dependencies.site
        )
        return .json(view)
    }

    /// Each reply right before its own replies, older ones first. What hangs on a post that is not shown comes
    /// at the end.
    static func inReadingOrder(_ replies: [PlacedStatus], below root: PostID) -> [StatusRow] {
        var children: [PostID: [StatusRow]] = [:]
        let shown = Set(replies.map(\.status.post.id)).union([root])
        var stack: [StatusRow] = []
        var ordered: [StatusRow] = []
        ordered.reserveCapacity(replies.count)
        var orphans: [StatusRow] = []
        for status in replies.map(\.status).sorted(by: { $0.post.id > $1.post.id }) {
            guard let parent = status.post.inReplyToID, shown.contains(parent) else {
                orphans.append(status)
                continue
            }
            children[parent, default: []].append(status)
        }
        stack = orphans + (children[root] ?? [])
        while let next = stack.popLast() {
            ordered.append(next)
            stack.append(contentsOf: children[next.post.id] ?? [])
        }
        return ordered
    }

    /// The Mastodon API's Context.
    private struct ThreadView: ObjectView {
        let ancestors: [StatusRow]
        let descendants: [StatusRow]
        let viewer: AccountID?
        let site: Site

        func writeMembers(to json: inout JSONWriter) {
            json.member("ancestors", ancestors.map { $0.view(for: viewer, site: site) })
            json.member("descendants", descendants.map { $0.view(for: viewer, site: site) })
        }
    }
}
