// SPDX-License-Identifier: Apache-2.0
// The SQL of somebody's files, for archives.

import Domain
import Events
import Postgres
import Serving

/// A file of somebody's that is ready.
struct ExportedUpload: Sendable {
    let id: MediaID
    let purpose: String
    let created: Timestamp
    let media: MediaProcessed?

    static let columns: SQL = "id, purpose, created_at, media"
}

enum ExportedUploadStore {
    static func uploads(of account: AccountID, after id: MediaID, limit: Int, in database: some Querying) async throws
        -> [ExportedUpload]
    {
        try await database.query(
            """
            SELECT \(ExportedUpload.columns) FROM uploads
            WHERE owner_id = \(account) AND state = 'ready' AND id > \(id)
            ORDER BY id LIMIT \(limit)
            """
        ).all(as: ExportedUpload.init)
    }
}
