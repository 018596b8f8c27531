// SPDX-License-Identifier: Apache-2.0
// The SQL on single projects: reading, writing and deleting them, and what is due of them.

import Domain
import Events
import Postgres
import Serving
import Views

/// What becomes of projects by itself, with time.
enum ProjectDuty: String, CaseIterable, Sendable {
    /// A deadline has passed.
    case close
    /// A deadline comes near.
    case remind
    /// A project is over, but not all who applied were told.
    case answer

    /// Whether a project `p` is due.
    ///
    /// - Parameter notice: how long before its deadline people are reminded.
    fileprivate func isDue(at now: Timestamp, notice: Duration) -> SQL {
        switch self {
        case .close: "p.state = 'recruiting' AND p.deleted_at IS NULL AND p.deadline <= \(now)"
        case .remind:
            """
            p.state = 'recruiting' AND p.deleted_at IS NULL AND p.reminded_for IS DISTINCT FROM p.deadline
                AND p.deadline > \(now) AND p.deadline <= \(now + notice)
            """
        case .answer: "p.state = 'finished' AND p.deleted_at IS NULL AND p.open_count > 0"
        }
    }

    fileprivate var order: SQL { self == .answer ? "p.id" : "p.deadline, p.id" }
}

enum ProjectStore {
    /// One project, if the viewer may see it.
    static func row(_ id: ProjectID, viewer: AccountID?, in database: some Querying) async throws -> ProjectRow? {
        try await database.query(
            """
            SELECT \(ProjectRow.columns)
            FROM projects p
            \(ProjectRow.joins(for: viewer))
            WHERE p.id = \(id) AND \(Visible.project("p", to: viewer))
            """
        ).one(ProjectRow.init(columns:))
    }

    /// Whether somebody leads a project; nil when they may not see it.
    static func isLed(_ id: ProjectID, by viewer: AccountID, in database: some Querying) async throws -> Bool? {
        try await database.query(
            """
            SELECT p.leader_id = \(viewer) FROM projects p
            WHERE p.id = \(id) AND \(Visible.project("p", to: viewer))
            """
        ).one { try $0.next() }
    }

    /// A project that is there, locked before its files, members and applications.
    static func hold(_ id: ProjectID, in transaction: some Transacting) async throws -> HeldProject? {
        try await transaction.query(
            """
            SELECT \(HeldProject.columns)
            FROM projects p
            WHERE p.id = \(id) AND p.deleted_at IS NULL
            FOR UPDATE
            """
        ).one(HeldProject.init(columns:))
    }

    /// Some projects of which something is due.
    static func due(
        _ duty: ProjectDuty,
        at now: Timestamp,
        notice: Duration,
        in database: some Querying
    ) async throws -> [ProjectID] {
        try await database.query(
            """
            SELECT p.id
            FROM projects p
            WHERE \(duty.isDue(at: now, notice: notice))
            ORDER BY \(duty.order)
            LIMIT 100
            """
        ).all { try $0.next() }
    }

    /// The same as `hold`, if it is still due and no other process is just seeing to it.
    static func take(
        _ id: ProjectID,
        _ duty: ProjectDuty,
        at now: Timestamp,
        notice: Duration,
        in transaction: some Transacting
    ) async throws -> HeldProject? {
        try await transaction.query(
            """
            SELECT \(HeldProject.columns)
            FROM projects p
            WHERE p.id = \(id) AND \(duty.isDue(at: now, notice: notice))
            FOR UPDATE SKIP LOCKED
            """
        ).one(HeldProject.init(columns:))
    }

