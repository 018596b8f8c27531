// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id/source: a post as its author typed it.

import Events
import Views
import Web

/// The text before it became HTML, for editing.
enum PostSource {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(Source(post: try await VisiblePost.require(request.id(), request, dependencies).post))
    }

    /// The Mastodon API's StatusSource.
    private struct Source: ObjectView {
        let post: PostSnapshot

        func writeMembers(to json: inout JSONWriter) {
            json.member("id", post.id)
            json.member("text", post.text)
            json.member("spoiler_text", post.spoilerText)
        }
    }
}
