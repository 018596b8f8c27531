// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/projects, /api/v1/projects/bookmarks and /api/v1/accounts/:id/projects: the board, and other lists of projects.

import Domain
import Events
import Postgres
import Views
import Web

/// The board: `state` (recruiting unless it is said), `category`, `tag`, `role` and `place`, in the order that `sort` names.
///
/// A page goes on where the project of its cursor stands by now.
enum ListProjects {
    /// Pieces of the board that one request looks at before it answers with less than a page.
    private static let looks = 5

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let filter = try BoardFilter(parameters, limits: dependencies.limits.projects)
        let page = try parameters.page(default: 20, maximum: 40)
        var (rows, rest) = ([ProjectRow](), page)
        // Where looking ended, if others may match behind it.
        var end: ProjectID?
        for _ in 0..<looks {
            let found = try await BoardStore.board(
                filter,
                viewer: request.viewer,
                page: rest,
                in: dependencies.database
            )
            rows = page.after == nil ? rows + found : found + rows
            guard rows.count < page.limit else {
                end = nil
                break
            }
            end = try await BoardStore.end(of: filter, page: rest, in: dependencies.database)
            guard let end else { break }
            rest = rest.continued(at: end.rawValue, limit: page.limit - rows.count)
        }
        return Answer.json(array: rows.map { $0.view(site: dependencies.site) })
            .linked(request, site: dependencies.site, rows.map(\.project.id), page: page, end: end)
    }
}

extension BoardFilter {
    init(_ parameters: Parameters, limits: ProjectLimits) throws {
        if let name = try parameters.string("state"), !name.isEmpty {
            guard let state = ProjectState(rawValue: name), state != .draft else {
                throw Problem.invalid("state", "inclusion")
            }
            self.state = state
        }
        if let name = try parameters.string("sort"), !name.isEmpty {
            guard let order = BoardOrder(rawValue: name) else { throw Problem.invalid("sort", "inclusion") }
            self.order = order
        }
        func facet(_ name: String, _ limit: Int, _ make: (String) -> String) throws -> String? {
            guard let text = try parameters.line(name, limit: limit), !text.isEmpty else { return nil }
            return make(text)
        }
        // Those that few projects have come first.
        let tag = try facet("tag", limits.tag) { Facet.tag($0.hasPrefix("#") ? String($0.dropFirst()) : $0) }
        let role = try facet("role", limits.roleName, Facet.role)
        let place = try facet("place", limits.place, Facet.place)
        let category = try facet("category", limits.category, Facet.category)
        facets = [tag, role, place, category].compactMap(\.self)
    }
}

/// The projects that somebody leads, or with `as=member` is in; drafts are for their leader.
enum ListAccountProjects {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account: AccountID = try request.id()
        let parameters = try request.parameters()
        let owner: BoardStore.Owner =
            switch try parameters.string("as") {
            case nil, "", "leader": .leader(account)
            case "member": .member(account)
            default: throw Problem.invalid("as", "inclusion")
            }
        let page = try parameters.page(default: 20, maximum: 40)
        guard try await AccountStore.exists(account, in: dependencies.database) else { throw Problem.notFound }
        let rows = try await BoardStore.projects(
            of: owner,
            viewer: request.viewer,
            page: page,
            in: dependencies.database
        )
        return Answer.json(array: rows.map { $0.view(site: dependencies.site) })
            .linked(request, site: dependencies.site, rows.map(\.project.id))
    }
}

/// The projects that the viewer keeps, the newest kept first.
enum ListBookmarkedProjects {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let rows = try await BoardStore.bookmarked(by: viewer, page: page, in: dependencies.database)
        return Answer.json(array: rows.map { $0.project.view(site: dependencies.site) })
            .linked(request, site: dependencies.site, newest: rows.first?.place, oldest: rows.last?.place)
    }
}
