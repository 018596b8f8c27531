// SPDX-License-Identifier: Apache-2.0
// PUT /api/v1/media/:id: what a file shows, and where its middle is.

import Domain
import Outbox
import Postgres
import Web

/// The middle decides how clients cut a picture; what was cut here when it came stays as it is.
enum UpdateMedia {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: MediaID = try request.id()
        let parameters = try request.parameters()
        try await dependencies.database.transaction { transaction in
            let upload = try await UploadStore.lock(id, of: account.id, in: transaction).found()
            if upload.state == .failed { throw MediaAnswer.problem(upload.failure ?? "") }
            var text = upload.text
            try text.change(by: parameters)
            guard text != upload.text else { return }
            let version = upload.version + 1
            let told = upload.media?.told(text, version: version)
            try UploadStore.describe(id, as: text, version: version, told: told, in: transaction)
            if let told { try transaction.record(told) }
        }
        let upload = try await UploadStore.upload(id, of: account.id, in: dependencies.database).found()
        return try MediaAnswer.show(upload, dependencies)
    }
}
