// SPDX-License-Identifier: Apache-2.0
// Uploads go, and what belongs to them.

import Domain
import Events
import Outbox
import Postgres

enum EndUploads {
    static func run(_ ids: [MediaID], at now: Timestamp, in transaction: Transaction) async throws {
        for upload in try await UploadStore.delete(ids, in: transaction) where upload.state == .ready {
            try transaction.record(
                MediaFailed(
                    mediaID: upload.id,
                    ownerID: upload.owner,
                    reason: MediaFailed.deleted,
                    subjectVersion: upload.version + 1
                )
            )
        }
        UseStore.forget(ids, in: transaction)
        FileStore.loosen(filesOf: ids, at: now, in: transaction)
    }
}
