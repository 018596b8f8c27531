// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what a deleted post still holds.

import Domain
import Postgres

/// Rows of a table that hang on posts or projects, and go with them.
struct HangingRows: Sendable {
    let table: SQL
    /// The primary key.
    let key: SQL
    /// The column of what they hang on.
    let thing: SQL

    /// Deletes some of what hangs on things.
    ///
    /// - Returns: how many rows.
    func erase<Thing>(from ids: [ID<Thing>], in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM \(table)
            WHERE (\(key)) IN (
                SELECT \(key) FROM \(table) WHERE \(thing) = ANY (\(ids)) LIMIT 2000
            )
            """
        ).affected
    }
}

/// Statements of the sweeps of posts, each of a few thousand rows at most.
enum ErasureStore {
    /// Deleted posts and boosts that still hold something, whose deletion was told, and which no boost outlives.
    static func deleted(before moment: Timestamp, in transaction: some Transacting) async throws -> [PostID] {
        try await transaction.query(
            """
            SELECT p.id
            FROM posts p
            WHERE p.deleted_at < \(moment) AND p.erased_at IS NULL
                AND NOT EXISTS (SELECT FROM posts b WHERE b.boost_of_id = p.id AND b.deleted_at IS NULL)
                AND NOT EXISTS (SELECT FROM outbox o WHERE o.subject = coalesce(p.boost_of_id, p.id)::text)
                AND NOT EXISTS (SELECT FROM evidence e WHERE e.kind = 'post' AND e.thing_id = p.id::text)
            ORDER BY p.deleted_at
            LIMIT 200
            FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    static let remains = [
        HangingRows(table: "favourites", key: "account_id, post_id", thing: "post_id"),
        HangingRows(table: "bookmarks", key: "account_id, post_id", thing: "post_id"),
        HangingRows(table: "post_edits", key: "post_id, created_at", thing: "post_id"),
    ]

    /// Deletes those of the posts that are boosts.
    ///
    /// - Returns: how many.
    static func deleteBoosts(_ ids: [PostID], in transaction: some Transacting) async throws -> Int {
        try await transaction.query("DELETE FROM posts WHERE id = ANY (\(ids)) AND boost_of_id IS NOT NULL").affected
    }

    /// Empties those of the posts on which nothing hangs any more.
    ///
    /// - Returns: how many.
    static func empty(_ ids: [PostID], at now: Timestamp, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE posts p
            SET text = '', spoiler_text = '', language = NULL, mentioned_ids = '{}', mentioned_names = '{}',
                tags = '{}', app_name = NULL, app_website = NULL, media = NULL, link_hash = NULL, card = NULL,
                erased_at = \(now)
            WHERE p.id = ANY (\(ids))
                AND NOT EXISTS (SELECT FROM favourites f WHERE f.post_id = p.id)
                AND NOT EXISTS (SELECT FROM bookmarks k WHERE k.post_id = p.id)
                AND NOT EXISTS (SELECT FROM post_edits h WHERE h.post_id = p.id)
            """
        ).affected
    }

    /// Earlier forms of some posts that have more than are kept, the oldest ones.
    static func forgetEdits(keeping edits: Int, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM post_edits e
            USING (
                SELECT post_id, (array_agg(created_at ORDER BY created_at DESC))[\(edits)] AS oldest
                FROM post_edits
                GROUP BY post_id
                HAVING count(*) > \(edits)
                LIMIT 500
            ) kept
            WHERE e.post_id = kept.post_id AND e.created_at < kept.oldest
            """
        ).affected
    }
}
