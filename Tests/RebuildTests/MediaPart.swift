// SPDX-License-Identifier: Apache-2.0
// Media in process, as the owner of what others keep. No file is made, and no page asked for.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import MediaWork
import Outbox
import Postgres
import Serving
import Support
import Web

@testable import MediaService

struct MediaPart: Sendable {
    let database: Database
    let responder: Responder<Dependencies>
    let tellers = Tellers.all
    let queues: [EventQueue]
    private let dependencies: Dependencies

    static let migrations = MediaService.migrations

    init(_ database: Database, ids: IDGenerator) throws {
        let work: @Sendable (WorkOrder) async throws -> WorkReport = { _ in .refused(.damaged) }
        dependencies = Dependencies(
            database: database,
            ids: ids,
            now: Timestamp.now,
            site: Part.site,
            links: MediaLinks(site: Part.site, key: "a key for the tests of rebuilds"),
            storage: try Storage(root: FileManager.default.temporaryDirectory.appending(path: "madang-rebuilds").path),
            makeRenditions: work
        )
        self.database = database
        responder = MediaService.service(work).responder(
            dependencies,
            internalSecret: "secret",
            deadline: .seconds(60),
            logger: Logger(label: "media")
        )
        queues = MediaService.queues(dependencies)
    }

    /// A file that is ready, or that failed.
    func upload(by owner: AccountID, isReady: Bool = true) async throws -> MediaID {
        let id: MediaID = try dependencies.ids.next()
        let new = NewUpload(
            id: id,
            owner: owner,
            purpose: .attachment,
            text: UploadText(),
            length: 1,
            received: 1,
            now: .now(),
            expires: nil
        )
        let media = MediaProcessed(
            mediaID: id,
            ownerID: owner,
            type: .image,
            original: RenditionSnapshot(url: "\(id).jpg", width: 4, height: 2),
            mimeType: "image/jpeg",
            bytes: 1,
            subjectVersion: 2
        )
        let failure = MediaFailed(mediaID: id, ownerID: owner, reason: "damaged", subjectVersion: 2)
        try await database.transaction { transaction in
            _ = try await UploadStore.insert(new, in: transaction)
            if isReady {
                try JobStore.finish(media, keptBytes: 1, in: transaction)
                try transaction.record(media)
            } else {
                JobStore.fail(failure, in: transaction)
                try transaction.record(failure)
            }
        }
        return id
    }

    /// Says of pages that are due what they show: some of them nothing.
    func look(at number: Int) async throws {
        while let link = try await LinkWorker.claim(dependencies) {
            let card = CardSnapshot(url: link.url, title: "Page \(number)")
            try await EndFetch.finish(link, link.url.hasSuffix("4") ? nil : Preview(card: card), dependencies)
        }
    }
}
