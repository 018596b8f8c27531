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
    static func posts(origin: String) -> ExportedRows {
        ExportedRows(by: "p.id", of: "p.account_id", where: "p.deleted_at IS NULL AND p.boost_of_id IS NULL") {
            """
            json_build_object(
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
            """
        }
    }

    static func boosts(origin: String) -> ExportedRows {
        ExportedRows(by: "b.id", of: "b.account_id", where: "b.deleted_at IS NULL AND b.boost_of_id IS NOT NULL") {
            """
            json_build_object(
                'id', b.id::text, 'created_at', b.created_at, 'visibility', b.visibility, \(other(origin))
            )::text
            FROM posts b
            \(joined("b.boost_of_id"))
            """
        }
    }

    static func favourites(origin: String) -> ExportedRows {
        ExportedRows(by: "f.id", of: "f.account_id") {
            """
            json_build_object(\(other(origin)))::text
            FROM favourites f
            \(joined("f.post_id"))
            """
        }
    }

    static func bookmarks(origin: String) -> ExportedRows {
        ExportedRows(by: "k.id", of: "k.account_id") {
            """
            ARRAY[\(origin) || '/@' || a.username || '/' || p.id]
            FROM bookmarks k
            \(joined("k.post_id"))
            """
        }
    }

    static let mutedConversations = ExportedRows(by: "m.conversation_id", of: "m.account_id") {
        """
        json_build_object('conversation_id', m.conversation_id::text)::text
        FROM conversation_mutes m
        """
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

    static func following(domain: String) -> ExportedRows {
        others("follows f", "f.followee_id", by: "f.id", of: "f.follower_id", domain) {
            ", f.show_boosts::text, f.notify::text, coalesce(array_to_string(f.languages, ', '), '')"
        }
    }

    static func followers(domain: String) -> ExportedRows {
        others("follows f", "f.follower_id", by: "f.id", of: "f.followee_id", domain)
    }

    static func blocks(domain: String) -> ExportedRows {
        others("blocks b", "b.target_id", by: "b.id", of: "b.account_id", domain)
    }

    static func mutes(domain: String) -> ExportedRows {
        others("mutes m", "m.target_id", by: "m.id", of: "m.account_id", domain) { ", m.notifications::text" }
    }

    /// Those that wait for an answer.
    static func followRequests(domain: String) -> ExportedRows {
        others("follow_requests r", "r.followee_id", by: "r.followee_id", of: "r.follower_id", domain)
    }

    static func notes(domain: String) -> ExportedRows {
        others("account_notes n", "n.target_id", by: "n.target_id", of: "n.account_id", domain) { ", n.comment" }
    }

    /// The addresses of the accounts in a column of a table, and what stands beside each.
    private static func others(
        _ table: SQL,
        _ other: SQL,
        by key: SQL,
        of owner: SQL,
        _ domain: String,
        _ rest: () -> SQL = { "" }
    ) -> ExportedRows {
        let rest = rest()
        return ExportedRows(by: key, of: owner) {
            """
            ARRAY[a.username || '@' || \(domain)\(rest)]
            FROM \(table)
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = \(other) OFFSET 0) a
            """
        }
    }

    // MARK: Projects

    static let projects = ExportedRows(by: "p.id", of: "p.leader_id", where: "p.deleted_at IS NULL") {
        """
        json_build_object(
            'id', p.id::text, 'state', p.state, 'title', p.title, 'summary', p.summary, 'body', p.body,
            'category', p.category, 'labels', p.labels, 'tags', p.tags, 'roles', p.roles, 'place', p.place,
            'frequency', p.frequency, 'starts_on', p.starts_on, 'deadline', p.deadline,
            'contact_url', p.contact_url, 'language', p.language, 'created_at', p.created_at,
            'published_at', p.published_at, 'edited_at', p.edited_at
        )::text
        FROM projects p
        """
    }

    static let memberships = ExportedRows(by: "m.project_id", of: "m.account_id") {
        """
        json_build_object(
            'project_id', m.project_id::text, 'project', p.title, 'joined_at', m.joined_at
        )::text
        FROM project_members m
        CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = m.project_id OFFSET 0) p
        """
    }

    static let applications = ExportedRows(by: "a.id", of: "a.account_id") {
        """
        json_build_object(
            'id', a.id::text, 'project_id', a.project_id::text, 'project', p.title, 'role', a.role_name,
            'message', a.message, 'state', a.state, 'note', a.note, 'created_at', a.created_at,
            'decided_at', a.decided_at
        )::text
        FROM applications a
        CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = a.project_id OFFSET 0) p
        """
    }

    static let projectBookmarks = ExportedRows(by: "k.id", of: "k.account_id") {
        """
        json_build_object('project_id', k.project_id::text, 'project', p.title)::text
        FROM project_bookmarks k
        CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = k.project_id OFFSET 0) p
        """
    }

    // MARK: Reading

    /// What reviews said before they were written over.
    static let earlierTexts = ExportedRows(
        by: "r.id",
        of: "r.account_id",
        where: "EXISTS (SELECT FROM earlier_texts e WHERE e.record_id = r.id)"
    ) {
        """
        json_build_object(
            'record_id', r.id::text,
            'texts', (
                SELECT json_agg(json_build_object('id', e.id::text, 'field', e.field, 'text', e.text) ORDER BY e.id)
                FROM earlier_texts e WHERE e.record_id = r.id
            )
        )::text
        FROM reading_records r
        """
    }

    // MARK: Moderation

    /// Whom and what somebody reported, not who saw to it.
    static let reports = ExportedRows(by: "p.id", of: "p.reporter_id") {
        """
        json_build_object(
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
        """
    }

    /// What was decided about somebody, with what was taken away as long as it is kept; not who decided, nor who reported.
    static let decisions = ExportedRows(by: "d.id", of: "d.account_id") {
        """
        json_build_object(
            'id', d.id::text, 'action', d.action, 'thing_kind', d.thing_kind, 'thing_id', d.thing_id,
            'removed_text', (SELECT e.snapshot ->> 'text' FROM evidence e WHERE e.decision_id = d.id),
            'reason', d.reason, 'decided_at', d.decided_at, 'until', d.until, 'appeal_until', d.appeal_until,
            'lifted_at', d.lifted_at
        )::text
        FROM decisions d
        """
    }

    /// What somebody said to that, and what came of it; not who decided.
    static let appeals = ExportedRows(by: "q.decision_id", of: "q.account_id") {
        """
        json_build_object(
            'decision_id', q.decision_id::text, 'text', q.text, 'state', q.state, 'created_at', q.created_at,
            'decided_at', q.decided_at
        )::text
        FROM appeals q
        """
    }
}
