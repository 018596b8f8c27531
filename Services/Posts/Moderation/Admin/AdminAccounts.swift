// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/admin/accounts, /api/v2/admin/accounts and /api/v1/admin/accounts/:id: people as moderators see them.

import Domain
import Events
import Postgres
import Views
import Web

/// Both versions of Mastodon's list. Nobody waits to be approved here, and there are no people of other servers.
enum ListAdminAccounts {
    /// `active`, `disabled`, `silenced`, `suspended`, `pending`, `remote`, `staff`, `sensitized`, each a flag; `username`, `display_name`.
    @Sendable static func version1(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        var filter = try AdminAccountFilter(parameters)
        for status in AdminAccountFilter.Status.allCases where try parameters.boolean(status.rawValue) == true {
            filter.status = status
        }
        filter.isStaff = try parameters.boolean("staff") == true
        if try parameters.boolean("remote") == true { filter.isNobody = true }
        return try await answer(filter, request, dependencies)
    }

    /// `origin`, `status`, `permissions=staff`, `username`, `display_name`.
    @Sendable static func version2(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        var filter = try AdminAccountFilter(parameters)
        filter.status = try parameters.word("status")
        filter.isStaff = try parameters.string("permissions") == "staff"
        filter.isNobody = try parameters.string("origin") == "remote"
        return try await answer(filter, request, dependencies)
    }

    private static func answer(
        _ filter: AdminAccountFilter,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let page = try request.parameters().page(default: 100, maximum: 200)
        var filter = filter
        if filter.status == .pending { filter.isNobody = true }
        let rows =
            filter.isNobody
            ? []
            : try await AdminStore.page(page, filter, in: dependencies.database)
        return Answer.json(array: rows.map { AdminAccountView(row: $0, site: dependencies.site) })
            .linked(request, site: dependencies.site, rows.map(\.account.id))
    }
}

extension AdminAccountFilter {
    fileprivate init(_ parameters: Parameters) throws {
        username = try parameters.line("username", limit: 100)?.lowercased()
        displayName = try parameters.line("display_name", limit: 100)
    }
}

enum GetAdminAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await answer(request.id(), dependencies)
    }

    static func answer(_ id: AccountID, _ dependencies: Dependencies) async throws -> Answer {
        let rows = try await AdminStore.accounts([id], in: dependencies.database)
        return .json(AdminAccountView(row: try rows.first.found(), site: dependencies.site))
    }
}

/// Mastodon's Admin::Account (docs.joinmastodon.org/entities/Admin_Account). Addresses of mail and of the network are known to auth alone,
/// which shows them to nobody: as of people of other servers they are null. Who is here is confirmed and approved.
struct AdminAccountView: ObjectView {
    let row: AdminAccountRow
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", row.account.id)
        json.member("username", row.account.username.text)
        json.null("domain")
        json.member("created_at", row.account.createdAt)
        json.null("email")
        json.null("ip")
        json.member("ips", [String]())
        json.null("locale")
        json.null("invite_request")
        json.member("role", RoleView(role: row.role))
        json.member("confirmed", true)
        json.member("approved", true)
        json.member("disabled", row.restrictions.contains(.frozen))
        json.member("silenced", row.restrictions.contains(.limited))
        json.member("suspended", row.restrictions.contains(.suspended))
        json.member("sensitized", row.restrictions.contains(.sensitive))
        json.member("account", AccountView(row.account, site: site))
        json.null("created_by_application_id")
        json.null("invited_by_account_id")
    }
}
