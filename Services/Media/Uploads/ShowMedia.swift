// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/media/:id: whether a file is ready.

import Domain
import Web

enum ShowMedia {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let upload = try await UploadStore.upload(request.id(), of: account.id, in: dependencies.database).found()
        return try MediaAnswer.show(upload, dependencies)
    }
}
