// SPDX-License-Identifier: Apache-2.0
// The projection of files: which are ready to be shown, who may attach them, and which post shows them.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// A file of the asking account's that nobody else attaches until the transaction ends.
struct HeldFile: Sendable {
    let id: MediaID
    /// Nil for a file that failed.
    let media: MediaProcessed?
    /// The post that shows it.
    let postID: PostID?

    static let columns: SQL = "id, snapshot, post_id"
}

/// A file of which something was heard.
struct KnownFile: Sendable {
    let id: MediaID
    let owner: AccountID
    /// Nil for a file that failed.
    let media: MediaProcessed?

    static let columns: SQL = "id, owner_id, snapshot"
}

enum MediaStore {
    /// Keeps what is said unless something newer is known; when repairing, also in place of what is of the same version.
    ///
    /// - Returns: whether it was kept.
    static func keep(_ news: MediaNews, repairing: Bool = false, in transaction: some Transacting) async throws -> Bool
    {
        try await news.keep(repairing: repairing, in: transaction)
    }

    /// What goes in a rebuild: files of which nobody told and that no post shows. That one is deleted nobody tells again.
    static let untold = UntoldRows(
        from: "media",
        where: "snapshot IS NOT NULL AND post_id IS NULL",
        kind: "'media'",
        "id"
    )

    /// What is known of files, whoever's they are.
    static func files(_ ids: [MediaID], in database: some Querying) async throws -> [KnownFile] {
        try await database.query("SELECT \(KnownFile.columns) FROM media WHERE id = ANY (\(ids))")
            .all(as: KnownFile.init)
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
        ).all(as: HeldFile.init)
    }

    /// The post, or the project, that shows a file: their ids are of one sequence.
    static func post(of id: MediaID, in transaction: some Transacting) async throws -> PostID? {
        try await transaction.query("SELECT post_id FROM media WHERE id = \(id) AND post_id IS NOT NULL")
            .one { try $0.next() }
    }

    /// What shows files, and whose it is.
    enum Showing: CaseIterable, Sendable {
        case post, project

        fileprivate var table: SQL { self == .post ? "posts" : "projects" }
        fileprivate var owner: SQL { self == .post ? "account_id" : "leader_id" }
    }

    /// Finds what shows a file of which nothing was known any more.
    static func restore(_ showing: Showing, of id: MediaID, by owner: AccountID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE media SET post_id = p.id, free_since = NULL
            FROM (
                SELECT p.id FROM \(showing.table) p
                WHERE p.\(showing.owner) = \(owner) AND p.media IS NOT NULL AND p.deleted_at IS NULL
                    AND EXISTS (SELECT FROM jsonb_array_elements(p.media) f WHERE f ->> 'id' = \(id.description))
                LIMIT 1
                FOR SHARE
            ) p
            WHERE media.id = \(id) AND media.post_id IS NULL
            """
        )
    }

    /// Changes what is said of the files of a post, without an edit of the post.
    static func show(_ media: [MediaSnapshot], in post: PostID, _ transaction: some Transacting) throws {
        transaction.enqueue(
            "UPDATE posts SET media = \(try JSONB(media: media)), version = version + 1 WHERE id = \(post)"
        )
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

    /// Files that no post shows.
    static let aged = AgedRows(of: "media", by: "id", since: "free_since")
}
