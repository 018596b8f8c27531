// SPDX-License-Identifier: Apache-2.0
// The SQL of what posts hands over of somebody: what they made and chose, of others' things only which they are.

import Domain
import Outbox
import Postgres
import Web

enum ExportedStore {
    // MARK: The account

    static func profile(_ id: AccountID, in database: some Querying) async throws -> String? {
        try await database.query(
            """
            SELECT json_build_object(
                'id', a.id::text, 'username', a.username, 'display_name', a.display_name, 'note', a.note,
                'fields', a.fields, 'locked', a.locked, 'bot', a.bot, 'discoverable', a.discoverable,
                'default_visibility', a.default_visibility, 'default_sensitive', a.default_sensitive,
                'default_language', a.default_language, 'extras', a.extras, 'created_at', a.created_at,
                'posts_count', a.posts_count, 'followers_count', a.followers_count,
                'following_count', a.following_count
            )::text
            FROM accounts a WHERE a.id = \(id)
            """
        ).one { try $0.next() }
    }

    // MARK: Posts

    /// With what they said before they were edited.
    static func posts(_ place: ExportPlace, origin: String, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[p.id], json_build_object(
                'id', p.id::text, 'url', \(origin) || '/@' || a.username || '/' || p.id, 'created_at', p.created_at,
                'edited_at', p.edited_at, 'text', p.text, 'spoiler_text', p.spoiler_text, 'sensitive', p.sensitive,
                'visibility', p.visibility, 'language', p.language, 'in_reply_to_id', p.in_reply_to_id::text,
                'in_reply_to_account_id', p.in_reply_to_account_id::text, 'mentions', p.mentioned_names,
                'tags', p.tags, 'app', p.app_name, 'pinned', p.pinned_id IS NOT NULL, 'replies_count', p.replies_count,
                'boosts_count', p.boosts_count, 'favourites_count', p.favourites_count,
                'media', (
                    SELECT json_agg(json_build_object('id', m ->> 'id', 'description', m ->> 'description'))
                    FROM jsonb_array_elements(p.media) m
                ),
                'earlier_versions', (
                    SELECT json_agg(
                        json_build_object(
                            'created_at', e.created_at, 'text', e.text, 'spoiler_text', e.spoiler_text,
                            'sensitive', e.sensitive
                        )
                        ORDER BY e.created_at
                    )
                    FROM post_edits e WHERE e.post_id = p.id
                )
            )::text
            FROM posts p
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
            WHERE p.account_id = \(place.account) AND p.deleted_at IS NULL AND p.boost_of_id IS NULL
                AND p.id > \(place[0])
            ORDER BY p.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    static func boosts(_ place: ExportPlace, origin: String, in database: some Querying) async throws -> [ExportedText]
    {
        try await database.query(
            """
            SELECT ARRAY[b.id], json_build_object(
                'id', b.id::text, 'created_at', b.created_at, 'visibility', b.visibility, \(other(origin))
            )::text
            FROM posts b
            \(joined("b.boost_of_id"))
            WHERE b.account_id = \(place.account) AND b.deleted_at IS NULL AND b.boost_of_id IS NOT NULL
                AND b.id > \(place[0])
            ORDER BY b.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    static func favourites(_ place: ExportPlace, origin: String, in database: some Querying) async throws
        -> [ExportedText]
    {
        try await database.query(
            """
            SELECT ARRAY[f.id], json_build_object(\(other(origin)))::text
            FROM favourites f
            \(joined("f.post_id"))
            WHERE f.account_id = \(place.account) AND f.id > \(place[0])
            ORDER BY f.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    static func bookmarks(_ place: ExportPlace, origin: String, in database: some Querying) async throws
        -> [ExportedRow]
    {
        try await database.query(
            """
            SELECT ARRAY[k.id], ARRAY[\(origin) || '/@' || a.username || '/' || p.id]
            FROM bookmarks k
            \(joined("k.post_id"))
            WHERE k.account_id = \(place.account) AND k.id > \(place[0])
            ORDER BY k.id LIMIT \(place.limit)
            """
        ).all(as: ExportedRow.init)
    }

    static func mutedConversations(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[m.conversation_id], json_build_object('conversation_id', m.conversation_id::text)::text
            FROM conversation_mutes m
            WHERE m.account_id = \(place.account) AND m.conversation_id > \(place[0])
            ORDER BY m.conversation_id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    /// Which post of somebody's it is, and not what is in it.
    private static func other(_ origin: String) -> SQL {
        """
        'post_id', p.id::text, 'account', a.username, 'url', \(origin) || '/@' || a.username || '/' || p.id
        """
    }

    private static func joined(_ post: SQL) -> SQL {
        """
        CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = \(post) OFFSET 0) p
        CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
        """
    }

    // MARK: Accounts of others, as Mastodon's tables have them

    static func following(_ place: ExportPlace, domain: String, in database: some Querying) async throws
        -> [ExportedRow]
    {
        try await database.query(
            """
            SELECT ARRAY[f.id], ARRAY[
                a.username || '@' || \(domain), f.show_boosts::text, f.notify::text,
                coalesce(array_to_string(f.languages, ', '), '')
            ]
            FROM follows f
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = f.followee_id OFFSET 0) a
            WHERE f.follower_id = \(place.account) AND f.id > \(place[0])
            ORDER BY f.id LIMIT \(place.limit)
            """
        ).all(as: ExportedRow.init)
    }

    static func followers(_ place: ExportPlace, domain: String, in database: some Querying) async throws
        -> [ExportedRow]
    {
        try await database.query(
            """
            SELECT ARRAY[f.id], ARRAY[a.username || '@' || \(domain)]
            FROM follows f
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = f.follower_id OFFSET 0) a
            WHERE f.followee_id = \(place.account) AND f.id > \(place[0])
            ORDER BY f.id LIMIT \(place.limit)
            """
        ).all(as: ExportedRow.init)
    }

    static func blocks(_ place: ExportPlace, domain: String, in database: some Querying) async throws -> [ExportedRow] {
        try await database.query(
            """
            SELECT ARRAY[b.id], ARRAY[a.username || '@' || \(domain)]
            FROM blocks b
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = b.target_id OFFSET 0) a
            WHERE b.account_id = \(place.account) AND b.id > \(place[0])
            ORDER BY b.id LIMIT \(place.limit)
            """
        ).all(as: ExportedRow.init)
    }

    static func mutes(_ place: ExportPlace, domain: String, in database: some Querying) async throws -> [ExportedRow] {
        try await database.query(
            """
            SELECT ARRAY[m.id], ARRAY[a.username || '@' || \(domain), m.notifications::text]
            FROM mutes m
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = m.target_id OFFSET 0) a
            WHERE m.account_id = \(place.account) AND m.id > \(place[0])
            ORDER BY m.id LIMIT \(place.limit)
            """
        ).all(as: ExportedRow.init)
    }

    /// Those that wait for an answer.
    static func followRequests(_ place: ExportPlace, domain: String, in database: some Querying) async throws
        -> [ExportedRow]
    {
        try await database.query(
            """
            SELECT ARRAY[r.followee_id], ARRAY[a.username || '@' || \(domain)]
            FROM follow_requests r
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = r.followee_id OFFSET 0) a
            WHERE r.follower_id = \(place.account) AND r.followee_id > \(place[0])
            ORDER BY r.followee_id LIMIT \(place.limit)
            """
        ).all(as: ExportedRow.init)
    }

    static func notes(_ place: ExportPlace, domain: String, in database: some Querying) async throws -> [ExportedRow] {
        try await database.query(
            """
            SELECT ARRAY[n.target_id], ARRAY[a.username || '@' || \(domain), n.comment]
            FROM account_notes n
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = n.target_id OFFSET 0) a
            WHERE n.account_id = \(place.account) AND n.target_id > \(place[0])
            ORDER BY n.target_id LIMIT \(place.limit)
            """
        ).all(as: ExportedRow.init)
    }

    // MARK: Projects

    static func projects(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[p.id], json_build_object(
                'id', p.id::text, 'state', p.state, 'title', p.title, 'summary', p.summary, 'body', p.body,
                'category', p.category, 'labels', p.labels, 'tags', p.tags, 'roles', p.roles, 'place', p.place,
                'frequency', p.frequency, 'starts_on', p.starts_on, 'deadline', p.deadline,
                'contact_url', p.contact_url, 'language', p.language, 'created_at', p.created_at,
                'published_at', p.published_at, 'edited_at', p.edited_at
            )::text
            FROM projects p
            WHERE p.leader_id = \(place.account) AND p.deleted_at IS NULL AND p.id > \(place[0])
            ORDER BY p.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    static func memberships(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[m.project_id], json_build_object(
                'project_id', m.project_id::text, 'project', p.title, 'joined_at', m.joined_at
            )::text
            FROM project_members m
            CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = m.project_id OFFSET 0) p
            WHERE m.account_id = \(place.account) AND m.project_id > \(place[0])
            ORDER BY m.project_id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    static func applications(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[a.id], json_build_object(
                'id', a.id::text, 'project_id', a.project_id::text, 'project', p.title, 'role', a.role_name,
                'message', a.message, 'state', a.state, 'note', a.note, 'created_at', a.created_at,
                'decided_at', a.decided_at
            )::text
            FROM applications a
            CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = a.project_id OFFSET 0) p
            WHERE a.account_id = \(place.account) AND a.id > \(place[0])
            ORDER BY a.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    static func projectBookmarks(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[k.id], json_build_object('project_id', k.project_id::text, 'project', p.title)::text
            FROM project_bookmarks k
            CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = k.project_id OFFSET 0) p
            WHERE k.account_id = \(place.account) AND k.id > \(place[0])
            ORDER BY k.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    // MARK: Reading

    /// What reviews said before they were written over.
    static func earlierTexts(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[r.id], json_build_object(
                'record_id', r.id::text,
                'texts', (
                    SELECT json_agg(json_build_object('id', e.id::text, 'field', e.field, 'text', e.text) ORDER BY e.id)
                    FROM earlier_texts e WHERE e.record_id = r.id
                )
            )::text
            FROM reading_records r
            WHERE r.account_id = \(place.account) AND r.id > \(place[0])
                AND EXISTS (SELECT FROM earlier_texts e WHERE e.record_id = r.id)
            ORDER BY r.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    // MARK: Moderation

    /// Whom and what somebody reported, not who saw to it.
    static func reports(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[p.id], json_build_object(
                'id', p.id::text, 'category', p.category, 'comment', p.comment, 'rule_ids', p.rule_ids,
                'target_account_id', p.target_id::text, 'created_at', p.created_at, 'closed_at', p.closed_at,
                'things', (
                    SELECT coalesce(
                        json_agg(json_build_object('kind', t.kind, 'id', t.thing_id) ORDER BY t.kind, t.thing_id), '[]'
                    )
                    FROM report_things t WHERE t.report_id = p.id
                )
            )::text
            FROM reports p
            WHERE p.reporter_id = \(place.account) AND p.id > \(place[0])
            ORDER BY p.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    /// What was decided about somebody, with what was taken away as long as it is kept; not who decided, nor who reported.
    static func decisions(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[d.id], json_build_object(
                'id', d.id::text, 'action', d.action, 'thing_kind', d.thing_kind, 'thing_id', d.thing_id,
                'removed_text', (SELECT e.snapshot ->> 'text' FROM evidence e WHERE e.decision_id = d.id),
                'reason', d.reason, 'decided_at', d.decided_at, 'until', d.until, 'appeal_until', d.appeal_until,
                'lifted_at', d.lifted_at
            )::text
            FROM decisions d
            WHERE d.account_id = \(place.account) AND d.id > \(place[0])
            ORDER BY d.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    /// What somebody said to that, and what came of it; not who decided.
    static func appeals(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[q.decision_id], json_build_object(
                'decision_id', q.decision_id::text, 'text', q.text, 'state', q.state, 'created_at', q.created_at,
                'decided_at', q.decided_at
            )::text
            FROM appeals q
            WHERE q.account_id = \(place.account) AND q.decision_id > \(place[0])
            ORDER BY q.decision_id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }
}
