// SPDX-License-Identifier: Apache-2.0
// The SQL of what media tells again: what became of uploads, and what pages show.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// What became of an upload.
struct RetoldUpload: Sendable {
    let id: MediaID
    let owner: AccountID
    let version: Int64
    let media: MediaProcessed?
    /// Why it is not ready.
    let failure: String?

    static let columns: SQL = "id, owner_id, version, media, failure"
}

/// A page that shows something.
struct RetoldLink: Sendable {
    let id: LinkID
    let url: String
    let version: Int64
    let card: CardSnapshot?
    let fetchedAt: Timestamp?

    static let columns: SQL = "id, url, version, card, fetched_at"
}

enum RetoldStore {
    static func uploads(after place: Teller.Place, in database: some Querying) async throws -> [RetoldUpload] {
        try await database.query(
            """
            SELECT \(RetoldUpload.columns) FROM uploads
            WHERE id > \(place[0]) AND state IN ('ready', 'failed')
            ORDER BY id LIMIT \(place.limit)
            """
        ).all(as: RetoldUpload.init)
    }

    static func links(after place: Teller.Place, in database: some Querying) async throws -> [RetoldLink] {
        try await database.query(
            """
            SELECT \(RetoldLink.columns) FROM links
            WHERE id > \(place[0]) AND state = 'ready'
            ORDER BY id LIMIT \(place.limit)
            """
        ).all(as: RetoldLink.init)
    }
}
