// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what notifications has of an account that was deleted.

import Domain
import Postgres

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// Rows that are an account's own, or about it.
    enum Belongings: CaseIterable, Sendable {
        case deliveries, devices, preferences, markers, floors, reads, departures
        case acts, follows, followRequests, silences, silencesByOthers, projectMentions, applications
        case moderation, restrictions, reports, decisions, account

        fileprivate var table: SQL {
            switch self {
            case .deliveries: "deliveries"
            case .devices: "devices"
            case .preferences: "push_preferences"
            case .markers: "markers"
            case .floors: "floors"
            case .reads: "reads"
            case .departures: "departures"
            case .acts, .follows, .followRequests: "acts"
            case .silences, .silencesByOthers: "silences"
            case .projectMentions: "project_mentions"
            case .applications: "applications"
            case .moderation: "moderators"
            case .restrictions: "restricted_accounts"
            case .reports: "reports"
            case .decisions: "decisions"
            case .account: "accounts"
            }
        }

        /// The primary key.
        fileprivate var key: SQL {
            switch self {
            case .deliveries, .devices, .applications, .reports, .decisions, .account: "id"
            case .preferences: "account_id, scope, scope_id"
            case .markers: "account_id, timeline"
            case .floors, .moderation, .restrictions: "account_id"
            case .reads: "channel_id, account_id"
            case .departures: "place_id, account_id"
            case .acts, .follows, .followRequests: "kind, subject_id, actor_id"
            case .silences, .silencesByOthers: "account_id, target_id, kind, version"
            case .projectMentions: "project_id, account_id"
            }
        }

        fileprivate func condition(_ account: AccountID) -> SQL {
            switch self {
            case .deliveries: "device_id IN (SELECT id FROM devices WHERE account_id = \(account))"
            case .acts: "actor_id = \(account)"
            case .follows: "kind = 'follow' AND subject_id = \(account)"
            case .followRequests: "kind = 'follow_request' AND subject_id = \(account)"
            case .silencesByOthers: "target_id = \(account)"
            case .reports:
                "CAST(\(account) AS bigint)::text IN (snapshot #>> '{reporter,id}', snapshot #>> '{target,id}')"
            case .applications, .decisions: "snapshot ->> 'account_id' = CAST(\(account) AS bigint)::text"
            case .account: "id = \(account)"
            default: "account_id = \(account)"
            }
        }
    }

    /// - Returns: how many rows went.
    static func delete(
        _ belongings: Belongings,
        of account: AccountID,
        in transaction: some Transacting
    ) async throws -> Int {
        let (table, key) = (belongings.table, belongings.key)
        return try await transaction.query(
            """
            DELETE FROM \(table)
            WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(belongings.condition(account)) LIMIT 500)
            """
        ).affected
    }

    /// Whose list an entry is in, or whose doing it is.
    enum Part: CaseIterable, Sendable {
        case recipient, actor

        fileprivate var column: SQL {
            switch self {
            case .recipient: "account_id"
            case .actor: "actor_id"
            }
        }
    }

    /// Deletes entries, with what was to be pushed of them.
    ///
    /// - Returns: how many entries.
    static func deleteEntries(
        with account: AccountID,
        as part: Part,
        in transaction: some Transacting
    ) async throws -> Int {
        try await transaction.query(
            """
            WITH gone AS (
                DELETE FROM notifications
                WHERE id IN (SELECT id FROM notifications WHERE \(part.column) = \(account) LIMIT 500)
                RETURNING id
            ),
            undelivered AS (
                DELETE FROM deliveries WHERE notification_id IN (SELECT id FROM gone)
            )
            SELECT id FROM gone
            """
        ).count
    }

    /// What the account made keeps its row without its content, so that what arrives late is known to be late.
    enum Works: CaseIterable, Sendable {
        case posts, projects

        fileprivate var table: SQL {
            switch self {
            case .posts: "posts"
            case .projects: "projects"
            }
        }

        fileprivate var assignments: SQL {
            switch self {
            case .posts: "author_id = NULL, snapshot = NULL, link_hash = NULL"
            case .projects: "snapshot = NULL"
            }
        }

        fileprivate func condition(_ account: AccountID) -> SQL {
            switch self {
            case .posts: "author_id = \(account)"
            case .projects: "snapshot ->> 'leader_id' = CAST(\(account) AS bigint)::text"
            }
        }
    }

    static func bury(_ works: Works, of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE \(works.table)
            SET \(works.assignments)
            WHERE id IN (SELECT id FROM \(works.table) WHERE \(works.condition(account)) LIMIT 500)
            """
        ).affected
    }

    /// Makes nobody of an account that others' posts name; their words stay theirs.
    static func unnameInPosts(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE posts t
            SET snapshot = jsonb_set(
                t.snapshot,
                '{mentions}',
                (
                    SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
                    FROM jsonb_array_elements(t.snapshot -> 'mentions') WITH ORDINALITY m (value, place)
                    WHERE m.value ->> 'id' <> CAST(\(account) AS bigint)::text
                )
            )
            WHERE t.id IN (
                SELECT id FROM posts
                WHERE snapshot -> 'mentions'
                        @> jsonb_build_array(jsonb_build_object('id', CAST(\(account) AS bigint)::text))
                    AND snapshot IS NOT NULL
                LIMIT 200
            )
            """
        ).affected
    }

    static func unnameInMessages(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE messages
            SET named = array_remove(named, CAST(\(account) AS bigint))
            WHERE id IN (
                SELECT id FROM messages
                WHERE named @> ARRAY[CAST(\(account) AS bigint)] AND named <> '{}'
                LIMIT 500
            )
            """
        ).affected
    }
}
