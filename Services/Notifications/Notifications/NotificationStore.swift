// SPDX-License-Identifier: Apache-2.0
// Notifications: listing, counting and dismissing them.

import Domain
import Postgres
import Serving

/// Which notifications somebody wants to see.
struct NotificationFilter: Sendable {
    var kinds: [NotificationKind] = NotificationKind.usual
    /// Only of this account.
    var actor: AccountID?

    var types: [String] { kinds.map(\.rawValue) }
}

/// Reads notifications and puts them away.
enum NotificationStore {
    /// One page, newest first.
    static func page(
        _ page: Page,
        of account: AccountID,
        _ filter: NotificationFilter,
        in database: some Querying
    ) async throws -> [ListedNotification.Row] {
        try await rows(of: account, "\(isListed(to: account, filter)) AND \(page.cut("id"))", in: database)
    }

    static func notification(
        _ id: NotificationID,
        of account: AccountID,
        in database: some Querying
    ) async throws -> ListedNotification? {
        try await rows(of: account, "id = \(id) AND \(isListed(to: account))", in: database).first?.notification
    }

    /// What a notification is not about is not looked up: without the `CASE` a row is fetched and then dropped.
    private static func rows(
        of account: AccountID,
        _ chosen: SQL,
        in database: some Querying
    ) async throws -> [ListedNotification.Row] {
        try await database.query(
            """
            SELECT \(ListedNotification.Row.columns(for: account))
            FROM (
                SELECT id, account_id, type, actor_id, subject_id, created_at, channel_id, project_id
                FROM notifications
                WHERE \(chosen)
            ) AS n
            LEFT JOIN accounts a ON a.id = n.actor_id
            LEFT JOIN posts p
                ON p.id = CASE WHEN n.type IN ('mention', 'status', 'favourite', 'reblog', 'update') THEN n.subject_id END
                AND p.snapshot IS NOT NULL
            LEFT JOIN accounts w ON w.id = p.author_id
            LEFT JOIN cards k ON k.hash = p.link_hash
            LEFT JOIN messages m ON m.id = CASE WHEN n.channel_id IS NOT NULL THEN n.subject_id END
            LEFT JOIN channels c ON c.id = m.channel_id
            LEFT JOIN projects j ON j.id = n.project_id
            LEFT JOIN applications q ON q.id = CASE WHEN n.project_id IS NOT NULL THEN n.subject_id END
            LEFT JOIN reports r ON r.id = CASE WHEN n.type = 'admin.report' THEN n.subject_id END
            LEFT JOIN decisions d ON d.id = CASE WHEN n.type = 'moderation_warning' THEN n.subject_id END
            ORDER BY n.id DESC
            """
        ).all(ListedNotification.Row.init(columns:))
    }

    /// Which of `notifications` somebody sees. Of what is said in a channel only the newest is there.
    private static func isListed(to account: AccountID) -> SQL {
        """
        account_id = \(account) AND NOT dismissed AND NOT withdrawn
            AND NOT ((SELECT may_be_silenced(\(account))) AND is_silenced(account_id, actor_id, created_at))
            AND NOT \(RestrictedAccounts.isHidden("notifications.actor_id"))
            AND (type NOT IN ('direct_message', 'channel_message') OR NOT is_renewed(account_id, channel_id, seq))
        """
    }

    private static func isListed(to account: AccountID, _ filter: NotificationFilter) -> SQL {
        """
        \(isListed(to: account)) AND type = ANY (\(filter.types))
            AND (\(filter.actor) IS NULL OR actor_id = \(filter.actor))
        """
    }

    /// How many the account has not read yet, counted up to `limit`; those that are likely read just now not yet.
    static func unread(
        of account: AccountID,
        _ filter: NotificationFilter,
        limit: Int,
        at now: Timestamp,
        in database: some Querying
    ) async throws -> Int {
        try await database.query(
            """
            SELECT count(*)
            FROM (
                SELECT
                FROM notifications
                WHERE \(isListed(to: account, filter))
                    AND id > coalesce(
                        (SELECT last_read_id FROM markers WHERE account_id = \(account) AND timeline = 'notifications'),
                        -1
                    )
                    AND (quiet_until IS NULL OR quiet_until <= \(now))
                LIMIT \(limit)
            ) AS unread
            """
        ).number()
    }

    /// Puts one away; with what was said in a channel what was said there before, which would show in its place.
    ///
    /// - Returns: whether there was one.
    static func dismiss(_ id: NotificationID, of account: AccountID, in database: some Querying) async throws -> Bool {
        try await !database.query(
            """
            WITH dismissed AS (
                UPDATE notifications SET dismissed = true
                WHERE id = \(id) AND \(isListed(to: account))
                RETURNING account_id, type, channel_id, seq
            ),
            earlier AS (
                UPDATE notifications n SET dismissed = true
                FROM dismissed d
                WHERE d.type IN ('direct_message', 'channel_message') AND n.type = d.type AND n.channel_id = d.channel_id
                    AND n.account_id = d.account_id AND n.seq < d.seq
            )
            SELECT 1 FROM dismissed
            """
        ).isEmpty
    }

    static func dismissAll(
        of account: AccountID,
        _ kinds: [NotificationKind],
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            UPDATE notifications SET dismissed = true
            WHERE account_id = \(account) AND NOT dismissed AND type = ANY (\(kinds.map(\.rawValue)))
            """
        )
    }
}
