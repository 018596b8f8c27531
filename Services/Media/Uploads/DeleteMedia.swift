// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/media/:id: a file that nothing shows.

import Domain
import HTTPTypes
import Postgres
import Web

enum DeleteMedia {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: MediaID = try request.id()
        let now = dependencies.now()
        try await dependencies.database.transaction { transaction in
            let upload = try await UploadStore.lock(id, of: account.id, in: transaction).found()
            guard try await !UploadStore.isUsed(upload.id, in: transaction) else { throw used }
            try await EndUploads.run([upload.id], at: now, in: transaction)
        }
        await dependencies.storage.forget(id)
        return .empty
    }

    private static let used = Problem.own(
        .unprocessableContent,
        "media-used",
        english: "The file belongs to a post or a message",
        korean: "글이나 메시지에 첨부된 파일입니다",
        japanese: "投稿またはメッセージに添付されたファイルです"
    )
}
