// SPDX-License-Identifier: Apache-2.0
// Uploads: from their beginning to their end.

import Domain
import Events
import MediaWork
import Postgres
import Serving

/// An upload that is about to be.
struct NewUpload: Sendable {
    let id: MediaID
    let owner: AccountID
    let purpose: WorkOrder.Purpose
    let text: UploadText
    /// Bytes that will come, and that came.
    let length: Int64
    let received: Int64
    let now: Timestamp
    /// Until when it may go on coming; nil when it is all there.
    let expires: Timestamp?
}

extension NewUpload {
    /// Of a file that is all there.
    init(
        _ file: UploadForm.File,
        owner: AccountID,
        purpose: WorkOrder.Purpose,
        text: UploadText = UploadText(),
        now: Timestamp,
        expires: Timestamp? = nil
    ) {
        self.init(
            id: file.id,
            owner: owner,
            purpose: purpose,
            text: text,
            length: Int64(file.length),
            received: Int64(file.length),
            now: now,
            expires: expires
        )
    }
}

extension AccountID {
    /// Whose uploads are that came with a sign-up, until there is an account.
    static let nobody = AccountID(0)
}

/// What the files of an account take.
struct Usage: Sendable {
    let bytes: Int64
    let pending: Int64
}

enum UploadStore {
    static func usage(of owner: AccountID, in database: some Querying) async throws -> Usage {
        try await database.query(
            """
            SELECT CAST(coalesce(sum(kept_bytes), 0) AS bigint),
                count(*) FILTER (WHERE state IN ('receiving', 'processing'))
            FROM uploads
            WHERE owner_id = \(owner)
            """
        ).one(as: Usage.init) ?? Usage(bytes: 0, pending: 0)
    }

    static func insert(_ upload: NewUpload, in transaction: some Querying) async throws -> Upload? {
        let state = upload.expires == nil ? Upload.State.processing : .receiving
        return try await transaction.query(
            """
            INSERT INTO uploads (id, owner_id, state, purpose, description, focus_x, focus_y, length, received, created_at,
                expires_at, kept_bytes, unused_since)
            VALUES (\(upload.id), \(upload.owner), \(state.rawValue), \(upload.purpose.rawValue),
                \(upload.text.description), \(upload.text.focus?.x), \(upload.text.focus?.y), \(upload.length),
                \(upload.received), \(upload.now), \(upload.expires), \(upload.length), \(upload.now))
            RETURNING \(Upload.columns)
            """
        ).one { try $0.next() }
    }

    static func upload(_ id: MediaID, of owner: AccountID, in database: some Querying) async throws -> Upload? {
        try await database.query(
            "SELECT \(Upload.columns) FROM uploads WHERE id = \(id) AND owner_id = \(owner)"
        ).one { try $0.next() }
    }

    /// Those of the uploads that there are.
    static func uploads(_ ids: [MediaID], of owner: AccountID, in database: some Querying) async throws -> [Upload] {
        try await database.query(
            "SELECT \(Upload.columns) FROM uploads WHERE id = ANY (\(ids)) AND owner_id = \(owner) ORDER BY id"
        ).all { try $0.next() }
    }

    /// The same of one, for whoever changes it: others wait.
    static func lock(_ id: MediaID, of owner: AccountID, in transaction: some Transacting) async throws -> Upload? {
        try await transaction.query(
            "SELECT \(Upload.columns) FROM uploads WHERE id = \(id) AND owner_id = \(owner) FOR UPDATE"
        ).one { try $0.next() }
    }

    /// Keeps what the owner says; what was told of a file that is ready is kept with it.
    static func describe(
        _ id: MediaID,
        as text: UploadText,
        version: Int64,
        told media: MediaProcessed?,
        in transaction: some Transacting
    ) throws {
        transaction.enqueue(
            """
            UPDATE uploads
            SET description = \(text.description), focus_x = \(text.focus?.x), focus_y = \(text.focus?.y),
                version = \(version), media = \(try media.map { try JSONB(snapshot: $0) })
            WHERE id = \(id)
            """
        )
    }

    /// Lets somebody send what comes at an offset; whoever did so before no longer may.
    ///
    /// - Returns: a number by which the sender is known; nil when nothing may come there.
    static func take(_ id: MediaID, of owner: AccountID, at offset: Int64, in database: some Querying) async throws
        -> Int?
    {
        try await database.query(
            """
            UPDATE uploads SET attempts = attempts + 1
            WHERE id = \(id) AND owner_id = \(owner) AND state = 'receiving' AND received = \(offset)
            RETURNING attempts
            """
        ).one { try $0.next() }
    }

    /// Notes how much came, and until when more may come.
    ///
    /// - Returns: false when the sender has been replaced.
    static func advance(
        _ id: MediaID,
        to received: Int64,
        by sender: Int,
        expires: Timestamp,
        in database: some Querying
    ) async throws -> Bool {
        try await database.query(
            """
            UPDATE uploads SET received = \(received), expires_at = \(expires)
            WHERE id = \(id) AND state = 'receiving' AND attempts = \(sender)
            """
        ).affected == 1
    }

    /// Everything came: it may be worked on.
    static func finish(_ id: MediaID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE uploads SET state = 'processing', expires_at = NULL, attempts = 0
            WHERE id = \(id) AND state = 'receiving' AND received = length
            """
        )
    }

    /// Gives uploads to whom they came with: they may be worked on.
    static func claim(_ ids: [MediaID], for owner: AccountID, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE uploads SET owner_id = \(owner), state = 'processing', expires_at = NULL
            WHERE id = ANY (\(ids)) AND owner_id = \(AccountID.nobody) AND state = 'receiving' AND received = length
            """
        )
    }

    /// Whether something shows it.
    static func isUsed(_ id: MediaID, in database: some Querying) async throws -> Bool {
        try await database.query("SELECT count(*) FROM uploads u WHERE u.id = \(id) AND u.unused_since IS NULL")
            .number()
            == 1
    }

    /// - Returns: what they were.
    static func delete(_ ids: [MediaID], in transaction: some Transacting) async throws -> [Upload] {
        try await transaction.query("DELETE FROM uploads WHERE id = ANY (\(ids)) RETURNING \(Upload.columns)")
            .all { try $0.next() }
    }

    /// Some uploads that nobody has shown for long.
    static func unused(since moment: Timestamp, in transaction: some Transacting) async throws -> [MediaID] {
        try await transaction.query(
            """
            SELECT id FROM uploads WHERE unused_since < \(moment)
            ORDER BY unused_since LIMIT 100 FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    /// Uploads that stopped coming.
    static func expired(at now: Timestamp, in transaction: some Transacting) async throws -> [MediaID] {
        try await transaction.query(
            """
            SELECT id FROM uploads WHERE state = 'receiving' AND expires_at < \(now)
            ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    /// Those of some ids that are still coming or worked on, so that what came of them is still needed.
    static func needed(_ ids: [MediaID], in database: some Querying) async throws -> [MediaID] {
        try await database.query(
            "SELECT id FROM uploads WHERE id = ANY (\(ids)) AND state IN ('receiving', 'processing')"
        ).all { try $0.next() }
    }
}
