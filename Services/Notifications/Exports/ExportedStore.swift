// SPDX-License-Identifier: Apache-2.0
// The SQL of what notifications hands over of somebody.

import Domain
import Outbox
import Postgres

enum ExportedStore {
    /// Without their addresses and keys, with which somebody else could push to them.
    static func devices(of account: AccountID, in database: some Querying) async throws -> String? {
        try await database.query(
            """
            SELECT coalesce(json_agg(
                json_build_object(
                    'id', d.id::text, 'session_id', d.session_id::text, 'platform', d.platform, 'language', d.language,
                    'time_zone', d.time_zone, 'alerts', d.alerts, 'policy', d.policy, 'created_at', d.created_at,
                    'registered_at', d.registered_at
                )
                ORDER BY d.registered_at, d.id
            ), '[]')::text
            FROM devices d WHERE d.account_id = \(account)
            """
        ).one { try $0.next() }
    }

    /// A row for each place that somebody set apart.
    static func preferences(of account: AccountID, in database: some Querying) async throws -> String? {
        try await database.query(
            """
            SELECT coalesce(json_agg(
                json_build_object(
                    'scope', p.scope, 'scope_id', p.scope_id::text, 'kinds', p.kinds, 'preview', p.preview,
                    'quiet_from', p.quiet_from, 'quiet_to', p.quiet_to, 'time_zone', p.time_zone
                )
                ORDER BY p.scope, p.scope_id
            ), '[]')::text
            FROM push_preferences p WHERE p.account_id = \(account)
            """
        ).one { try $0.next() }
    }

    static func markers(of account: AccountID, in database: some Querying) async throws -> String? {
        try await database.query(
            """
            SELECT coalesce(json_agg(
                json_build_object(
                    'timeline', m.timeline, 'last_read_id', m.last_read_id::text, 'updated_at', m.updated_at
                )
                ORDER BY m.timeline
            ), '[]')::text
            FROM markers m WHERE m.account_id = \(account)
            """
        ).one { try $0.next() }
    }

    static let notifications = ExportedRows(by: "n.id", of: "n.account_id", where: "NOT n.dismissed") {
        """
        json_build_object(
            'id', n.id::text, 'type', n.type, 'created_at', n.created_at, 'account_id', n.actor_id::text,
            'account', a.snapshot ->> 'username', 'about_id', n.subject_id::text
        )::text
        FROM notifications n
        LEFT JOIN LATERAL (SELECT a.snapshot FROM accounts a WHERE a.id = n.actor_id OFFSET 0) a ON true
        """
    }
}
