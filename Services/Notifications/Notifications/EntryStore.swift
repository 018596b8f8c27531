// SPDX-License-Identifier: Apache-2.0
// Entries of people's lists of notifications: making and withdrawing them.

import Domain
import Events
import Postgres
import Serving
import Views

/// What makes entries that a post, an act, a project or an application is the subject of.
enum Cause: Sendable {
    /// That the newest form of a post names people.
    case mentions(of: PostSnapshot, ids: [NotificationID])
    /// That people are to hear of a post: a new one, or what became of it with an edit.
    case announced(NotificationKind, PostSnapshot, [(id: NotificationID, recipient: AccountID)])
    /// An act, if it is the newest word on it.
    case act(Act, for: AccountID, at: Timestamp, id: NotificationID)
    /// What became of an application by somebody's act, if it is the newest word on it.
    case application(
        NotificationKind,
        ApplicationSnapshot,
        by: AccountID,
        for: AccountID,
        at: Timestamp,
        NotificationID
    )
    /// That people are to hear of a project.
    case project(NotificationKind, ProjectBrief, at: Timestamp, [(id: NotificationID, recipient: AccountID)])
    /// That those who moderate are to hear of a report.
    case report(ReportSnapshot, by: AccountID, [(id: NotificationID, recipient: AccountID)])
    /// That somebody is to hear of the newest word on a decision about them.
    case decision(DecisionMade, id: NotificationID)

    var kind: NotificationKind {
        switch self {
        case .mentions: .mention
        case .announced(let kind, _, _), .application(let kind, _, _, _, _, _), .project(let kind, _, _, _): kind
        case .act(let act, _, _, _): act.kind
        case .report: .adminReport
        case .decision: .moderationWarning
        }
    }

    fileprivate var actor: AccountID {
        switch self {
        case .mentions(let post, _), .announced(_, let post, _): post.accountID
        case .act(let act, _, _, _): act.actor
        case .application(_, _, let actor, _, _, _): actor
        case .project(_, let project, _, _): project.leaderID
        case .report(_, let reporter, _): reporter
        // Mastodon shows people their own account, and not whose decision it was.
        case .decision(let decision, _): decision.accountID
        }
    }

    fileprivate var subject: Int64 {
        switch self {
        case .mentions(let post, _), .announced(_, let post, _): post.id.rawValue
        case .act(let act, _, _, _): act.subject
        case .application(_, let application, _, _, _, _): application.id.rawValue
        case .project(_, let project, _, _): project.id.rawValue
        case .report(let report, _, _): report.id.rawValue
        case .decision(let decision, _): decision.decisionID.rawValue
        }
    }

    fileprivate var project: ProjectID? {
        switch self {
        case .mentions, .announced, .act, .report, .decision: nil
        case .application(_, let application, _, _, _, _): application.projectID
        case .project(_, let project, _, _): project.id
        }
    }

    fileprivate var version: Int64 {
        switch self {
        case .mentions, .report: 0
        // Of the edit, whatever else became of the post until it was told.
        case .announced(let kind, _, _): kind == .update ? moment.milliseconds : 0
        case .act(let act, _, _, _): act.version
        case .application(_, let application, _, _, _, _): application.version
        case .project(_, let project, _, _): project.version
        case .decision(let decision, _): decision.subjectVersion
        }
    }

    /// When it happened.
    var moment: Timestamp {
        switch self {
        case .mentions(let post, _): post.createdAt
        case .announced(let kind, let post, _): kind == .update ? post.editedAt ?? post.createdAt : post.createdAt
        case .act(_, _, let moment, _), .application(_, _, _, _, let moment, _), .project(_, _, let moment, _): moment
        case .report(let report, _, _): report.createdAt
        case .decision(let decision, _): decision.decidedAt
        }
    }

    fileprivate var entries: (ids: [NotificationID], recipients: [AccountID]) {
        switch self {
        case .mentions(let post, let ids): (ids, post.recipients)
        case .announced(_, _, let entries), .project(_, _, _, let entries), .report(_, _, let entries):
            (entries.map(\.id), entries.map(\.recipient))
        case .act(_, let recipient, _, let id), .application(_, _, _, let recipient, _, let id): ([id], [recipient])
        case .decision(let decision, let id): ([id], [decision.accountID])
        }
    }

    /// What must be true for it, for each recipient `r`.
    fileprivate var condition: SQL {
        switch self {
        case .mentions(let post, _):
            "SELECT FROM posts WHERE id = \(post.id) AND version = \(post.version) AND snapshot IS NOT NULL"
        case .announced(_, let post, _): "SELECT FROM posts WHERE id = \(post.id) AND snapshot IS NOT NULL"
        case .act(let act, _, _, _):
            """
            SELECT FROM acts
            WHERE kind = \(act.kind.rawValue) AND subject_id = \(act.subject) AND actor_id = \(act.actor)
                AND version = \(act.version) AND active
            """
        case .application(_, let application, _, _, _, _):
            """
            SELECT FROM applications q
            JOIN projects j ON j.id = \(application.projectID) AND j.snapshot IS NOT NULL
            WHERE q.id = \(application.id) AND q.version = \(application.version)
            """
        case .project(.projectMention, let project, _, _):
            """
            SELECT FROM project_mentions m
            JOIN projects j ON j.id = m.project_id AND j.snapshot IS NOT NULL
            WHERE m.project_id = \(project.id) AND m.account_id = r.account_id AND m.version = \(project.version) AND m.named
            """
        case .project(_, let project, _, _):
            "SELECT FROM projects WHERE id = \(project.id) AND snapshot IS NOT NULL"
        case .report(let report, _, _): "SELECT FROM reports WHERE id = \(report.id)"
        case .decision(let decision, _):
            "SELECT FROM decisions WHERE id = \(decision.decisionID) AND version = \(decision.subjectVersion)"
        }
    }

