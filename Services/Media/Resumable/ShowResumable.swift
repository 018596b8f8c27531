// SPDX-License-Identifier: Apache-2.0
// HEAD /api/v1/media/resumable/:id: how much of a file has come.

import Domain
import HTTPTypes
import Web

enum ShowResumable {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await Tus.answering(request) {
            let account = try request.requireAccount()
            let upload = try await UploadStore.upload(request.id(), of: account.id, in: dependencies.database).found()
            var answer = Answer(
                headers: [
                    .uploadOffset: String(upload.received), .uploadLength: String(upload.length),
                    .cacheControl: "no-store",
                ]
            )
            if let expires = upload.expires {
                guard dependencies.now() < expires else { throw Problem.gone }
                answer.headers[.uploadExpires] = expires.httpDate
            }
            if let metadata = Tus.metadata(of: upload.text) { answer.headers[.uploadMetadata] = metadata }
            return answer
        }
    }
}
