// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what notifications has of an account that was deleted.

import Domain
import Postgres
import Serving

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// What is an account's own, or about it.
    static let belongings = [
        AccountRows("deliveries", by: "id") { "device_id IN (SELECT id FROM devices WHERE account_id = \($0))" },
        AccountRows("devices", by: "id"),
        AccountRows("push_preferences", by: "account_id, scope, scope_id"),
        AccountRows("markers", by: "account_id, timeline"),
        AccountRows("floors", by: "account_id"),
        AccountRows("reads", by: "channel_id, account_id"),
        AccountRows("departures", by: "place_id, account_id"),
        AccountRows("acts", by: "kind, subject_id, actor_id", of: "actor_id"),
        AccountRows("acts", as: "follows", by: "kind, subject_id, actor_id") {
            "kind = 'follow' AND subject_id = \($0)"
        },
        AccountRows("acts", as: "follow requests", by: "kind, subject_id, actor_id") {
            "kind = 'follow_request' AND subject_id = \($0)"
        },
        AccountRows("silences", by: "account_id, target_id, kind, version"),
        AccountRows("silences", as: "silences by others", by: "account_id, target_id, kind, version", of: "target_id"),
        AccountRows("project_mentions", by: "project_id, account_id"),
        AccountRows("applications", by: "id") { "snapshot ->> 'account_id' = CAST(\($0) AS bigint)::text" },
        AccountRows("moderators", by: "account_id"),
        AccountRows("restricted_accounts", by: "account_id"),
        AccountRows("reports", by: "id") {
            "CAST(\($0) AS bigint)::text IN (snapshot #>> '{reporter,id}', snapshot #>> '{target,id}')"
        },
        AccountRows("decisions", by: "id") { "snapshot ->> 'account_id' = CAST(\($0) AS bigint)::text" },
        AccountRows("accounts", by: "id", of: "id"),
    ]

    /// What the account made keeps its row without its content, so that what arrives late is known to be late.
    static let works = [
        AccountRows("posts", by: "id", of: "author_id")
            .setting { _ in "author_id = NULL, snapshot = NULL, link_hash = NULL" },
        AccountRows("projects", by: "id") { "snapshot ->> 'leader_id' = CAST(\($0) AS bigint)::text" }
            .setting { _ in "snapshot = NULL" },
    ]

    /// Where others name the account; their words stay theirs.
    static let naming = [
        AccountRows("posts", as: "posts that name it", by: "id") {
            """
            snapshot -> 'mentions' @> jsonb_build_array(jsonb_build_object('id', CAST(\($0) AS bigint)::text))
                AND snapshot IS NOT NULL
            """
        }
        .setting {
            """
            snapshot = jsonb_set(
                snapshot,
                '{mentions}',
                (
                    SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
                    FROM jsonb_array_elements(snapshot -> 'mentions') WITH ORDINALITY m (value, place)
                    WHERE m.value ->> 'id' <> CAST(\($0) AS bigint)::text
                )
            )
            """
        },
        AccountRows("messages", as: "messages that name it", by: "id") {
            "named @> ARRAY[CAST(\($0) AS bigint)] AND named <> '{}'"
        }
        .setting { "named = array_remove(named, CAST(\($0) AS bigint))" },
    ]

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
}
