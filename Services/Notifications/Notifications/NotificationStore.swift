// SPDX-License-Identifier: Apache-2.0
// Notifications: listing, counting and dismissing them.

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
    /// The preview of the post's link.
    let card: CardSnapshot?
    let viewer: StatusView.Viewer
    let message: MessageExcerpt?
    let project: ProjectBrief?
    let application: ApplicationSnapshot?
    let report: ReportFiled?
    let decision: DecisionMade?
    let isRead: Bool

    /// The columns of `notifications n`, of `accounts a` who did it, of `posts p` and its author `w`, of `cards k`, of what the
    /// recipient did to it (`f`, `b`), of `messages m` and their channel `c`, of `projects j` and `applications q`, and of
    /// `reports r` and `decisions d`; `account` is the recipient.
    fileprivate static func columns(for account: AccountID) -> SQL {
        """
        n.id, n.type, n.created_at, a.snapshot, p.snapshot, w.snapshot, k.card, f.active, b.active, \(MessageExcerpt.columns),
        j.snapshot, q.snapshot, r.snapshot, d.snapshot,
        n.id <= (SELECT last_read_id FROM markers WHERE account_id = \(account) AND timeline = 'notifications')
        """
    }

    /// Nil for one whose post, message or project is gone already while its own removal is under way.
    fileprivate init?(columns: inout Columns) throws {
        id = try columns.next()
        guard let kind = NotificationKind(rawValue: try columns.next()) else { return nil }
        self.kind = kind
        createdAt = try columns.next()
        actor = try columns.next(JSONB.self).snapshot()
        let post: JSONB? = try columns.next()
        let author: JSONB? = try columns.next()
        let card: JSONB? = try columns.next()
        let favourited: Bool? = try columns.next()
        let boosted: Bool? = try columns.next()
        guard !kind.concernsPost || (post != nil && author != nil) else { return nil }
        message = try MessageExcerpt(columns: &columns)
        guard !kind.concernsMessage || message != nil else { return nil }
        project = try columns.next(JSONB?.self)?.snapshot()
        guard !kind.concernsProject || project != nil else { return nil }
        application = try columns.next(JSONB?.self)?.snapshot()
        guard !kind.concernsApplication || application != nil else { return nil }
        report = try columns.next(JSONB?.self)?.snapshot()
        guard kind != .adminReport || report != nil else { return nil }
        decision = try columns.next(JSONB?.self)?.snapshot()
        guard kind != .moderationWarning || decision != nil else { return nil }
        self.post = try post?.snapshot()
        self.author = try author?.snapshot()
        self.card = try card?.snapshot()
        viewer = StatusView.Viewer(favourited: favourited ?? false, boosted: boosted ?? false)
        isRead = try columns.next(Bool?.self) ?? false
    }

    func view(site: Site) -> NotificationView {
        var status: StatusView?
        if let post, let author { status = StatusView(post, author: author, card: card, viewer: viewer, site: site) }
        return NotificationView(
            id: id,
            type: kind.rawValue,
            createdAt: createdAt,
            account: actor,
            status: status,
            message: message,
            project: project,
            application: application,
            report: report.map { ReportView($0.report, target: $0.target, site: site) },
            warning: decision.map { WarningView($0, of: actor, site: site) },
            isRead: isRead,
            site: site
        )
    }
}

/// Reads notifications and puts them away.
enum NotificationStore {
    /// One page, newest first.
    static func page(
        _ page: Page,
        of account: AccountID,
        _ filter: NotificationFilter,
        in database: some Querying
    ) async throws -> [NotificationRow] {
        try await rows(of: account, "\(isListed(to: account, filter)) AND \(page.cut("id"))", in: database)
    }

    static func notification(
        _ id: NotificationID,
        of account: AccountID,
        in database: some Querying
    ) async throws -> NotificationRow? {
        try await rows(of: account, "id = \(id) AND \(isListed(to: account))", in: database).first
    }

    private static func rows(
        of account: AccountID,
        _ chosen: SQL,
        in database: some Querying
    ) async throws -> [NotificationRow] {
        try await database.query(
            """
            SELECT \(NotificationRow.columns(for: account))
            FROM (
                SELECT id, account_id, type, actor_id, subject_id, created_at, channel_id, project_id
                FROM notifications
                WHERE \(chosen)
            ) AS n
            JOIN accounts a ON a.id = n.actor_id
            LEFT JOIN posts p ON p.id = n.subject_id AND n.type IN ('mention', 'status', 'favourite', 'reblog', 'update')
            LEFT JOIN accounts w ON w.id = p.author_id
            LEFT JOIN cards k ON k.hash = p.link_hash
            LEFT JOIN acts f ON f.kind = 'favourite' AND f.subject_id = p.id AND f.actor_id = n.account_id
            LEFT JOIN acts b ON b.kind = 'reblog' AND b.subject_id = p.id AND b.actor_id = n.account_id
            LEFT JOIN messages m ON m.id = n.subject_id AND n.channel_id IS NOT NULL
            LEFT JOIN channels c ON c.id = m.channel_id
            LEFT JOIN projects j ON j.id = n.project_id
            LEFT JOIN applications q ON q.id = n.subject_id AND n.project_id IS NOT NULL
            LEFT JOIN reports r ON r.id = n.subject_id AND n.type = 'admin.report'
            LEFT JOIN decisions d ON d.id = n.subject_id AND n.type = 'moderation_warning'
            ORDER BY n.id DESC
            """
        ).all(NotificationRow.init(columns:)).compactMap(\.self)
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

extension MessageExcerpt {
    /// The columns of `messages m` and `channels c` that `init(columns:)` reads.
    fileprivate static let columns: SQL = "m.id, m.channel_id, c.type, c.name, c.playground_id, m.seq, m.text"

    /// Nil when the notification is not about a message, or the message is gone.
    fileprivate init?(columns: inout Columns) throws {
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
