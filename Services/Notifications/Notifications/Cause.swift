// SPDX-License-Identifier: Apache-2.0
// What makes entries of people's lists of notifications, and by what it is decided whether it does.

import Domain
import Events
import Postgres

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

    var ground: Ground {
        switch self {
        case .mentions: .mention
        case .announced(.update, _, _): .editedPost
        case .announced: .newPost
        case .act: .act
        case .application: .application
        case .project(.projectMention, _, _, _): .projectMention
        case .project: .project
        case .report: .report
        case .decision: .decision
        }
    }

    var actor: AccountID {
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

    var subject: Int64 {
        switch self {
        case .mentions(let post, _), .announced(_, let post, _): post.id.rawValue
        case .act(let act, _, _, _): act.subject
        case .application(_, let application, _, _, _, _): application.id.rawValue
        case .project(_, let project, _, _): project.id.rawValue
        case .report(let report, _, _): report.id.rawValue
        case .decision(let decision, _): decision.decisionID.rawValue
        }
    }

    var project: ProjectID? {
        switch self {
        case .mentions, .announced, .act, .report, .decision: nil
        case .application(_, let application, _, _, _, _): application.projectID
        case .project(_, let project, _, _): project.id
        }
    }

    var version: Int64 {
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

    /// Who is to hear of it, and by what id.
    var entries: [(id: NotificationID, recipient: AccountID)] {
        switch self {
        case .mentions(let post, let ids): zip(ids, post.recipients).map { (id: $0, recipient: $1) }
        case .announced(_, _, let entries), .project(_, _, _, let entries), .report(_, _, let entries): entries
        case .act(_, let recipient, _, let id), .application(_, _, _, let recipient, _, let id):
            [(id: id, recipient: recipient)]
        case .decision(let decision, let id): [(id: id, recipient: decision.accountID)]
        }
    }

    /// The version in which the subject must be known; 0 where any will do.
    var subjectVersion: Int64 {
        switch self {
        case .mentions(let post, _): post.version
        case .announced, .report: 0
        case .act, .application, .project, .decision: version
        }
    }
}

/// By what it is decided whether causes make entries. Causes with the same ground can be told of together.
enum Ground: Int, Sendable, Comparable {
    case mention, newPost, editedPost, act, application, project, projectMention, report, decision

    static func < (a: Ground, b: Ground) -> Bool { a.rawValue < b.rawValue }

    /// What must be true for an entry `r`.
    var condition: SQL {
        switch self {
        case .mention:
            """
            SELECT FROM posts p
            WHERE p.id = r.subject_id AND p.version = r.subject_version AND p.snapshot IS NOT NULL
            """
        case .newPost, .editedPost: "SELECT FROM posts p WHERE p.id = r.subject_id AND p.snapshot IS NOT NULL"
        case .act:
            """
            SELECT FROM acts d
            WHERE \(ActStore.isAct("d", "r.type", of: "r.subject_id", by: "r.actor_id"))
                AND d.version = r.subject_version AND d.active
            """
        case .application:
            """
            SELECT FROM applications q
            JOIN projects j ON j.id = r.project_id AND j.snapshot IS NOT NULL
            WHERE q.id = r.subject_id AND q.version = r.subject_version
            """
        case .projectMention:
            """
            SELECT FROM project_mentions m
            JOIN projects j ON j.id = m.project_id AND j.snapshot IS NOT NULL
            WHERE m.project_id = r.subject_id AND m.account_id = r.account_id AND m.version = r.subject_version
                AND m.named
            """
        case .project: "SELECT FROM projects j WHERE j.id = r.subject_id AND j.snapshot IS NOT NULL"
        case .report: "SELECT FROM reports f WHERE f.id = r.subject_id"
        case .decision: "SELECT FROM decisions d WHERE d.id = r.subject_id AND d.version = r.subject_version"
        }
    }

    /// What becomes of an entry that is there.
    ///
    /// - Parameter again: whether the cause is told again: the entry stays what it is, dismissed or not, unless it is of an
    ///   earlier act. The moment of an act may differ a little from when it was told first.
    func repetition(again: Bool) -> SQL {
        switch self {
        case .mention where again: "UPDATE SET created_at = excluded.created_at"
        case .act where again:
            """
            UPDATE
            SET id = CASE WHEN \(Ground.isSame) THEN notifications.id ELSE excluded.id END,
                dismissed = \(Ground.isSame) AND notifications.dismissed,
                created_at = CASE WHEN \(Ground.isSame) THEN notifications.created_at ELSE excluded.created_at END,
                version = excluded.version
            WHERE excluded.version >= notifications.version
            """
        case .mention, .newPost, .report: "NOTHING"
        case .editedPost, .act, .application, .project, .projectMention, .decision:
            """
            UPDATE
            SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
            WHERE excluded.version > notifications.version
            """
        }
    }

    private static let isSame: SQL = """
        (notifications.created_at BETWEEN excluded.created_at - interval '1 minute'
            AND excluded.created_at + interval '1 minute')
        """
}
