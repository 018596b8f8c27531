// SPDX-License-Identifier: Apache-2.0
// The SQL on applications. Their project is held before them.

import Domain
import Events
public import Postgres
import Serving

/// An application with whoever made it and the project.
struct ApplicationRow: Columned {
    let application: ApplicationSnapshot
    let account: AccountSnapshot
    let project: ProjectBrief

    /// Of `applications q`, `accounts a` and `projects p`.
    static let columns: SQL = """
        \(ApplicationSnapshot.columns), \(AccountSnapshot.columns), p.id, p.leader_id, p.title, p.state, p.deadline,
        p.version
        """

    init(columns: inout Columns) throws {
        application = try columns.next()
        account = try columns.next()
        project = try columns.read(ProjectBrief.init)
    }
}

extension ApplicationSnapshot: Columned {
    /// Of `applications q`.
    static let columns: SQL = """
        q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
        q.decided_at, q.version
        """

    init(columns: inout Columns) throws { self = try columns.read(ApplicationSnapshot.init) }
}

/// Which applications a list has.
enum ApplicationList: Sendable {
    /// Those to a project, for its leader.
    case project(ProjectID, ApplicationState?)
    /// Those that somebody made.
    case account(AccountID, ApplicationState?)
}

enum ApplicationStore {
    /// One application, if the viewer made it or leads its project, and the two may meet.
    static func row(
        _ id: ApplicationID,
        viewer: AccountID,
        in database: some Querying
    ) async throws -> ApplicationRow? {
        try await database.query(
            """
            SELECT \(ApplicationRow.columns)
            FROM applications q
            \(joins)
            WHERE q.id = \(id) AND p.deleted_at IS NULL AND \(viewer) IN (q.account_id, p.leader_id)
                AND NOT \(Visible.isBlocked("q.account_id", with: "\(viewer)"))
                AND NOT \(Visible.isBlocked("p.leader_id", with: "\(viewer)"))
            """
        ).one(ApplicationRow.init(columns:))
    }

    private static let joins: SQL = """
        CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
        CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
        """

    /// One page, the newest first.
    ///
    /// - Parameter viewer: who leads the project, or made them.
    static func page(
        _ page: Page,
        of list: ApplicationList,
        viewer: AccountID,
        in database: some Querying
    ) async throws -> [ApplicationRow] {
        let (owner, state): (SQL, ApplicationState?) =
            switch list {
            case .project(let id, let state): ("q.project_id = \(id)", state)
            case .account(let id, let state): ("q.account_id = \(id)", state)
            }
        let isAsked: SQL = state.map { "AND q.state = \($0)" } ?? ""
        return try await database.query(
            """
            SELECT \(ApplicationRow.columns)
            FROM (
                SELECT q.*
                FROM applications q
                CROSS JOIN LATERAL (
                    SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
                ) o
                WHERE \(owner) \(isAsked) AND o.deleted_at IS NULL
                    AND NOT \(Visible.isBlocked("q.account_id", with: "\(viewer)"))
                    AND NOT \(Visible.isBlocked("o.leader_id", with: "\(viewer)"))
                    AND \(page.cut("q.id"))
            ) q
            \(joins)
            ORDER BY q.id DESC
            """
        ).all(ApplicationRow.init(columns:))
    }

    /// An application as it is now; the caller holds its project.
    static func application(
        _ id: ApplicationID,
        in transaction: some Querying
    ) async throws -> ApplicationSnapshot? {
        try await transaction.query("SELECT \(ApplicationSnapshot.columns) FROM applications q WHERE q.id = \(id)")
            .one(ApplicationSnapshot.init(columns:))
    }

    /// How often somebody has applied to a project.
    static func attempts(of account: AccountID, to project: ProjectID, in database: some Querying) async throws -> Int {
        try await database.query(
            "SELECT count(*) FROM applications WHERE project_id = \(project) AND account_id = \(account)"
        ).number()
    }

    /// - Returns: false when an application of theirs to the project is open.
    static func insert(_ application: ApplicationSnapshot, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO applications (id, project_id, account_id, role_id, role_name, message, created_at, version)
            VALUES (
                \(application.id), \(application.projectID), \(application.accountID), \(application.roleID),
                \(application.roleName), \(application.message), \(application.createdAt), \(application.version)
            )
            ON CONFLICT (project_id, account_id) WHERE state = 'open' DO NOTHING
            """
        ).affected > 0
    }

    /// Keeps what became of an application.
    static func save(_ application: ApplicationSnapshot, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE applications
            SET state = \(application.state), note = \(application.note), decided_at = \(application.decidedAt),
                version = \(application.version)
            WHERE id = \(application.id)
            """
        )
    }

    /// The roles for which applications to a project are open.
    static func appliedFor(of project: ProjectID, in database: some Querying) async throws -> Set<ProjectRoleID> {
        Set(
            try await database.query(
                "SELECT DISTINCT role_id FROM applications WHERE project_id = \(project) AND state = 'open'"
            ).all { try $0.next() }
        )
    }

    /// Declines some of the applications to a project that are open.
    static func declineOpen(
        of project: ProjectID,
        at now: Timestamp,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [ApplicationSnapshot] {
        try await transaction.query(
            """
            WITH chosen AS MATERIALIZED (
                SELECT id FROM applications
                WHERE project_id = \(project) AND state = 'open'
                ORDER BY id DESC
                LIMIT \(limit)
            )
            UPDATE applications q
            SET state = 'declined', decided_at = \(now), version = q.version + 1
            FROM chosen c
            WHERE q.id = c.id
            RETURNING \(ApplicationSnapshot.columns)
            """
        ).all(ApplicationSnapshot.init(columns:))
    }

    /// Counts the applications to a project anew, for it and for the board; the caller holds its lock.
    static func recount(_ project: ProjectID, version: Int64, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH counted AS (
                UPDATE projects
                SET applications_count = (
                        SELECT count(*) FROM applications
                        WHERE project_id = \(project) AND state IN ('open', 'accepted', 'declined')
                    ),
                    open_count = (
                        SELECT count(*) FROM applications WHERE project_id = \(project) AND state = 'open'
                    ),
                    version = \(version)
                WHERE id = \(project)
                RETURNING id, applications_count
            )
            UPDATE project_facets f
            SET applications_count = c.applications_count
            FROM counted c
            WHERE f.project_id = c.id AND f.applications_count <> c.applications_count
            """
        )
    }
}
