// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/gifs/:id/media: a GIF as a file of one's own, to show it in a post or a message.

import Domain
import Events
import HTTPTypes
import MediaWork
import Outbox
import Postgres
import Views
import Web

/// The new upload consists of the same stored files, so that nothing is copied and nothing counts for the quota. It is ready at
/// once, and goes like any other that nobody shows.
enum TakeGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        guard case .own(let gif) = try request.gifID("id") else { throw elsewhere }
        let id: MediaID = try dependencies.ids.next()
        let now = dependencies.now()
        try await Quota.require(0, of: account.id, dependencies)
        let upload = try await dependencies.database.transaction { transaction in
            // As long as the entry stays, so do its files.
            let entry = try await GifStore.lock(gif, in: transaction).found()
            let source = try await UploadStore.upload(gif, of: entry.importer, in: transaction).found()
            let media = try source.media.found()
            var text = UploadText()
            text.description = entry.text.altText.isEmpty ? entry.text.title : entry.text.altText
            if text.description?.isEmpty == true { text.description = nil }
            let new = NewUpload(
                id: id,
                owner: account.id,
                purpose: .attachment,
                text: text,
                length: 0,
                received: 0,
                now: now,
                expires: nil
            )
            let upload = try await UploadStore.insert(new, in: transaction).found()
            let told = media.told(upload.text, version: upload.version + 1, as: upload)
            try JobStore.finish(told, keptBytes: 0, in: transaction)
            GifStore.share(gif, with: id, at: now, in: transaction)
            try transaction.record(told)
            return try await UploadStore.upload(id, of: account.id, in: transaction).found()
        }
        return try MediaAnswer.show(upload, dependencies)
    }

    /// Files of others are not taken: they are theirs to show.
    private static let elsewhere = Problem.own(
        .unprocessableContent,
        "gif-elsewhere",
        english: "This GIF is in somebody else's catalogue: share its link, or upload a file",
        korean: "외부 서비스의 GIF입니다. 링크를 공유하거나 파일을 업로드하세요",
        japanese: "外部サービスのGIFです。リンクを共有するか、ファイルをアップロードしてください"
    )
}
