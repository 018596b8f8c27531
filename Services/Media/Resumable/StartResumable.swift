// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/media/resumable: somebody will send a file in parts.

import Domain
import HTTPTypes
import Postgres
import Surface
import Web

/// The last part of the address that is answered is the file's id.
enum StartResumable {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await Tus.answering(request) { try await start(request, dependencies) }
    }

    private static func start(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let length = try Tus.number(.uploadLength, request)
        guard length > 0 else { throw MediaAnswer.problem("empty") }
        guard length <= Int64(dependencies.limits.sizes.largest) else {
            throw Problem.contentTooLarge
        }
        let parameters = try Tus.metadata(request.headers[.uploadMetadata])
        var text = UploadText()
        try text.change(by: parameters)
        let purpose = try UploadText.purpose(parameters)
        try await Quota.require(length, of: account.id, dependencies)
        let id: MediaID = try dependencies.ids.next()
        let now = dependencies.now()
        let expires = now + dependencies.limits.resumable
        try await dependencies.storage.receive(id).finish(length: 0)
        _ = try await UploadStore.insert(
            NewUpload(
                id: id,
                owner: account.id,
                purpose: purpose,
                text: text,
                length: length,
                received: 0,
                now: now,
                expires: expires
            ),
            in: dependencies.database
        )
        let path = MediaEndpoint.showResumable.path("\(id)")
        return Answer(
            status: .created,
            headers: [.location: "\(dependencies.site.origin)\(path)", .uploadExpires: expires.httpDate]
        )
    }
}
