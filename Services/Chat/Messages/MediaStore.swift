// SPDX-License-Identifier: Apache-2.0
// The projection of files: which are ready to be shown, and who may attach them.

import Domain
import Events
import Postgres
import Serving

/// What was heard of a file: that it is ready, or why it will never be.
struct MediaNews: Sendable {
    let id: MediaID
    let owner: AccountID
    let version: Int64
    /// Nil for a file that failed.
    let media: MediaProcessed?
    let failure: String?

    init(_ media: MediaProcessed) {
        id = media.mediaID
        owner = media.ownerID
        version = media.subjectVersion
        self.media = media
        failure = nil
    }

    init(_ failure: MediaFailed) {
        id = failure.mediaID
        owner = failure.ownerID
        version = failure.subjectVersion
        media = nil
        self.failure = failure.reason
    }
}

/// A message that carries a file.
struct CarryingMessage: Sendable {
    let id: MessageID
    let channel: ChannelID

    static let columns: SQL = "id, channel_id"
}

enum MediaStore {
    /// Keeps what is said unless something newer is known.
    ///
    /// - Returns: whether it was kept.
    static func keep(_ news: MediaNews, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO media (id, version, owner_id, snapshot, failure)
            VALUES (\(news.id), \(news.version), \(news.owner), \(try news.media.map { try JSONB(snapshot: $0) }),
                \(news.failure))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, snapshot = excluded.snapshot, failure = excluded.failure
            WHERE excluded.version > media.version
            """
        ).affected > 0
    }

    /// The messages that carry a file, in the order in which channels are held.
    static func messages(with media: MediaID, most: Int, in database: some Querying) async throws -> [CarryingMessage] {
        try await database.query(
            """
            SELECT \(CarryingMessage.columns)
            FROM messages
            WHERE attachment_ids <> '{}' AND attachment_ids @> \([media]) AND deleted_at IS NULL
            ORDER BY channel_id, seq
            LIMIT \(most)
            """
        ).all(as: CarryingMessage.init)
    }
}
