// SPDX-License-Identifier: Apache-2.0
// Entries of people's lists of notifications: making and withdrawing them.

import Domain
import Events
import Postgres
import Serving
import Views

/// A notification that was put into somebody's list just now.
struct RaisedNotification: Columned {
    let id: NotificationID
    let account: AccountID
    /// Whether the account does not want to hear of it.
    let silenced: Bool
    /// Whether the account has a device to be told on.
    let hasDevices: Bool
    let viewer: StatusView.Viewer

    /// The columns of `notifications` that `init(columns:)` reads, where `quarrels` are those of whom one silenced the other.
    static let columns: SQL = """
        id, account_id,
        (
            EXISTS (
                SELECT FROM quarrels q
                WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
            )
            AND is_silenced(account_id, actor_id, created_at)
        ) OR \(RestrictedAccounts.isHidden("notifications.actor_id")),
        EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
        \(ActStore.isActive("'favourite'", of: "notifications.subject_id", by: "notifications.account_id")),
        \(ActStore.isActive("'reblog'", of: "notifications.subject_id", by: "notifications.account_id"))
        """

    init(columns: inout Columns) throws {
        id = try columns.next()
        account = try columns.next()
        silenced = try columns.next()
        hasDevices = try columns.next()
        viewer = StatusView.Viewer(favourited: try columns.next(), boosted: try columns.next())
    }
}

/// Why entries go for ever.
enum Withdrawal: Sendable {
    /// The newest form of each post names only those whom it names.
    case unnamed([PostSnapshot])
    /// Each act was taken back; so is what was told of an earlier one.
    case takenBack([Act])
    case postDeleted(PostID)
    case messageDeleted(MessageID)
    /// Each channel is read up to a message.
    case read([ChannelReading])
    case left(Place, AccountID, at: Timestamp)
    /// What became of an application takes the place of what was told of it before.
    case superseded(ApplicationSnapshot)
    case projectDeleted(ProjectID)
    /// The newest word on whether a project names these people is at least of this version.
    case mentioned(ProjectID, [AccountID], before: Int64)
    /// Somebody does not want to hear of somebody else.
    case silenced(AccountID, of: AccountID, since: Timestamp)

    /// Whence `condition` takes what it says of several subjects.
    fileprivate var source: SQL {
        switch self {
        case .unnamed(let posts):
            """
            USING unnest(\(posts.map(\.id)), \(posts.map(\.accountID)), \(posts.map(\.version)))
                AS w (subject, actor, newest)
            """
        case .takenBack(let acts):
            """
            USING unnest(
                \(acts.map(\.kind.rawValue)), \(acts.map(\.subject)), \(acts.map(\.actor)), \(acts.map(\.version))
            ) AS w (kind, subject, actor, newest)
            """
        case .read(let readings):
            """
            USING unnest(\(readings.map(\.channel)), \(readings.map(\.account)), \(readings.map(\.seq)))
                AS w (channel, account, last)
            """
        case .postDeleted, .messageDeleted, .left, .superseded, .projectDeleted, .mentioned, .silenced: ""
        }
    }

    fileprivate var condition: SQL {
        switch self {
        case .unnamed(let posts):
            """
            type = 'mention' AND subject_id = w.subject AND actor_id = w.actor
                AND EXISTS (SELECT FROM posts p WHERE p.id = w.subject AND p.version = w.newest)
                AND NOT EXISTS (
                    SELECT FROM unnest(
                        \(posts.flatMap { post in post.recipients.map { _ in post.id } }),
                        \(posts.flatMap(\.recipients))
                    ) AS k (subject, recipient)
                    WHERE k.subject = notifications.subject_id AND k.recipient = notifications.account_id
                )
            """
        case .takenBack: "type = w.kind AND subject_id = w.subject AND actor_id = w.actor AND version < w.newest"
        case .postDeleted(let id):
            "type IN ('mention', 'status', 'favourite', 'reblog', 'update') AND subject_id = \(id)"
        case .superseded(let application):
            """
            type IN ('project_application', 'project_accepted', 'project_declined', 'project_withdrawn')
                AND subject_id = \(application.id) AND version < \(application.version)
            """
        case .projectDeleted(let id): "project_id = \(id)"
        case .mentioned(let id, let people, let version):
            """
            type = 'project_mention' AND subject_id = \(id) AND account_id = ANY (\(people)) AND version < \(version)
            """
        case .messageDeleted(let id):
            "type IN ('chat_mention', 'direct_message', 'channel_message') AND subject_id = \(id)"
        case .read: "channel_id = w.channel AND account_id = w.account AND seq <= w.last"
        case .left(.channel(let channel), let account, let moment):
            "channel_id = \(channel) AND account_id = \(account) AND created_at <= \(moment)"
        case .left(.playground(let playground), let account, let moment):
            """
            channel_id IN (SELECT id FROM channels WHERE playground_id = \(playground))
                AND account_id = \(account) AND created_at <= \(moment)
            """
        case .silenced(let account, let actor, let moment):
            "account_id = \(account) AND actor_id = \(actor) AND created_at < \(moment)"
        }
    }
}

