// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/sessions/refresh: a new access token for a refresh token.

import Web

/// Goes on with a session of our own pages.
enum RefreshSession {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let text = try request.parameters().string("refresh_token") ?? ""
        return try await RefreshRotation.run(text, app: nil, request, dependencies).answer
    }
}
