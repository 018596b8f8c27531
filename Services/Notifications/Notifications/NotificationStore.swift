// SPDX-License-Identifier: Apache-2.0
// Notifications: raising, listing and dismissing them.

import Domain
import Events
import Postgres
import Serving
import Views

/// Which notifications somebody wants to see.
struct NotificationFilter: Sendable {
    var kinds: [NotificationKind] = NotificationKind.usual
    /// Only of this account.
    var actor: AccountID?

    var types: [String] { kinds.map(\.rawValue) }
}

/// A notification with what it shows.
struct NotificationRow: Sendable {
    let id: NotificationID
    let kind: NotificationKind
    let createdAt: Timestamp
    let actor: AccountSnapshot
    let post: PostSnapshot?
    let author: AccountSnapshot?
    let viewer: StatusView.Viewer
    let message: MessageExcerpt?

    func view(site: Site) -> NotificationView {
        var status: StatusView?
        if let post, let author { status = StatusView(post, author: author, viewer: viewer, site: site) }
        return NotificationView(
            id: id,
            type: kind.rawValue,
            createdAt: createdAt,
            account: actor,
            status: status,
            message: message,
            site: site
        )
    }
}

/// A notification that was put into somebody's list just now.
struct RaisedNotification: Sendable {
    let id: NotificationID
    let account: AccountID
    /// Whether the account does not want to hear of it.
    let silenced: Bool
    let viewer: StatusView.Viewer
}

