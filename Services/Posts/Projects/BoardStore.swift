// SPDX-License-Identifier: Apache-2.0
// The SQL of lists of projects: the board, those of an account, those that somebody keeps.

import Domain
import Events
import Postgres
import Serving

/// In which order the board is read.
enum BoardOrder: String, CaseIterable, Sendable {
    case newest
    /// The next one first; those without a deadline last.
    case deadline
    /// The most applied for first.
    case applications

    /// The columns of `project_facets f` by which the index goes.
    fileprivate var keyset: Keyset {
        switch self {
        case .newest: Keyset("f.project_id")
        case .deadline: Keyset("f.deadline", "f.project_id", rises: true)
        case .applications: Keyset("f.applications_count", "f.project_id")
        }
    }

    /// Their values of the project with an id, which may be on the board no more.
    fileprivate func key(of id: Int64) -> SQL {
        switch self {
        case .newest: "\(id)"
        case .deadline:
            "(SELECT coalesce(p.deadline, 'infinity') FROM projects p WHERE p.id = \(id)), \(id)"
        case .applications: "(SELECT p.applications_count FROM projects p WHERE p.id = \(id)), \(id)"
        }
    }
}

/// What the board is read for.
struct BoardFilter: Hashable, Sendable {
    var state = ProjectState.recruiting
    var order = BoardOrder.newest
    /// What a project must all have; the first, which few have, is walked.
    var facets: [String] = []
}

/// By what a project is found.
enum Facet {
    /// Of the board as a whole.
    static let whole = ""

    static func category(_ name: String) -> String { "c:\(name.folded)" }
    static func place(_ name: String) -> String { "p:\(name.folded)" }
    static func tag(_ name: String) -> String { "t:\(name.lowercased())" }
    static func role(_ name: String) -> String { "r:\(name.folded)" }

    static func all(of project: ProjectSnapshot) -> [String] {
        var facets = [whole]
        if let category = project.category { facets.append(self.category(category)) }
        if let place = project.place { facets.append(self.place(place)) }
        facets += project.tags.map(tag) + project.roles.map { role($0.name) }
        var seen: Set<String> = []
        return facets.filter { seen.insert($0).inserted }
    }
}

/// A project with the number by which its list is paged.
struct PlacedProject: Sendable {
    let place: Int64
    let project: ProjectRow
}

enum BoardStore {
    /// Rows of the board that one statement looks at, whether or not they match.
    private static let reach: SQL = "1000"

    /// Puts a project where it is to be found from now on.
    static func list(_ held: HeldProject, in transaction: some Transacting) {
        let project = held.project
        let facets = project.state == .draft ? [] : Facet.all(of: project)
        transaction.enqueue(
            """
            WITH unlisted AS (
                DELETE FROM project_facets WHERE project_id = \(project.id) AND facet <> ALL (\(facets))
            )
            INSERT INTO project_facets AS f (project_id, facet, state, deadline, applications_count)
            SELECT \(project.id), n.facet, \(project.state), coalesce(\(project.deadline), 'infinity'),
                \(held.applicationsCount)
            FROM unnest(\(facets)) AS n (facet)
            ON CONFLICT (project_id, facet) DO UPDATE
            SET state = excluded.state, deadline = excluded.deadline, applications_count = excluded.applications_count
            WHERE (f.state, f.deadline, f.applications_count)
                IS DISTINCT FROM (excluded.state, excluded.deadline, excluded.applications_count)
            """
        )
    }

    /// Projects of the board whose leader the viewer wants to meet.
    static func board(
        _ filter: BoardFilter,
        viewer: AccountID?,
        page: Page,
        in database: some Querying
    ) async throws -> [ProjectRow] {
        let keyset = filter.order.keyset
        let others = filter.facets.dropFirst().reduce("" as SQL) { conditions, facet in
            """
            \(conditions)
                AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = \(facet))
            """
        }
        let chosen: SQL = """
            SELECT f.project_id AS id, row_number() OVER (ORDER BY \(keyset.reverse)) AS place
            FROM (
                SELECT f.project_id, f.deadline, f.applications_count
                FROM (\(walk(filter, page))) f
                CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
                WHERE \(Visible.isShown("p.leader_id", to: "\(viewer)"))\(others)
                ORDER BY \(keyset.walk(page))
                LIMIT \(page.limit)
            ) f
            """
        return try await rows(chosen, viewer: viewer, in: database).map(\.project)
    }

