// SPDX-License-Identifier: Apache-2.0
// The Mastodon API for moderators (docs.joinmastodon.org/methods/admin/reports, docs.joinmastodon.org/methods/admin/accounts).

import Domain

/// The Mastodon API for moderators (docs.joinmastodon.org/methods/admin/reports, docs.joinmastodon.org/methods/admin/accounts).
public enum AdminEndpoint: String, EndpointGroup {
    case adminReports, adminReport, changeReport, assignReport, unassignReport, resolveReport, reopenReport,
        adminAccountsOfVersion1, adminAccounts, adminAccount, actOnAccount, enableAccount, unsilenceAccount,
        unsuspendAccount, unsensitiveAccount

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .adminReports:
            .get("/api/v1/admin/reports", .moderator("admin:read:reports"), answer: "[AdminReport]")
        case .adminReport:
            .get("/api/v1/admin/reports/:id", .moderator("admin:read:reports"), answer: "AdminReport")
        case .changeReport:
            .put("/api/v1/admin/reports/:id", .moderator("admin:write:reports"), answer: "AdminReport")
        case .assignReport: report("assign_to_self")
        case .unassignReport: report("unassign")
        case .resolveReport: report("resolve")
        case .reopenReport: report("reopen")
        case .adminAccountsOfVersion1:
            .get("/api/v1/admin/accounts", .moderator("admin:read:accounts"), answer: "[AdminAccount]")
        case .adminAccounts:
            .get("/api/v2/admin/accounts", .moderator("admin:read:accounts"), answer: "[AdminAccount]")
        case .adminAccount:
            .get("/api/v1/admin/accounts/:id", .moderator("admin:read:accounts"), answer: "AdminAccount")
        case .actOnAccount:
            .post("/api/v1/admin/accounts/:id/action", .moderator("admin:write:accounts"), answer: "any")
        case .enableAccount: account("enable")
        case .unsilenceAccount: account("unsilence")
        case .unsuspendAccount: account("unsuspend")
        case .unsensitiveAccount: account("unsensitive")
        }
    }

    private func report(_ action: String) -> Endpoint {
        .post("/api/v1/admin/reports/:id/\(action)", .moderator("admin:write:reports"), answer: "AdminReport")
    }

    private func account(_ action: String) -> Endpoint {
        .post("/api/v1/admin/accounts/:id/\(action)", .moderator("admin:write:accounts"), answer: "AdminAccount")
    }
}
