// SPDX-License-Identifier: Apache-2.0
// The projection of files: which are ready to be shown, who may attach them, and which post shows them.

import Domain
import Events
import Postgres
import Serving

/// A file of the asking account's that nobody else attaches until the transaction ends.
struct HeldFile: Columned {
    let id: MediaID
    /// Nil for a file that failed.
    let media: MediaProcessed?
    /// The post that shows it.
    let postID: PostID?

    static let columns: SQL = "id, snapshot, post_id"

    init(columns: inout Columns) throws {
        id = try columns.next()
        media = try columns.next(JSONB?.self)?.snapshot()
        postID = try columns.next()
    }
}

/// A file of which something was heard.
struct KnownFile: Columned {
    let id: MediaID
    let owner: AccountID
    /// Nil for a file that failed.
    let media: MediaProcessed?

    static let columns: SQL = "id, owner_id, snapshot"

    init(columns: inout Columns) throws {
        id = try columns.next()
        owner = try columns.next()
        media = try columns.next(JSONB?.self)?.snapshot()
    }
}

enum MediaStore {
    /// Keeps what is said unless something newer is known.
    ///
    /// - Returns: whether it was kept.
    static func keep(_ news: MediaNews, in transaction: some Transacting) async throws -> Bool {
        try await news.keep(in: transaction)
    }

    /// What is known of files, whoever's they are.
    static func files(_ ids: [MediaID], in database: some Querying) async throws -> [KnownFile] {
        try await database.query("SELECT \(KnownFile.columns) FROM media WHERE id = ANY (\(ids))")
            .all(KnownFile.init(columns:))
    }

    /// Those of the files that are the account's.
    static func hold(_ ids: [MediaID], of owner: AccountID, in transaction: some Transacting) async throws -> [HeldFile]
    {
        try await transaction.query(
            """
            SELECT \(HeldFile.columns)
            FROM media
            WHERE id = ANY (\(ids)) AND owner_id = \(owner)
            ORDER BY id
            FOR UPDATE
            """
        ).all(HeldFile.init(columns:))
    }

    /// Makes files the post's own.
    static func attach(_ ids: [MediaID], to post: PostID, in transaction: some Transacting) {
        transaction.enqueue(
            "UPDATE media SET post_id = \(post), free_since = NULL WHERE id = ANY (\(ids))"
        )
    }

    /// Gives the post's files back, which other posts may show then.
    static func release(from post: PostID, except ids: [MediaID], at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            "UPDATE media SET post_id = NULL, free_since = \(now) WHERE post_id = \(post) AND id <> ALL (\(ids))"
        )
    }

    /// Forgets some of the files that no post has shown for long.
    ///
    /// - Returns: how many.
    static func forget(freeSince moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(of: "media", by: "id", where: "free_since < \(moment)", inOrderOf: "free_since")
        ).affected
    }
}