    /// Where `board` ended looking, if there may be more behind.
    static func end(of filter: BoardFilter, page: Page, in database: some Querying) async throws -> ProjectID? {
        try await database.query(
            """
            SELECT f.project_id
            FROM (\(walk(filter, page))) f
            ORDER BY \(filter.order.keyset.walk(page))
            LIMIT 1 OFFSET \(reach) - 1
            """
        ).one { try $0.next() }
    }

    /// The rows of the board behind a project of a list, or before it.
    private static func walk(_ filter: BoardFilter, _ page: Page) -> SQL {
        let order = filter.order
        return """
            SELECT f.project_id, f.deadline, f.applications_count
            FROM project_facets f
            WHERE f.state = \(filter.state) AND f.facet = \(filter.facets.first ?? Facet.whole)
                AND \(order.keyset.holds(page, key: order.key(of:)))
            ORDER BY \(order.keyset.walk(page))
            LIMIT \(reach)
            """
    }

    /// Whose projects a list has.
    enum Owner: Sendable {
        /// Those that an account leads.
        case leader(AccountID)
        /// Those that it is in.
        case member(AccountID)
    }

    /// Projects around an account that the viewer may see, the newest first.
    static func projects(
        of owner: Owner,
        viewer: AccountID?,
        page: Page,
        in database: some Querying
    ) async throws -> [ProjectRow] {
        let candidates: SQL =
            switch owner {
            case .leader(let account):
                """
                SELECT p.id FROM projects p
                WHERE p.leader_id = \(account) AND \(page.holds("p.id")) AND \(Visible.project("p", to: viewer))
                ORDER BY p.id \(page.direction)
                """
            case .member(let account):
                """
                SELECT p.id
                FROM project_members m
                CROSS JOIN LATERAL (
                    SELECT p.id, p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = m.project_id OFFSET 0
                ) p
                WHERE m.account_id = \(account) AND \(page.holds("m.project_id"))
                    AND \(Visible.project("p", to: viewer))
                ORDER BY m.project_id \(page.direction)
                """
            }
        let chosen: SQL = "SELECT n.id, n.id AS place FROM (\(candidates) LIMIT 40) n \(page.walk("n.id"))"
        return try await rows(chosen, viewer: viewer, in: database).map(\.project)
    }

    /// The projects that somebody keeps and may still see, with the ids by which the list is paged.
    static func bookmarked(
        by viewer: AccountID,
        page: Page,
        in database: some Querying
    ) async throws -> [PlacedProject] {
        let chosen: SQL = """
            SELECT n.project_id AS id, n.id AS place
            FROM (
                SELECT k.id, k.project_id
                FROM project_bookmarks k
                CROSS JOIN LATERAL (
                    SELECT p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = k.project_id OFFSET 0
                ) p
                WHERE k.account_id = \(viewer) AND \(page.holds("k.id")) AND \(Visible.project("p", to: viewer))
                ORDER BY k.id \(page.direction)
                LIMIT 40
            ) n
            \(page.walk("n.id"))
            """
        return try await rows(chosen, viewer: viewer, in: database)
    }

    /// Those of some projects that the viewer may see, in their order.
    static func found(
        _ ids: [ProjectID],
        viewer: AccountID?,
        in database: some Querying
    ) async throws -> [ProjectRow] {
        let chosen: SQL = """
            SELECT p.id, -w.place AS place
            FROM unnest(\(ids)) WITH ORDINALITY AS w (id, place)
            CROSS JOIN LATERAL (
                SELECT p.id, p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = w.id OFFSET 0
            ) p
            WHERE \(Visible.project("p", to: viewer))
            """
        return try await rows(chosen, viewer: viewer, in: database).map(\.project)
    }

    /// - Parameter chosen: gives the `id` of each project and its `place`, the highest of which comes first.
    private static func rows(
        _ chosen: SQL,
        viewer: AccountID?,
        in database: some Querying
    ) async throws -> [PlacedProject] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (\(chosen))
            SELECT page.place, \(ProjectRow.columns)
            FROM page
            CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
            \(ProjectRow.joins(for: viewer))
            ORDER BY page.place DESC
            """
        ).all(as: PlacedProject.init)
    }
}
