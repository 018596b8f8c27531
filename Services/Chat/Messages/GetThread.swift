// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/messages/:id/thread: a message and what was said about it apart from the channel.

import Domain
import Views
import Web

/// The thread's first message and a page of its replies, oldest first; any message of the thread leads to it.
enum GetThread {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let parameters = try request.parameters()
        let messages = try await HistoryStore.thread(
            try request.id(),
            viewer: viewer,
            above: try parameters.seq("after_seq") ?? -1,
            limit: try parameters.limit(default: 50, maximum: 200),
            in: dependencies.database
        )
        guard let root = messages.first else { throw Problem.notFound }
        let site = dependencies.site
        return .json { json in
            json.member("message", MessageView(message: root, site: site))
            json.member("replies", messages.dropFirst().map { MessageView(message: $0, site: site) })
        }
    }
}
