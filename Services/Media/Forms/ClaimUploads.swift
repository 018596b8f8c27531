// SPDX-License-Identifier: Apache-2.0
// POST /internal/claims: whose the files are that came with a sign-up.

import Calls
import ServiceKit
import Web

/// What nobody claims goes by itself.
enum ClaimUploads {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let claim = try UploadClaim(request.parameters())
        try await UploadStore.claim(claim.ids, for: claim.owner, in: dependencies.database)
        dependencies.bell.ring()
        return .empty
    }
}
