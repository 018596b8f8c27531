// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/media/resumable/:id: the file is not wanted any more.

import HTTPTypes
import Web

enum EndResumable {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await Tus.answering(request) {
            _ = try await DeleteMedia.run(request, dependencies)
            return Answer(status: .noContent)
        }
    }
}
