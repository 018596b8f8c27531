// SPDX-License-Identifier: Apache-2.0
// POST /api/v2/media and /api/v1/media: a file in a form, with what it shows.

import Domain
import HTTPTypes
import MediaWork
import Postgres
import ServiceKit
import Surface
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
        let upload = try await receive(body, request, dependencies)
        dependencies.bell.ring()
        return try await MediaAnswer.answer(upload, after: patience, dependencies)
    }

    /// Forgets what came, unless it is known: an answer of the database may have got lost. The sweep of what is left over
    /// finds it if this fails too.
    static func forget(_ ids: [MediaID], _ dependencies: Dependencies) async {
        guard let needed = try? await UploadStore.needed(ids, in: dependencies.database) else { return }
        for id in ids where !needed.contains(id) { await dependencies.storage.forget(id) }
    }

    private static func receive(
        _ body: UploadBody,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Upload {
        let rules = UploadForm.Rules(
            fields: [FileField("file", .attachment)],
            refusesOthers: false,
            mostOfFile: dependencies.limits.sizes.largest,
            mostOfRest: dependencies.limits.fields
        )
        var form = UploadForm(rules, dependencies)
        do {
            try await form.read(body, contentType: request.headers[.contentType])
            return try await keep(form, request, dependencies)
        } catch {
            await forget(form.begun, dependencies)
            throw error
        }
    }

    private static func keep(
        _ form: UploadForm,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Upload {
        let account = try request.requireAccount()
        guard let file = form.files.first else { throw Problem.invalid("file", "blank") }
        let fields = try form.parameters()
        var text = UploadText()
        try text.change(by: request.parameters())
        try text.change(by: fields)
        try await UploadCheck.require(dependencies.storage.incoming(file.id), length: file.length, dependencies)
        try await Quota.require(Int64(file.length), of: account.id, dependencies)
        let upload = NewUpload(
            file,
            owner: account.id,
            purpose: try UploadText.purpose(fields),
            text: text,
            now: dependencies.now()
        )
        return try await UploadStore.insert(upload, in: dependencies.database).found()
    }
}
