// SPDX-License-Identifier: Apache-2.0
// The SQL on who is in a project, and whom it concerns.

import Domain
import Events
import Postgres
import Serving

/// Somebody in a project.
struct ProjectMemberRow: Sendable {
    let account: AccountSnapshot
    let roleID: ProjectRoleID?
    let joinedAt: Timestamp

    /// Of `accounts a` and members `m`.
    static let columns: SQL = "\(AccountSnapshot.columns), m.role_id, m.joined_at"
}

enum ProjectMemberStore {
    /// Since which version of the project somebody is in it; nil when they are not.
    static func since(
        _ account: AccountID,
        in project: ProjectID,
        _ database: some Querying
    ) async throws -> Int64? {
        try await database.query(
            "SELECT since FROM project_members WHERE project_id = \(project) AND account_id = \(account)"
        ).one { try $0.next() }
    }

    /// The role of each member who has one. Hold the project first: only then nobody comes in meanwhile.
    static func taken(of project: ProjectID, in database: some Querying) async throws -> [ProjectRoleID] {
        try await database.query(
            "SELECT role_id FROM project_members WHERE project_id = \(project) AND role_id IS NOT NULL"
        ).all { try $0.next() }
    }

    /// - Returns: false for who is in already.
    static func insert(
        _ account: AccountID,
        into project: ProjectID,
        as role: ProjectRoleID,
        since version: Int64,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO project_members (project_id, account_id, role_id, since, joined_at)
            VALUES (\(project), \(account), \(role), \(version), \(now))
            ON CONFLICT (project_id, account_id) DO NOTHING
            """
        ).affected > 0
    }

    static func delete(_ account: AccountID, from project: ProjectID, in transaction: some Transacting) {
        transaction.enqueue(
            "DELETE FROM project_members WHERE project_id = \(project) AND account_id = \(account)"
        )
    }

    /// Makes somebody's membership one that has just begun.
    static func renew(
        _ account: AccountID,
        in project: ProjectID,
        since version: Int64,
        _ transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE project_members SET since = \(version)
            WHERE project_id = \(project) AND account_id = \(account)
            """
        )
    }

    /// All who are in a project.
    static func all(of project: ProjectID, in database: some Querying) async throws -> [ProjectMemberSnapshot] {
        try await database.query(
            """
            SELECT m.account_id, a.username, m.since
            FROM project_members m
            CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
            WHERE m.project_id = \(project)
            ORDER BY m.account_id
            """
        ).all(as: ProjectMemberSnapshot.init)
    }

    /// The members of a project whom the viewer may meet, as they came in.
    static func list(
        of project: ProjectID,
        viewer: AccountID?,
        in database: some Querying
    ) async throws -> [ProjectMemberRow] {
        try await database.query(
            """
            SELECT \(ProjectMemberRow.columns)
            FROM project_members m
            CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
            WHERE m.project_id = \(project) AND NOT \(Visible.isBlocked("m.account_id", with: "\(viewer)"))
            ORDER BY m.since, m.account_id
            """
        ).all(as: ProjectMemberRow.init)
    }

    /// Whom a project concerns.
    enum Concern: Sendable, CaseIterable {
        /// Who is in it, or wants to be.
        case people
        /// Who keeps it.
        case keepers
    }

    static func concerned(
        _ concern: Concern,
        by project: ProjectID,
        limit: Int,
        in database: some Querying
    ) async throws -> [AccountID] {
        let chosen: SQL =
            switch concern {
            case .people:
                """
                SELECT account_id FROM project_members WHERE project_id = \(project)
                UNION
                SELECT account_id FROM applications WHERE project_id = \(project) AND state = 'open'
                LIMIT \(limit)
                """
            case .keepers:
                """
                SELECT account_id FROM project_bookmarks WHERE project_id = \(project)
                ORDER BY id DESC LIMIT \(limit)
                """
            }
        return try await database.query(chosen).all { try $0.next() }
    }
}
