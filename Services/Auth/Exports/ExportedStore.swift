// SPDX-License-Identifier: Apache-2.0
// The SQL of what auth hands over of somebody: never what opens anything.

import Domain
import Outbox
import Postgres

enum ExportedStore {
    static func account(_ id: AccountID, in database: some Querying) async throws -> String? {
        try await database.query(
            """
            SELECT json_build_object(
                'id', a.id::text, 'username', a.username, 'email', a.email, 'language', a.language, 'role', a.role,
                'reason', a.reason, 'created_at', a.created_at,
                'password_changed_at', CASE WHEN a.password_hash IS NOT NULL THEN a.password_changed_at END
            )::text
            FROM accounts a WHERE a.id = \(id)
            """
        ).one { try $0.next() }
    }

    static let sessions = ExportedRows(by: "s.id", of: "s.account_id") {
        """
        json_build_object(
            'id', s.id::text, 'app', p.name, 'scopes', s.scopes, 'device', s.device, 'created_at', s.created_at,
            'last_used_at', s.last_used_at, 'expires_at', s.expires_at
        )::text
        FROM sessions s
        CROSS JOIN LATERAL (SELECT p.name FROM apps p WHERE p.id = s.app_id OFFSET 0) p
        """
    }

    static let identities = ExportedRows(by: "i.id", of: "i.account_id") {
        """
        json_build_object(
            'issuer', i.issuer, 'subject', i.subject, 'email', i.email, 'linked_at', i.linked_at,
            'last_used_at', i.last_used_at
        )::text
        FROM identities i
        """
    }

    /// The first of each kind first.
    static func consents(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[c.place, c.version], json_build_object(
                'kind', c.kind, 'version', c.version, 'given_at', c.given_at, 'way', c.way
            )::text
            FROM (
                SELECT k.place, c.* FROM consents c
                JOIN (VALUES ('rules', 1), ('privacy', 2), ('terms', 3)) k (kind, place) ON k.kind = c.kind
                WHERE c.account_id = \(place.account)
            ) c
            WHERE (c.place, c.version) > (\(place[0]), \(place[1]))
            ORDER BY c.place, c.version LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }

    /// Others' addresses are theirs.
    static func audit(_ place: ExportPlace, in database: some Querying) async throws -> [ExportedText] {
        try await database.query(
            """
            SELECT ARRAY[n.id], json_build_object(
                'act', n.act, 'at', n.at, 'last_at', n.last_at, 'count', n.count, 'session_id', n.session_id::text,
                'by_you', n.actor = \("account \(place.account)"),
                'address', CASE WHEN n.actor IN (\("account \(place.account)"), 'nobody') THEN n.address END,
                'detail', n.detail
            )::text
            FROM audit n
            WHERE n.account_id = \(place.account) AND n.id > \(place[0])
            ORDER BY n.id LIMIT \(place.limit)
            """
        ).all(as: ExportedText.init)
    }
}
