// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what a deleted project still holds.

import Domain
import Postgres

/// Statements of the sweep of projects, each of a few thousand rows at most.
enum ProjectErasureStore {
    /// Deleted projects that still hold something and whose deletion was told.
    static func deleted(before moment: Timestamp, in transaction: some Transacting) async throws -> [ProjectID] {
        try await transaction.query(
            """
            SELECT p.id
            FROM projects p
            WHERE p.deleted_at < \(moment) AND p.erased_at IS NULL
                AND NOT EXISTS (SELECT FROM outbox o WHERE o.subject = p.id::text)
                AND NOT EXISTS (SELECT FROM evidence e WHERE e.kind = 'project' AND e.thing_id = p.id::text)
            ORDER BY p.deleted_at
            LIMIT 200
            FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    static let remains = [
        HangingRows(table: "applications", key: "id", thing: "project_id"),
        HangingRows(table: "project_bookmarks", key: "project_id, account_id", thing: "project_id"),
        HangingRows(table: "project_edits", key: "project_id, created_at", thing: "project_id"),
        HangingRows(table: "project_members", key: "project_id, account_id", thing: "project_id"),
        HangingRows(table: "project_views", key: "project_id", thing: "project_id"),
    ]

    /// Empties those of the projects on which nothing that grows hangs any more.
    ///
    /// - Returns: how many.
    static func empty(_ ids: [ProjectID], at now: Timestamp, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE projects p
            SET title = '', summary = '', body = '', mentioned_ids = '{}', mentioned_names = '{}', category = NULL,
                labels = '{}', tags = '{}', roles = '[]', place = NULL, frequency = NULL, starts_on = NULL,
                contact_url = NULL, language = NULL, media = '[]', link_hash = NULL, playground_id = NULL,
                channel_id = NULL, erased_at = \(now)
            WHERE p.id = ANY (\(ids))
                AND NOT EXISTS (SELECT FROM applications q WHERE q.project_id = p.id)
                AND NOT EXISTS (SELECT FROM project_bookmarks k WHERE k.project_id = p.id)
            """
        ).affected
    }
}