    /// Projects of a leader that are not over.
    static func unfinished(of leader: AccountID, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            SELECT count(*) FROM projects
            WHERE leader_id = \(leader) AND deleted_at IS NULL AND state <> 'finished'
            """
        ).number()
    }

    /// Stores a new project with its leader as its first member.
    static func insert(_ held: HeldProject, in transaction: some Transacting) throws {
        let project = held.project
        transaction.enqueue(
            """
            WITH made AS (
                INSERT INTO projects (
                    id, leader_id, state, title, summary, body, mentioned_ids, mentioned_names, category, labels,
                    tags, roles, place, frequency, starts_on, deadline, reminded_for, contact_url, language, media,
                    link_hash, created_at, published_at, edited_at, version
                )
                VALUES (
                    \(project.id), \(project.leaderID), \(project.state), \(project.title), \(project.summary),
                    \(project.text), \(project.mentions.map(\.id)), \(project.mentions.map(\.username.text)),
                    \(project.category), \(held.labels), \(project.tags), \(try JSONB(snapshot: project.roles)),
                    \(project.place), \(project.frequency), CAST(\(project.startsOn) AS date), \(project.deadline),
                    \(held.remindedFor), \(project.contactURL), \(project.language),
                    \(try JSONB(snapshot: project.media)),
                    \(CardNews.hash(of: PostText.firstLink(in: project.text))), \(project.createdAt),
                    \(project.publishedAt), \(project.editedAt), \(project.version)
                )
                RETURNING id, leader_id, version, created_at
            )
            INSERT INTO project_members (project_id, account_id, since, joined_at)
            SELECT id, leader_id, version, created_at FROM made
            """
        )
    }

    /// Makes a project whose lock is held what it is now.
    static func save(_ held: HeldProject, in transaction: some Transacting) throws {
        let project = held.project
        transaction.enqueue(
            """
            UPDATE projects
            SET leader_id = \(project.leaderID), state = \(project.state), title = \(project.title),
                summary = \(project.summary), body = \(project.text), mentioned_ids = \(project.mentions.map(\.id)),
                mentioned_names = \(project.mentions.map(\.username.text)), category = \(project.category),
                labels = \(held.labels), tags = \(project.tags), roles = \(try JSONB(snapshot: project.roles)),
                place = \(project.place), frequency = \(project.frequency),
                starts_on = CAST(\(project.startsOn) AS date), deadline = \(project.deadline),
                reminded_for = \(held.remindedFor), contact_url = \(project.contactURL),
                language = \(project.language), media = \(try JSONB(snapshot: project.media)),
                link_hash = \(CardNews.hash(of: PostText.firstLink(in: project.text))),
                published_at = \(project.publishedAt), edited_at = \(project.editedAt), version = \(project.version)
            WHERE id = \(project.id)
            """
        )
    }

    /// Keeps in the history what a project was; of its forms the newest stay.
    ///
    /// - Parameter keeping: how many, this one included.
    static func keep(_ form: ProjectSnapshot, keeping edits: Int, in transaction: some Transacting) throws {
        let moment = form.editedAt ?? form.publishedAt ?? form.createdAt
        let surplus = SQL.deletingBeyond(
            edits - 1,
            of: "project_edits",
            where: "project_id = \(form.id)",
            inOrderOf: "created_at"
        )
        transaction.enqueue(
            """
            WITH forgotten AS (
                \(surplus)
            )
            INSERT INTO project_edits (project_id, created_at, form)
            VALUES (\(form.id), \(moment), \(try JSONB(snapshot: form)))
            ON CONFLICT (project_id, created_at) DO UPDATE SET form = excluded.form
            """
        )
    }

    /// What a project was before its newest edits, oldest first.
    static func forms(of id: ProjectID, limit: Int, in database: some Querying) async throws -> [ProjectSnapshot] {
        try await database.query(
            """
            SELECT form
            FROM (
                SELECT created_at, form FROM project_edits
                WHERE project_id = \(id)
                ORDER BY created_at DESC
                LIMIT \(limit)
            ) newest
            ORDER BY created_at
            """
        ).all { try $0.next(JSONB.self).snapshot() }
    }

    /// Says that something of a project whose lock is held has changed.
    static func setVersion(_ version: Int64, of id: ProjectID, in transaction: some Transacting) {
        transaction.enqueue("UPDATE projects SET version = \(version) WHERE id = \(id)")
    }

    /// Says of which deadline people were reminded.
    static func setReminded(_ held: HeldProject, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE projects SET reminded_for = \(held.remindedFor), version = \(held.project.version)
            WHERE id = \(held.project.id)
            """
        )
    }

    /// Makes a project a tombstone, which is on no board.
    static func delete(_ id: ProjectID, version: Int64, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH unlisted AS (DELETE FROM project_facets WHERE project_id = \(id))
            UPDATE projects SET deleted_at = \(now), version = \(version) WHERE id = \(id)
            """
        )
    }

    /// Keeps where the people of a project talk, unless something newer is known.
    static func setRoom(_ room: ProjectRoomChanged, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE projects
            SET playground_id = \(room.playgroundID), channel_id = \(room.channelID),
                room_version = \(room.subjectVersion)
            WHERE id = \(room.projectID) AND room_version < \(room.subjectVersion)
            """
        )
    }

    /// Changes what is shown of the pictures of a project, without an edit of it; the caller holds its lock.
    static func show(
        _ media: [MediaSnapshot],
        in id: ProjectID,
        version: Int64,
        _ transaction: some Transacting
    ) throws {
        transaction.enqueue(
            """
            UPDATE projects SET media = \(try JSONB(snapshot: media)), version = \(version)
            WHERE id = \(id)
            """
        )
    }

    /// Keeps a project for somebody who may see it.
    ///
    /// - Returns: whether they may.
    static func bookmark(
        _ id: ProjectID,
        by viewer: AccountID,
        as place: Int64,
        in database: some Querying
    ) async throws -> Bool {
        try await !database.query(
            """
            WITH target AS MATERIALIZED (
                SELECT p.id FROM projects p WHERE p.id = \(id) AND \(Visible.project("p", to: viewer))
            ),
            added AS (
                INSERT INTO project_bookmarks (account_id, project_id, id)
                SELECT \(viewer), t.id, \(place) FROM target t
                ON CONFLICT (account_id, project_id) DO NOTHING
            )
            SELECT id FROM target
            """
        ).isEmpty
    }

    static func unbookmark(_ id: ProjectID, by viewer: AccountID, in database: some Querying) async throws {
        _ = try await database.query(
            "DELETE FROM project_bookmarks WHERE account_id = \(viewer) AND project_id = \(id)"
        )
    }

    /// Adds views, of each project once.
    static func addViews(_ views: [(project: ProjectID, count: Int64)], in database: some Querying) async throws {
        _ = try await database.query(
            """
            INSERT INTO project_views (project_id, views)
            SELECT n.id, n.count
            FROM unnest(\(views.map(\.project)), \(views.map(\.count))) AS n (id, count)
            JOIN projects p ON p.id = n.id
            ORDER BY n.id
            ON CONFLICT (project_id) DO UPDATE SET views = project_views.views + excluded.views
            """
        )
    }
}
