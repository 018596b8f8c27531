// SPDX-License-Identifier: Apache-2.0
// POST /api/v2/media and /api/v1/media: a file in a form, with what it shows.

import Domain
import HTTPTypes
import MediaWork
import Postgres
import Web

/// Takes a file while it comes, and answers once it is on the disk and known: from then on it is not lost.
enum UploadMedia {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await take(request, dependencies, patience: dependencies.limits.patience)
    }

    /// Clients of the first version cannot ask again, so they wait longer.
    @Sendable static func runV1(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await take(request, dependencies, patience: dependencies.limits.longPatience)
    }

    private static func take(
        _ request: Request,
        _ dependencies: Dependencies,
        patience: Duration
    ) async throws -> Answer {
        let account = try request.requireAccount()
        guard let body = request.upload else { throw Problem.badRequest("body") }
        try await Quota.require(Int64(body.length ?? 0), of: account.id, dependencies)
        let id: MediaID = try dependencies.ids.next()
        do {
            let upload = try await receive(id, body, request, dependencies)
            dependencies.bell.ring()
            return try await MediaAnswer.answer(upload, after: patience, dependencies)
        } catch {
            // It is not known, or nobody was told so: the sweep of what is left over finds it if this fails too.
            if let needed = try? await UploadStore.needed([id], in: dependencies.database), needed.isEmpty {
                await dependencies.storage.forget(id)
            }
            throw error
        }
    }

    private static func receive(
        _ id: MediaID,
        _ body: UploadBody,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Upload {
        let account = try request.requireAccount()
        let form = try await UploadForm.read(
            body,
            contentType: request.headers[.contentType],
            limits: dependencies.limits,
            into: { try dependencies.storage.receive(id) }
        )
        var text = UploadText()
        try text.change(by: request.parameters())
        try text.change(by: form.fields)
        try await UploadCheck.require(dependencies.storage.incoming(id), length: form.length, dependencies)
        try await Quota.require(Int64(form.length), of: account.id, dependencies)
        let upload = NewUpload(
            id: id,
            owner: account.id,
            purpose: try UploadText.purpose(form.fields),
            text: text,
            length: Int64(form.length),
            received: Int64(form.length),
            now: dependencies.now(),
            expires: nil
        )
        return try await UploadStore.insert(upload, in: dependencies.database).found()
    }
}
