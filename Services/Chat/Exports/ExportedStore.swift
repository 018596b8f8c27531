// SPDX-License-Identifier: Apache-2.0
// The SQL of what chat hands over of somebody: what they wrote, never what others did.

import Domain
import Outbox
import Postgres

enum ExportedStore {
    static let playgrounds = ExportedRows(by: "m.playground_id", of: "m.account_id") {
        """
        json_build_object(
            'id', p.id::text, 'name', p.name, 'description', p.description, 'open', p.open, 'role', m.role,
            'joined_at', m.joined_at, 'created_at', p.created_at
        )::text
        FROM playground_members m
        CROSS JOIN LATERAL (SELECT p.* FROM playgrounds p WHERE p.id = m.playground_id OFFSET 0) p
        """
    }

    /// With the names of the people of direct ones.
    static let channels = ExportedRows(by: "m.channel_id", of: "m.account_id") {
        """
        json_build_object(
            'id', c.id::text, 'type', c.type, 'name', c.name, 'playground_id', c.playground_id::text,
            'playground', (SELECT p.name FROM playgrounds p WHERE p.id = c.playground_id),
            'people', CASE WHEN c.party IS NOT NULL THEN (
                SELECT json_agg(a.username ORDER BY a.id)
                FROM channel_members o
                CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = o.account_id OFFSET 0) a
                WHERE o.channel_id = c.id
            ) END,
            'role', m.role, 'notify', m.notify, 'muted_until', m.muted_until, 'last_read_seq', m.last_read_seq,
            'joined_at', m.joined_at
        )::text
        FROM channel_members m
        CROSS JOIN LATERAL (SELECT c.* FROM channels c WHERE c.id = m.channel_id OFFSET 0) c
        """
    }

    static let messages = ExportedRows(
        by: "m.id",
        of: "m.author_id",
        where: "m.author_id <> 0 AND m.deleted_at IS NULL"
    ) {
        """
        json_build_object(
            'id', m.id::text, 'channel_id', m.channel_id::text, 'channel_type', c.type, 'channel', c.name,
            'playground', (SELECT p.name FROM playgrounds p WHERE p.id = c.playground_id),
            'text', m.text, 'language', m.language, 'created_at', m.created_at, 'edited_at', m.edited_at,
            'reply_to_id', m.reply_to_id::text, 'thread_id', m.thread_id::text, 'mentions', m.mentions,
            'attachment_ids', m.attachment_ids::text[], 'gif', m.gif
        )::text
        FROM messages m
        CROSS JOIN LATERAL (SELECT c.* FROM channels c WHERE c.id = m.channel_id OFFSET 0) c
        """
    }

    static func reactions(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[r.message_id], json_build_object(
                'message_id', r.message_id::text, 'emoji', json_agg(r.emoji ORDER BY r.created_at, r.emoji),
                'created_at', min(r.created_at)
            )::text
            FROM reactions r
            WHERE r.account_id = \(place.account) AND r.message_id > \(place[0])
            GROUP BY r.message_id
            ORDER BY r.message_id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }
}
