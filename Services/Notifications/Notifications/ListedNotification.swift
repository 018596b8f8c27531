// SPDX-License-Identifier: Apache-2.0
// A notification as it is found in somebody's list.

import Domain
import Events
import Postgres
import Serving
import Views

/// A notification as a statement finds it: what most pages show again is named by the edition of its row.
struct ListedNotification: Sendable {
    let id: NotificationID
    let kind: NotificationKind
    let createdAt: Timestamp
    let actor: RowEdition
    let post: RowEdition?
    let author: RowEdition?
    let viewer: StatusView.Viewer
    let isRead: Bool
    let rare: Rare?

    /// What few have, elsewhere: all others need no room for it.
    final class Rare: Sendable {
        /// The preview of the post's link.
        let card: CardSnapshot?
        let message: MessageExcerpt?
        let project: ProjectBrief?
        let application: ApplicationSnapshot?
        let report: ReportFiled?
        let decision: DecisionMade?

        /// Nil for one that has none of it.
        fileprivate init?(columns: inout Columns) throws {
            card = try columns.next(JSONB?.self)?.snapshot()
            message = try MessageExcerpt(columns: &columns)
            project = try columns.next(JSONB?.self)?.snapshot()
            application = try columns.next(JSONB?.self)?.snapshot()
            report = try columns.next(JSONB?.self)?.snapshot()
            decision = try columns.next(JSONB?.self)?.snapshot()
            let isOfPeople = message != nil || project != nil || application != nil
            guard isOfPeople || card != nil || report != nil || decision != nil else { return nil }
        }
    }

    /// A row of a list: one that shows nothing yet follows all the same from what it is about.
    struct Row: Sendable {
        /// Numbers of whatever it shows or waits for, as `changes` names them.
        let subjects: [Int64]
        /// Nil for one that cannot be shown: its actor is not known yet, or its message or project is gone already while its
        /// own removal is under way.
        let notification: ListedNotification?

        static func columns(for account: AccountID) -> SQL {
            """
            array_remove(
                ARRAY[
                    n.actor_id, n.subject_id, n.channel_id, n.project_id, p.author_id,
                    CASE WHEN p.link_hash IS NOT NULL THEN link_subject(p.link_hash) END
                ],
                NULL
            ),
            a.id IS NOT NULL, \(ListedNotification.columns(for: account))
            """
        }

        init(columns: inout Columns) throws {
            subjects = try columns.next()
            let isOfSomebody: Bool = try columns.next()
            notification = isOfSomebody ? try ListedNotification(columns: &columns) : nil
        }
    }

    /// The columns of `notifications n`, of `accounts a` who did it, of `posts p` and its author `w`, of `cards k`, of what the
    /// recipient did to it, of `messages m` and their channel `c`, of `projects j` and `applications q`, and of
    /// `reports r` and `decisions d`; `account` is the recipient.
    static func columns(for account: AccountID) -> SQL {
        """
        n.id, n.type, n.created_at, \(RowEdition.columns("a")), \(RowEdition.columns("p")), \(RowEdition.columns("w")),
        \(ActStore.isActive("'favourite'", of: "p.id", by: "n.account_id")),
        \(ActStore.isActive("'reblog'", of: "p.id", by: "n.account_id")),
        n.id <= (SELECT last_read_id FROM markers WHERE account_id = \(account) AND timeline = 'notifications'),
        k.card, \(MessageExcerpt.columns), j.snapshot, q.snapshot, r.snapshot, d.snapshot
        """
    }

    /// Nil for one whose message or project is gone already while its own removal is under way.
    init?(columns: inout Columns) throws {
        id = try columns.next()
        guard let kind = NotificationKind(rawValue: try columns.next()) else { return nil }
        self.kind = kind
        createdAt = try columns.next()
        actor = try columns.next()
        post = try columns.next()
        author = try columns.next()
        viewer = StatusView.Viewer(favourited: try columns.next(), boosted: try columns.next())
        isRead = try columns.next(Bool?.self) ?? false
        rare = try Rare(columns: &columns)
        guard kind.isWhole(with: rare) else { return nil }
    }
}

extension NotificationKind {
    fileprivate func isWhole(with rare: ListedNotification.Rare?) -> Bool {
        if concernsMessage, rare?.message == nil { return false }
        if concernsProject, rare?.project == nil { return false }
        if concernsApplication, rare?.application == nil { return false }
        switch self {
        case .adminReport: return rare?.report != nil
        case .moderationWarning: return rare?.decision != nil
        default: return true
        }
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
