// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id: one post.

import Web

/// One post or boost, if the viewer may see it.
enum GetPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await VisiblePost.answer(request.id(), request, dependencies)
    }
}
