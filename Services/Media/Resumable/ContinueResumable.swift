// SPDX-License-Identifier: Apache-2.0
// PATCH /api/v1/media/resumable/:id: the next part of a file.

import Domain
import HTTPTypes
import Postgres
import ServiceKit
import Web

/// What came is kept though the rest did not, unless the part has a checksum: then all of it counts or nothing.
enum ContinueResumable {
    /// Bytes after which it is noted how much came.
    private static let stride: Int64 = 8 << 20

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await Tus.answering(request) { try await take(request, dependencies) }
    }

    private static func take(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        guard let body = request.upload else { throw Problem.badRequest("body") }
        guard request.headers[.contentType] == "application/offset+octet-stream" else {
            throw Problem.unsupportedMediaType
        }
        let id: MediaID = try request.id()
        let offset = try Tus.number(.uploadOffset, request)
        let checksum = try request.headers[.uploadChecksum].map { try Tus.Checksum($0) }
        let upload = try await UploadStore.upload(id, of: account.id, in: dependencies.database).found()
        if let expires = upload.expires, dependencies.now() >= expires { throw Problem.gone }
        let sender = try await UploadStore.take(id, of: account.id, at: offset, in: dependencies.database)
        guard let sender else { throw Problem.conflict("conflict") }
        let part = Part(upload: upload, offset: offset, sender: sender, dependencies: dependencies)
        let received = try await part.receive(body, checksum)
        if received == upload.length { try await end(upload, dependencies) }
        let expires = dependencies.now() + dependencies.limits.resumable
        return Answer(
            status: .noContent,
            headers: [.uploadOffset: String(received), .uploadExpires: expires.httpDate]
        )
    }

    /// Everything came.
    private static func end(_ upload: Upload, _ dependencies: Dependencies) async throws {
        let (id, now) = (upload.id, dependencies.now())
        do {
            try await UploadCheck.require(dependencies.storage.incoming(id), length: Int(upload.length), dependencies)
        } catch let problem as Problem {
            try await dependencies.database.transaction { try await EndUploads.run([id], at: now, in: $0) }
            await dependencies.storage.forget(id)
            throw problem
        }
        try await dependencies.database.transaction { UploadStore.finish(id, in: $0) }
        dependencies.bell.ring()
    }

    /// One part, from the first byte to the last that came.
    private struct Part {
        let upload: Upload
        let offset: Int64
        let sender: Int
        let dependencies: Dependencies

        /// - Returns: how much of the file is there.
        func receive(_ body: UploadBody, _ checksum: Tus.Checksum?) async throws -> Int64 {
            let file = try dependencies.storage.receive(upload.id)
            var checksum = checksum
            var (received, noted) = (offset, offset)
            do {
                try await body.read { bytes in
                    guard received + Int64(bytes.count) <= upload.length else {
                        throw Problem.contentTooLarge
                    }
                    try await file.write(bytes, at: Int(received))
                    received += Int64(bytes.count)
                    checksum?.add(bytes)
                    guard checksum == nil, received - noted >= ContinueResumable.stride else { return }
                    try await note(received)
                    noted = received
                }
                try checksum?.require()
            } catch {
                if checksum == nil, received > noted {
                    try await file.finish(length: Int(received))
                    try await note(received)
                }
                throw error
            }
            try await file.finish(length: Int(received))
            try await note(received)
            return received
        }

        private func note(_ received: Int64) async throws {
            let isCurrent = try await UploadStore.advance(
                upload.id,
                to: received,
                by: sender,
                expires: dependencies.now() + dependencies.limits.resumable,
                in: dependencies.database
            )
            guard isCurrent else { throw Problem.conflict("conflict") }
        }
    }
}