enum EntryStore {
    /// Entries of one channel that are kept for a person; older ones are renewed many times over.
    private static let kept = 50
    /// How long somebody who seems to be connected may be gone already: a gateway that was killed is missed after 30
    /// seconds, a client that vanished by a gateway after 45.
    static let quiet = Duration.seconds(60)

    /// Makes entries for those who are to hear of these causes and have not.
    ///
    /// - Parameters:
    ///   - ground: that of each cause. No two causes make the same entry.
    ///   - again: whether they are told again, not because they happened just now.
    static func raise(
        _ causes: [Cause],
        on ground: Ground,
        again: Bool = false,
        in transaction: some Transacting
    ) async throws -> [RaisedNotification] {
        let all = causes.flatMap { cause in cause.entries.map { (cause: cause, id: $0.id, recipient: $0.recipient) } }
        let told = all.map(\.cause)
        guard !all.isEmpty else { return [] }
        // Few people silence each other, and what was said when takes long to ask.
        return try await transaction.query(
            """
            WITH r AS MATERIALIZED (
                SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
                    nullif(project_id, 0) AS project_id
                FROM unnest(
                    \(all.map(\.id)), \(all.map(\.recipient)), \(told.map(\.kind.rawValue)), \(told.map(\.actor)),
                    \(told.map(\.subject)), \(told.map(\.subjectVersion)), \(told.map(\.version)),
                    \(told.map(\.moment)), \(told.map { $0.project?.rawValue ?? 0 })
                ) AS c (
                    id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
                )
            ), quarrels AS MATERIALIZED (
                SELECT r.account_id, r.actor_id
                FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
                UNION ALL
                SELECT r.account_id, r.actor_id
                FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
            )
            INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
            SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
            FROM r
            WHERE EXISTS (\(ground.condition))
                AND NOT (
                    EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
                    AND was_swept(r.account_id, r.actor_id, r.created_at)
                )
                AND NOT EXISTS (
                    SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
                )
            ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
            ON CONFLICT (type, subject_id, actor_id, account_id) DO \(ground.repetition(again: again))
            RETURNING \(RaisedNotification.columns)
            """
        ).all(RaisedNotification.init(columns:))
    }

    static func withdraw(_ withdrawal: Withdrawal, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM notifications \(withdrawal.source) WHERE \(withdrawal.condition)")
    }

    /// Makes the mentions of a message those of its newest form.
    static func followMentions(of message: MessageID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE notifications n SET withdrawn = NOT n.withdrawn
            FROM messages m
            WHERE n.type = 'chat_mention' AND n.subject_id = \(message) AND m.id = n.subject_id
                AND n.withdrawn = (m.names_all OR n.account_id = ANY (m.named))
            """
        )
    }

    /// Puts a message that was just kept into the lists of `recipients`, unless they have read it or left since. For those
    /// who seem to be `connected` it does not count as unread at once, unless something of the channel does already.
    static func raise(
        _ kind: NotificationKind,
        _ message: MessageSnapshot,
        in places: [Int64],
        for recipients: [AccountID],
        as ids: [NotificationID],
        connected: [AccountID],
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO notifications (
                id, account_id, type, actor_id, subject_id, version, created_at, channel_id, seq, withdrawn,
                quiet_until
            )
            SELECT r.id, r.account_id, \(kind.rawValue), \(message.authorID), m.id, 0, \(message.createdAt),
                m.channel_id, m.seq,
                \(kind == .chatMention) AND NOT (m.names_all OR r.account_id = ANY (m.named)),
                CASE
                    WHEN r.account_id = ANY (\(connected)) AND NOT EXISTS (
                        SELECT FROM notifications o
                        WHERE o.channel_id = m.channel_id AND o.account_id = r.account_id
                            AND o.type = \(kind.rawValue) AND NOT o.dismissed
                    )
                    THEN \(message.createdAt + quiet)
                END
            FROM messages m, unnest(\(ids), \(recipients)) AS r (id, account_id)
            WHERE m.id = \(message.id) AND m.text IS NOT NULL
                AND NOT EXISTS (
                    SELECT FROM reads d
                    WHERE d.channel_id = m.channel_id AND d.account_id = r.account_id AND d.seq >= m.seq
                )
                AND NOT EXISTS (
                    SELECT FROM departures d
                    WHERE d.place_id = ANY (\(places)) AND d.account_id = r.account_id AND d.at >= \(message.createdAt)
                )
                AND NOT was_swept(r.account_id, \(message.authorID), \(message.createdAt))
                AND NOT EXISTS (
                    SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= \(message.createdAt)
                )
            ON CONFLICT (type, subject_id, actor_id, account_id) DO NOTHING
            """
        )
    }

    /// Leaves each of these people some entries of a kind of which a list shows the newest.
    static func trim(
        _ kind: NotificationKind,
        of channel: ChannelID,
        for people: [AccountID],
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            DELETE FROM notifications n
            USING unnest(\(people)) AS r (account_id)
            WHERE n.channel_id = \(channel) AND n.account_id = r.account_id AND n.type = \(kind.rawValue)
                AND n.seq <= (
                    SELECT k.seq FROM notifications k
                    WHERE k.channel_id = \(channel) AND k.account_id = r.account_id AND k.type = \(kind.rawValue)
                    ORDER BY k.seq DESC
                    OFFSET \(kept) LIMIT 1
                )
            """
        )
    }
}