enum NotificationStore {
    /// Makes the mentions of a post those that its newest form names: withdraws what it names no more, raises what is new.
    static func raise(
        mentionsOf post: PostSnapshot,
        after horizon: Timestamp,
        ids: IDGenerator,
        in transaction: Transaction
    ) async throws -> [RaisedNotification] {
        var recipients = post.recipients
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE type = 'mention' AND subject_id = \(post.id) AND actor_id = \(post.accountID)
                AND account_id <> ALL (\(recipients))
                AND EXISTS (SELECT FROM posts WHERE id = \(post.id) AND version = \(post.version))
            """
        )
        if post.createdAt <= horizon { recipients = [] }
        guard !recipients.isEmpty else { return [] }
        let newIDs = try recipients.map { _ in try ids.next(NotificationID.self) }
        return try await transaction.query(
            """
            INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at)
            SELECT r.id, r.account_id, 'mention', \(post.accountID), \(post.id), 0, \(post.createdAt)
            FROM unnest(\(newIDs), \(recipients)) AS r (id, account_id)
            WHERE EXISTS (
                    SELECT FROM posts WHERE id = \(post.id) AND version = \(post.version) AND snapshot IS NOT NULL
                )
                AND NOT was_swept(r.account_id, \(post.accountID), \(post.createdAt))
                AND NOT EXISTS (
                    SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= \(post.createdAt)
                )
            ON CONFLICT (type, subject_id, actor_id, account_id) DO NOTHING
            RETURNING id, account_id, is_silenced(account_id, actor_id, created_at),
                EXISTS (
                    SELECT FROM acts a
                    WHERE a.kind = 'favourite' AND a.subject_id = notifications.subject_id
                        AND a.actor_id = notifications.account_id AND a.active
                ),
                EXISTS (
                    SELECT FROM acts a
                    WHERE a.kind = 'reblog' AND a.subject_id = notifications.subject_id
                        AND a.actor_id = notifications.account_id AND a.active
                )
            """
        ).map(raised)
    }

    /// Tells `recipient` of an act, unless a newer word on it is known.
    static func raise(
        _ act: Act,
        for recipient: AccountID,
        at moment: Timestamp,
        ids: IDGenerator,
        in transaction: Transaction
    ) async throws -> RaisedNotification? {
        guard recipient != act.actor else { return nil }
        return try await transaction.query(
            """
            INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at)
            SELECT \(ids.next(NotificationID.self)), \(recipient), \(act.kind.rawValue), \(act.actor), \(act.subject),
                \(act.version), \(moment)
            WHERE EXISTS (
                    SELECT FROM acts
                    WHERE kind = \(act.kind.rawValue) AND subject_id = \(act.subject) AND actor_id = \(act.actor)
                        AND version = \(act.version) AND active
                )
                AND NOT was_swept(\(recipient), \(act.actor), \(moment))
                AND NOT EXISTS (SELECT FROM floors WHERE account_id = \(recipient) AND floors.moment >= \(moment))
            ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
            SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
            WHERE excluded.version > notifications.version
            RETURNING id, account_id, is_silenced(account_id, actor_id, created_at),
                EXISTS (
                    SELECT FROM acts a
                    WHERE a.kind = 'favourite' AND a.subject_id = notifications.subject_id
                        AND a.actor_id = notifications.account_id AND a.active
                ),
                EXISTS (
                    SELECT FROM acts a
                    WHERE a.kind = 'reblog' AND a.subject_id = notifications.subject_id
                        AND a.actor_id = notifications.account_id AND a.active
                )
            """
        ).first.map(raised)
    }

    /// One page, newest first.
    static func page(
        _ page: Page,
        of account: AccountID,
        _ filter: NotificationFilter,
        in database: Database
    ) async throws -> [NotificationRow] {
        try await rows(
            database.query(
                """
                SELECT n.id, n.type, n.created_at, a.snapshot, p.snapshot, w.snapshot, f.active, b.active,
                    m.id, m.channel_id, c.type, c.name, c.playground_id, m.seq, m.text
                FROM (
                    SELECT id, account_id, type, actor_id, subject_id, created_at, channel_id
                    FROM notifications
                    WHERE account_id = \(account) AND NOT dismissed AND NOT withdrawn
                        AND type = ANY (\(filter.types))
                        AND (\(filter.actor) IS NULL OR actor_id = \(filter.actor))
                        AND NOT ((SELECT may_be_silenced(\(account))) AND is_silenced(account_id, actor_id, created_at))
                        AND (type <> 'direct_message' OR NOT is_renewed(account_id, channel_id, seq))
                        AND \(page.cut("id"))
                ) AS n
                JOIN accounts a ON a.id = n.actor_id
                LEFT JOIN posts p ON p.id = n.subject_id AND n.type IN ('mention', 'favourite', 'reblog')
                LEFT JOIN accounts w ON w.id = p.author_id
                LEFT JOIN acts f ON f.kind = 'favourite' AND f.subject_id = p.id AND f.actor_id = n.account_id
                LEFT JOIN acts b ON b.kind = 'reblog' AND b.subject_id = p.id AND b.actor_id = n.account_id
                LEFT JOIN messages m ON m.id = n.subject_id AND n.channel_id IS NOT NULL
                LEFT JOIN channels c ON c.id = m.channel_id
                ORDER BY n.id DESC
                """
            )
        )
    }

    static func notification(
        _ id: NotificationID,
        of account: AccountID,
        in database: Database
    ) async throws -> NotificationRow? {
        try await rows(
            database.query(
                """
                SELECT n.id, n.type, n.created_at, a.snapshot, p.snapshot, w.snapshot, f.active, b.active,
                    m.id, m.channel_id, c.type, c.name, c.playground_id, m.seq, m.text
                FROM notifications n
                JOIN accounts a ON a.id = n.actor_id
                LEFT JOIN posts p ON p.id = n.subject_id AND n.type IN ('mention', 'favourite', 'reblog')
                LEFT JOIN accounts w ON w.id = p.author_id
                LEFT JOIN acts f ON f.kind = 'favourite' AND f.subject_id = p.id AND f.actor_id = n.account_id
                LEFT JOIN acts b ON b.kind = 'reblog' AND b.subject_id = p.id AND b.actor_id = n.account_id
                LEFT JOIN messages m ON m.id = n.subject_id AND n.channel_id IS NOT NULL
                LEFT JOIN channels c ON c.id = m.channel_id
                WHERE n.id = \(id) AND n.account_id = \(account) AND NOT n.dismissed AND NOT n.withdrawn
                    AND NOT is_silenced(n.account_id, n.actor_id, n.created_at)
                    AND (n.type <> 'direct_message' OR NOT is_renewed(n.account_id, n.channel_id, n.seq))
                """
            )
        ).first
    }

    /// How many the account has not read yet, counted up to `limit`; those that are likely read just now not yet.
    static func unread(
        of account: AccountID,
        _ filter: NotificationFilter,
        limit: Int,
        at now: Timestamp,
        in database: Database
    ) async throws -> Int {
        let rows = try await database.query(
            """
            SELECT count(*)
            FROM (
                SELECT
                FROM notifications
                WHERE account_id = \(account) AND NOT dismissed AND NOT withdrawn
                    AND id > coalesce(
                        (SELECT last_read_id FROM markers WHERE account_id = \(account) AND timeline = 'notifications'),
                        -1
                    )
                    AND type = ANY (\(filter.types))
                    AND (\(filter.actor) IS NULL OR actor_id = \(filter.actor))
                    AND NOT ((SELECT may_be_silenced(\(account))) AND is_silenced(account_id, actor_id, created_at))
                    AND (type <> 'direct_message' OR NOT is_renewed(account_id, channel_id, seq))
                    AND (quiet_until IS NULL OR quiet_until <= \(now))
                LIMIT \(limit)
            ) AS unread
            """
        )
        guard var columns = rows.first?.columns else { return 0 }
        return try columns.next()
    }

    /// Puts one away; with a direct message those of its channel before it, which would show in its place.
    ///
    /// - Returns: whether there was one.
    static func dismiss(_ id: NotificationID, of account: AccountID, in database: Database) async throws -> Bool {
        try await database.query(
            """
            WITH dismissed AS (
                UPDATE notifications SET dismissed = true
                WHERE id = \(id) AND account_id = \(account) AND NOT dismissed AND NOT withdrawn
                    AND NOT is_silenced(account_id, actor_id, created_at)
                    AND (type <> 'direct_message' OR NOT is_renewed(account_id, channel_id, seq))
                RETURNING account_id, type, channel_id, seq
            ),
            earlier AS (
                UPDATE notifications n SET dismissed = true
                FROM dismissed d
                WHERE d.type = 'direct_message' AND n.type = 'direct_message' AND n.channel_id = d.channel_id
                    AND n.account_id = d.account_id AND n.seq < d.seq
            )
            SELECT 1 FROM dismissed
            """
        ).count > 0
    }

    static func dismissAll(of account: AccountID, _ kinds: [NotificationKind], in database: Database) async throws {
        _ = try await database.query(
            """
            UPDATE notifications SET dismissed = true
            WHERE account_id = \(account) AND NOT dismissed AND type = ANY (\(kinds.map(\.rawValue)))
            """
        )
    }

    private static func raised(_ row: Row) throws -> RaisedNotification {
        var columns = row.columns
        return RaisedNotification(
            id: try columns.next(),
            account: try columns.next(),
            silenced: try columns.next(),
            viewer: StatusView.Viewer(favourited: try columns.next(), boosted: try columns.next())
        )
    }

    /// Leaves out a notification whose post is gone already while its own removal is under way.
    private static func rows(_ rows: Rows) throws -> [NotificationRow] {
        try rows.compactMap { row in
            var columns = row.columns
            let id: NotificationID = try columns.next()
            guard let kind = NotificationKind(rawValue: try columns.next()) else { return nil }
            let createdAt: Timestamp = try columns.next()
            let actor: JSONB = try columns.next()
            let post: JSONB? = try columns.next()
            let author: JSONB? = try columns.next()
            let favourited: Bool? = try columns.next()
            let boosted: Bool? = try columns.next()
            guard !kind.concernsPost || (post != nil && author != nil) else { return nil }
            let message = try MessageExcerpt(&columns)
            guard !kind.concernsMessage || message != nil else { return nil }
            return NotificationRow(
                id: id,
                kind: kind,
                createdAt: createdAt,
                actor: try actor.snapshot(),
                post: try post?.snapshot(),
                author: try author?.snapshot(),
                viewer: StatusView.Viewer(favourited: favourited ?? false, boosted: boosted ?? false),
                message: message
            )
        }
    }
}

extension MessageExcerpt {
    /// Nil when the notification is not about a message, or the message is gone.
    fileprivate init?(_ columns: inout Columns) throws {
        let id: MessageID? = try columns.next()
        let channelID: ChannelID? = try columns.next()
        let channelType: String? = try columns.next()
        let channelName: String? = try columns.next()
        let playgroundID: PlaygroundID? = try columns.next()
        let seq: Int64? = try columns.next()
        let text: String? = try columns.next()
        guard let id, let channelID, let channelType, let channelName, let seq, let text else { return nil }
        self.init(
            id: id,
            channelID: channelID,
            channelType: channelType,
            channelName: channelName,
            playgroundID: playgroundID,
            seq: seq,
            text: text
        )
    }
}
