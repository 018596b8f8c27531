// SPDX-License-Identifier: Apache-2.0
// What a service keeps of files that others store: the table `media` of posts and of chat.

public import Domain
public import Events
public import Postgres

/// What was heard of a file: that it is ready, or why it will never be.
public struct MediaNews: Sendable {
    /// How old the id of a file of which nothing was heard may be while it is still on its way.
    public static let freshness = Duration.seconds(3600)

    /// Between looks at whether something was told.
    private static let pause = Duration.milliseconds(50)

    public let id: MediaID
    public let owner: AccountID
    public let version: Int64
    /// Nil for a file that failed.
    public let media: MediaProcessed?
    public let failure: String?

    public init(_ media: MediaProcessed) {
        id = media.mediaID
        owner = media.ownerID
        version = media.subjectVersion
        self.media = media
        failure = nil
    }

    public init(_ failure: MediaFailed) {
        id = failure.mediaID
        owner = failure.ownerID
        version = failure.subjectVersion
        media = nil
        self.failure = failure.reason
    }

    /// Whether a file of which nothing was heard may be on its way.
    public static func mayCome(_ id: MediaID, now: Timestamp) -> Bool {
        let age = now - id.timestamp
        return age > .seconds(-5) && age < freshness
    }

    /// Waits for files of which something may be told at this moment: the client may know of it already.
    public static func wait(
        for ids: [MediaID],
        atMost patience: Duration,
        now: @Sendable () -> Timestamp,
        in database: some Querying
    ) async throws {
        guard !ids.isEmpty else { return }
        let end = ContinuousClock.now + patience
        while true {
            let known = Set(
                try await database.query("SELECT id FROM media WHERE id = ANY (\(ids))").all {
                    try $0.next(MediaID.self)
                }
            )
            let isWorthIt = ids.contains { !known.contains($0) && mayCome($0, now: now()) }
            guard isWorthIt, ContinuousClock.now < end else { return }
            try await Task.sleep(for: pause)
        }
    }

    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    ///
    /// - Returns: whether it was kept.
    public func keep(repairing: Bool = false, in transaction: some Transacting) async throws -> Bool {
        let isNewer: SQL = repairing ? "excluded.version >= media.version" : "excluded.version > media.version"
        return try await transaction.query(
            """
            INSERT INTO media (id, version, owner_id, snapshot, failure)
            VALUES (\(id), \(version), \(owner), \(try media.map { try JSONB(snapshot: $0) }),
                \(failure))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, snapshot = excluded.snapshot, failure = excluded.failure
            WHERE \(isNewer)
            """
        ).affected > 0
    }
}
