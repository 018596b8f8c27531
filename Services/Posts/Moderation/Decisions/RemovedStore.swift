// SPDX-License-Identifier: Apache-2.0
// The SQL that brings back what was removed.

import Domain
import Postgres

enum RemovedStore {
    /// Makes a post of its tombstone again and counts it, unless nothing is left of it. Boosts that went with it do not come back.
    ///
    /// - Returns: whether it is there again.
    static func restore(_ id: PostID, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            WITH back AS (
                UPDATE posts
                SET deleted_at = NULL, media = NULL, version = version + 1,
                    boosts_count = (
                        SELECT count(*) FROM posts b WHERE b.boost_of_id = posts.id AND b.deleted_at IS NULL
                    )
                WHERE id = \(id) AND deleted_at IS NOT NULL AND erased_at IS NULL AND text <> ''
                RETURNING id, account_id, visibility, in_reply_to_id, tags
            ),
            tagged AS (
                INSERT INTO post_tags (tag, post_id)
                SELECT t.tag, b.id FROM back b CROSS JOIN unnest(b.tags) t (tag) WHERE b.visibility = 'public'
                ON CONFLICT (tag, post_id) DO NOTHING
            ),
            own_home AS (
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT account_id, id, account_id FROM back
                ON CONFLICT DO NOTHING
            ),
            parent AS (
                UPDATE posts p
                SET replies_count = p.replies_count + 1, version = p.version + 1
                FROM back b
                WHERE p.id = b.in_reply_to_id AND b.visibility IN ('public', 'unlisted')
            ),
            writer AS (
                UPDATE accounts a
                SET posts_count = a.posts_count + 1, version = a.version + 1
                FROM back b
                WHERE a.id = b.account_id AND b.visibility <> 'direct'
            )
            SELECT id FROM back
            """
        ).affected == 1
    }

    /// The same of a project.
    static func restore(_ id: ProjectID, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE projects
            SET deleted_at = NULL, media = '[]', version = version + 1
            WHERE id = \(id) AND deleted_at IS NOT NULL AND erased_at IS NULL
            RETURNING id
            """
        ).affected == 1
    }
}
