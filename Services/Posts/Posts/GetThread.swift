// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id/context: the conversation around a post.

import Domain
import Events
import Serving
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
        let id: PostID = try request.id()
        return try await dependencies.answers.answer(to: request, in: dependencies.database) {
            let rows = try await ThreadStore.thread(id, viewer: viewer, bounds: bounds, in: dependencies.database)
            let thread = try await ShownThread(rows, dependencies)
            let view = ThreadView(
                ancestors: thread.before,
                descendants: thread.after,
                viewer: viewer,
                site: dependencies.site
            )
            let shown = [thread.root] + thread.before + thread.after
            return Shown(
                .json(view),
                subjects: shown.subjects(id.rawValue, thread.root.conversation, viewer?.rawValue)
            )
        }
    }

    /// The Mastodon API's Context.
    private struct ThreadView: ObjectView {
        let ancestors: [ShownStatus]
        let descendants: [ShownStatus]
        let viewer: AccountID?
        let site: Site

        func writeMembers(to json: inout JSONWriter) {
            json.member("ancestors", ancestors.map { $0.view(for: viewer, site: site) })
            json.member("descendants", descendants.map { $0.view(for: viewer, site: site) })
        }
    }
}

/// A post with what it answers and what answers it, in the order in which people read them.
struct ShownThread {
    let root: ShownStatus
    let before: [ShownStatus]
    let after: [ShownStatus]

    /// Throws `notFound` where the post itself is not among them.
    init(_ placed: [PlacedStatus], _ dependencies: Dependencies) async throws {
        let shown = try await dependencies.statuses.shown(placed, dependencies)
        root = try shown.first { $0.place == 0 }.found().status
        before = shown.filter { $0.place < 0 }.sorted { $0.place < $1.place }.map(\.status)
        after = Self.inReadingOrder(shown.filter { $0.place > 0 }.map(\.status), below: root.row.post.id)
    }

    /// Each reply right before its own replies, older ones first. What hangs on a post that is not shown comes
    /// at the end.
    private static func inReadingOrder(_ replies: [ShownStatus], below root: PostID) -> [ShownStatus] {
        var children: [PostID: [ShownStatus]] = [:]
        let shown = Set(replies.map(\.row.post.id)).union([root])
        var stack: [ShownStatus] = []
        var ordered: [ShownStatus] = []
        ordered.reserveCapacity(replies.count)
        var orphans: [ShownStatus] = []
        for status in replies.sorted(by: { $0.row.post.id > $1.row.post.id }) {
            guard let parent = status.row.post.inReplyToID, shown.contains(parent) else {
                orphans.append(status)
                continue
            }
            children[parent, default: []].append(status)
        }
        stack = orphans + (children[root] ?? [])
        while let next = stack.popLast() {
            ordered.append(next)
            stack.append(contentsOf: children[next.row.post.id] ?? [])
        }
        return ordered
    }
}
