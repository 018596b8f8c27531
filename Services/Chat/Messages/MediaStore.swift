// SPDX-License-Identifier: Apache-2.0
// The projection of files: which are ready to be shown, and who may attach them.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// A message that carries a file.
struct CarryingMessage: Sendable {
    let id: MessageID
    let channel: ChannelID

    static let columns: SQL = "id, channel_id"
}

enum MediaStore {
    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    ///
    /// - Returns: whether it was kept.
    static func keep(_ news: MediaNews, repairing: Bool = false, in transaction: some Transacting) async throws -> Bool
    {
        try await news.keep(repairing: repairing, in: transaction)
    }

    /// What goes in a rebuild: files of which nobody told. That one is deleted nobody tells again.
    static let untold = UntoldRows(from: "media", where: "snapshot IS NOT NULL", kind: "'media'", "id")

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
