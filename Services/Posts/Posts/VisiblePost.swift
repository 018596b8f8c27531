// SPDX-License-Identifier: Apache-2.0
// A post as a command finds it for whoever asks.

import Domain
import Web

/// A post or a boost that the viewer may see; the same problem whether it is not there or not for the viewer's eyes.
enum VisiblePost {
    static func require(_ id: PostID, _ request: Request, _ dependencies: Dependencies) async throws -> StatusRow {
        return try await PostStore.status(id, viewer: request.viewer, in: dependencies.database).found()
    }

    static func answer(_ id: PostID, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(try await require(id, request, dependencies).view(for: request.viewer, site: dependencies.site))
    }

    /// The post itself where `id` is that of a boost: what somebody sees who has just done something with it.
    static func answerShown(_ id: PostID, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let status = try await require(id, request, dependencies).shown
        return .json(status.view(for: request.viewer, site: dependencies.site))
    }
}
