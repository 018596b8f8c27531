// SPDX-License-Identifier: Apache-2.0
// What a service keeps of files that others store: the table `media` of posts and of chat.

package import Domain
package import Events
package import Postgres

/// What was heard of a file: that it is ready, or why it will never be.
package struct MediaNews: Sendable {
    /// How old the id of a file of which nothing was heard may be while it is still on its way.
    package static let freshness = Duration.seconds(3600)

    package let id: MediaID
    package let owner: AccountID
    package let version: Int64
    /// Nil for a file that failed.
    package let media: MediaProcessed?
    package let failure: String?

    package init(_ media: MediaProcessed) {
        id = media.mediaID
        owner = media.ownerID
        version = media.subjectVersion
        self.media = media
        failure = nil
    }

    package init(_ failure: MediaFailed) {
        id = failure.mediaID
        owner = failure.ownerID
        version = failure.subjectVersion
        media = nil
        self.failure = failure.reason
    }

    /// Keeps what is said unless something newer is known.
    ///
    /// - Returns: whether it was kept.
    package func keep(in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO media (id, version, owner_id, snapshot, failure)
            VALUES (\(id), \(version), \(owner), \(try media.map { try JSONB(snapshot: $0) }),
                \(failure))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, snapshot = excluded.snapshot, failure = excluded.failure
            WHERE excluded.version > media.version
            """
        ).affected > 0
    }
}
