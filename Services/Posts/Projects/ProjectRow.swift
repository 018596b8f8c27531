// SPDX-License-Identifier: Apache-2.0
// How a project is read from a row.

import Domain
import Events
public import Postgres
import Serving
import Views
import Web

/// A project with what a client sees of it.
struct ProjectRow: Columned {
    let project: ProjectSnapshot
    let leader: AccountSnapshot
    let card: CardSnapshot?
    let standing: ProjectView.Standing
    let viewer: ProjectView.Viewer

    /// Of what `joins` joins.
    static let columns: SQL = """
        \(ProjectSnapshot.columns("p.")), \(AccountSnapshot.columns("l.")), c.card, m.count, m.taken,
        p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
        """

    init(columns: inout Columns) throws {
        project = try columns.next()
        leader = try columns.next()
        card = try columns.next()
        standing = try columns.read(ProjectView.Standing.init)
        viewer = try columns.read(ProjectView.Viewer.init)
    }

    /// Joins all that is shown of the project `p`; each is looked up by itself.
    static func joins(for viewer: AccountID?) -> SQL {
        """
        CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
        LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
        CROSS JOIN LATERAL (
            SELECT count(*) AS count,
                coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
                coalesce(bool_or(m.account_id = \(viewer)), false) AS has_viewer
            FROM project_members m
            WHERE m.project_id = p.id
        ) m
        LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
        CROSS JOIN LATERAL (
            SELECT EXISTS (
                SELECT FROM project_bookmarks k WHERE k.account_id = \(viewer) AND k.project_id = p.id
            ) AS is_kept
        ) k
        LEFT JOIN LATERAL (
            SELECT q.id, q.state
            FROM applications q
            WHERE q.project_id = p.id AND q.account_id = \(viewer)
            ORDER BY q.id DESC
            LIMIT 1
        ) q ON true
        """
    }

    func view(site: Site) -> ProjectView {
        ProjectView(project: project, leader: leader, card: card, standing: standing, viewer: viewer, site: site)
    }
}

extension ProjectSnapshot: Columned {
    static let columns: SQL = columns("p.")

    /// The columns of `projects` that `init(columns:)` reads, under a prefix.
    static func columns(_ prefix: SQL) -> SQL {
        """
        \(prefix)id, \(prefix)leader_id, \(prefix)state, \(prefix)title, \(prefix)summary, \(prefix)body,
        \([MentionSnapshot].columns(prefix)), \(prefix)category, \(prefix)tags, \(prefix)roles, \(prefix)place,
        \(prefix)frequency, to_char(\(prefix)starts_on, 'YYYY-MM-DD'), \(prefix)deadline, \(prefix)contact_url,
        \(prefix)language, \(prefix)media, \(prefix)created_at, \(prefix)published_at, \(prefix)edited_at,
        \(prefix)version
        """
    }

    init(columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            leaderID: try columns.next(),
            state: try columns.next(),
            title: try columns.next(),
            summary: try columns.next(),
            text: try columns.next(),
            mentions: try [MentionSnapshot](columns: &columns),
            category: try columns.next(),
            tags: try columns.next(),
            roles: try columns.next(JSONB.self).snapshot(),
            place: try columns.next(),
            frequency: try columns.next(),
            startsOn: try columns.next(),
            deadline: try columns.next(),
            contactURL: try columns.next(),
            language: try columns.next(),
            media: try columns.next(JSONB.self).snapshot(),
            createdAt: try columns.next(),
            publishedAt: try columns.next(),
            editedAt: try columns.next(),
            version: try columns.next()
        )
    }
}

/// A project that nobody else changes until the transaction ends.
struct HeldProject: Columned {
    var project: ProjectSnapshot
    /// The tags that its leader gave.
    var labels: [String]
    /// The deadline of which people were reminded.
    var remindedFor: Timestamp?
    let applicationsCount: Int

    /// Of `projects p`.
    static let columns: SQL = "\(ProjectSnapshot.columns), p.labels, p.reminded_for, p.applications_count"
}

extension HeldProject {
    init(columns: inout Columns) throws {
        self = try columns.read(HeldProject.init(project:labels:remindedFor:applicationsCount:))
    }

    init(_ project: ProjectSnapshot, labels: [String]) {
        self.init(project: project, labels: labels, applicationsCount: 0)
    }
}

extension Visible {
    /// Whether the viewer, or anybody when nil, may see the row of `projects` with this alias.
    static func project(_ alias: SQL, to viewer: AccountID?) -> SQL {
        """
        \(alias).deleted_at IS NULL AND (
            \(alias).leader_id = \(viewer)
            OR \(alias).state <> 'draft' AND NOT \(isBlocked("\(alias).leader_id", with: "\(viewer)"))
        )
        """
    }
}