    /// What becomes of an entry that is there.
    ///
    /// - Parameter again: whether the cause is told again: the entry stays what it is, dismissed or not, unless it is of an
    ///   earlier act. The moment of an act may differ a little from when it was told first.
    fileprivate func repetition(again: Bool) -> SQL {
        switch self {
        case .mentions where again: "UPDATE SET created_at = excluded.created_at"
        case .act where again:
            """
            UPDATE
            SET id = CASE WHEN \(Cause.isSame) THEN notifications.id ELSE excluded.id END,
                dismissed = \(Cause.isSame) AND notifications.dismissed,
                created_at = CASE WHEN \(Cause.isSame) THEN notifications.created_at ELSE excluded.created_at END,
                version = excluded.version
            WHERE excluded.version >= notifications.version
            """
        case .mentions, .announced(.status, _, _), .report: "NOTHING"
        case .announced, .act, .application, .project, .decision:
            """
            UPDATE
            SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
            WHERE excluded.version > notifications.version
            """
        }
    }
}

extension Cause {
    fileprivate static let isSame: SQL = """
        (notifications.created_at BETWEEN excluded.created_at - interval '1 minute'
            AND excluded.created_at + interval '1 minute')
        """
}

/// A notification that was put into somebody's list just now.
struct RaisedNotification: Columned {
    let id: NotificationID
    let account: AccountID
    /// Whether the account does not want to hear of it.
    let silenced: Bool
    let viewer: StatusView.Viewer

    /// The columns of `notifications` that `init(columns:)` reads.
    static let columns: SQL = """
        id, account_id,
        is_silenced(account_id, actor_id, created_at) OR \(RestrictedAccounts.isHidden("notifications.actor_id")), \(isActive("'favourite'")), \(isActive("'reblog'"))
        """

    /// Whether the recipient did this to the subject.
    private static func isActive(_ kind: SQL) -> SQL {
        """
        EXISTS (
            SELECT FROM acts a
            WHERE a.kind = \(kind) AND a.subject_id = notifications.subject_id
                AND a.actor_id = notifications.account_id AND a.active
        )
        """
    }

    init(columns: inout Columns) throws {
        id = try columns.next()
        account = try columns.next()
        silenced = try columns.next()
        viewer = StatusView.Viewer(favourited: try columns.next(), boosted: try columns.next())
    }
}

/// Why entries go for ever.
enum Withdrawal: Sendable {
    /// The newest form of the post names only these people.
    case unnamed(PostSnapshot, keeping: [AccountID])
    /// The act was taken back; so is what was told of an earlier one.
    case takenBack(Act)
    case postDeleted(PostID)
    case messageDeleted(MessageID)
    /// Somebody has read a channel up to a message.
    case read(ChannelID, AccountID, upTo: Int64)
    case left(Place, AccountID, at: Timestamp)
    /// What became of an application takes the place of what was told of it before.
    case superseded(ApplicationSnapshot)
    case projectDeleted(ProjectID)
    /// The newest word on whether a project names these people is at least of this version.
    case mentioned(ProjectID, [AccountID], before: Int64)
    /// Somebody does not want to hear of somebody else.
    case silenced(AccountID, of: AccountID, since: Timestamp)

    fileprivate var condition: SQL {
        switch self {
        case .unnamed(let post, let recipients):
            """
            type = 'mention' AND subject_id = \(post.id) AND actor_id = \(post.accountID)
                AND account_id <> ALL (\(recipients))
                AND EXISTS (SELECT FROM posts WHERE id = \(post.id) AND version = \(post.version))
            """
        case .takenBack(let act):
            """
            type = \(act.kind.rawValue) AND subject_id = \(act.subject) AND actor_id = \(act.actor)
                AND version < \(act.version)
            """
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
        case .read(let channel, let account, let seq):
            "channel_id = \(channel) AND account_id = \(account) AND seq <= \(seq)"
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

    /// Makes entries for those who are to hear of it and have not.
    ///
    /// - Parameter again: whether the cause is told again, not because it happened just now.
    static func raise(
        _ cause: Cause,
        again: Bool = false,
        in transaction: some Transacting
    ) async throws -> [RaisedNotification] {
        let entries = cause.entries
        return try await transaction.query(
            """
            INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
            SELECT r.id, r.account_id, \(cause.kind.rawValue), \(cause.actor), \(cause.subject), \(cause.version),
                \(cause.moment), \(cause.project)
            FROM unnest(\(entries.ids), \(entries.recipients)) AS r (id, account_id)
            WHERE EXISTS (\(cause.condition))
                AND NOT was_swept(r.account_id, \(cause.actor), \(cause.moment))
                AND NOT EXISTS (
                    SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= \(cause.moment)
                )
            ON CONFLICT (type, subject_id, actor_id, account_id) DO \(cause.repetition(again: again))
            RETURNING \(RaisedNotification.columns)
            """
        ).all(RaisedNotification.init(columns:))
    }

    static func withdraw(_ withdrawal: Withdrawal, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM notifications WHERE \(withdrawal.condition)")
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
