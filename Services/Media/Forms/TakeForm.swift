// SPDX-License-Identifier: Apache-2.0
// POST /internal/forms: the files of a form that somebody else answers.

import Domain
import HTTPTypes
import MediaWork
import Postgres
import ServiceKit
import Surface
import Web

/// Takes the files of a form for the gateway, and gives the form back with their ids in their places. A file that turns out not
/// to be a picture is told by the name of its field; nothing stays of the form then.
///
/// Whoever signs up has no account yet: such files are nobody's until they are claimed, and are not worked on before.
enum TakeForm {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = request.principal?.account?.id ?? .nobody
        guard let body = request.upload else { throw Problem.badRequest("body") }
        let rules = UploadForm.Rules(
            fields: try fields(request),
            refusesOthers: true,
            mostOfFile: dependencies.limits.sizes.image,
            mostOfRest: dependencies.limits.otherFields
        )
        try await Quota.require(Int64(body.length ?? 0), of: account, dependencies)
        var form = UploadForm(rules, dependencies)
        do {
            try await form.read(body, contentType: request.headers[.contentType])
            try await keep(form.files, of: account, dependencies)
        } catch {
            await UploadMedia.forget(form.begun, dependencies)
            throw error
        }
        if account != .nobody { try await settle(form.files, of: account, dependencies) }
        return answer(form)
    }

    /// `fields=avatar:avatar:1,header:header:1`.
    private static func fields(_ request: Request) throws -> [FileField] {
        let text = try request.parameters().string("fields") ?? ""
        return try text.split(separator: ",").map { part in
            guard let field = FileField(String(part)) else { throw Problem.badRequest("fields") }
            return field
        }
    }

    /// All of them or none.
    private static func keep(
        _ files: [UploadForm.File],
        of account: AccountID,
        _ dependencies: Dependencies
    ) async throws {
        guard !files.isEmpty else { return }
        for file in files {
            do {
                try await UploadCheck.require(
                    dependencies.storage.incoming(file.id),
                    length: file.length,
                    dependencies
                )
            } catch let problem as Problem {
                throw problem.about(file.field)
            }
        }
        let bytes = files.reduce(0) { $0 + Int64($1.length) }
        try await Quota.require(bytes, of: account, dependencies)
        let now = dependencies.now()
        let expires = account == .nobody ? now + dependencies.limits.claim : nil
        try await dependencies.database.transaction { transaction in
            for file in files {
                let purpose = WorkOrder.Purpose(file.field.purpose)
                let upload = NewUpload(file, owner: account, purpose: purpose, now: now, expires: expires)
                _ = try await UploadStore.insert(upload, in: transaction)
            }
        }
        dependencies.bell.ring()
    }

    /// Waits for what can be told in time.
    private static func settle(
        _ files: [UploadForm.File],
        of account: AccountID,
        _ dependencies: Dependencies
    ) async throws {
        guard !files.isEmpty else { return }
        let ids = files.map(\.id)
        let patience = dependencies.limits.longPatience
        let uploads = try await MediaAnswer.settled(ids, of: account, after: patience, dependencies)
        guard let failed = uploads.first(where: { $0.state == .failed }) else { return }
        let now = dependencies.now()
        try await dependencies.database.transaction { try await EndUploads.run(ids, at: now, in: $0) }
        for id in ids { await dependencies.storage.forget(id) }
        let problem = MediaAnswer.problem(failed.failure ?? "")
        throw files.first { $0.id == failed.id }.map { problem.about($0.field) } ?? problem
    }

    /// The form as whoever it is for reads it.
    private static func answer(_ form: UploadForm) -> Answer {
        var pairs = form.fields.map { PercentCoding.encoded($0.name.utf8) + [0x3D] + PercentCoding.encoded($0.value) }
        for file in form.files {
            let name = file.field.most == 1 ? file.field.name : "\(file.field.name)[]"
            pairs.append(PercentCoding.encoded(name.utf8) + Array("=\(file.id)".utf8))
        }
        return Answer(
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: Array(pairs.joined(separator: [0x26]))
        )
    }
}

extension Problem {
    /// The same, told of the field whose file it is about.
    fileprivate func about(_ field: FileField) -> Problem {
        var problem = self
        problem.fields = [(field.name, "invalid")]
        return problem
    }
}

extension WorkOrder.Purpose {
    fileprivate init(_ purpose: FilePurpose) {
        switch purpose {
        case .attachment: self = .attachment
        case .avatar: self = .avatar
        case .header: self = .header
        }
    }
}
