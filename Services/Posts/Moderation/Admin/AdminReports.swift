// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/admin/reports, GET and PUT /api/v1/admin/reports/:id: reports as Mastodon's apps for moderators have them.

import Domain
import Events
import Postgres
import Views
import Web

/// Open reports, or with `resolved` those that are closed; `account_id`, `target_account_id`. Reports about the asking moderator are not
/// among them.
enum ListAdminReports {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount().id
        let parameters = try request.parameters()
        let page = try parameters.page(default: 100, maximum: 200)
        var filter = ReportFilter(moderator: moderator)
        filter.isClosed = try parameters.boolean("resolved") ?? false
        filter.reporter = try parameters.id("account_id")
        filter.target = try parameters.id("target_account_id")
        let reports = try await ReportStore.page(page, filter, in: dependencies.database)
        return Answer.json(array: try await AdminReportView.views(reports, for: moderator, dependencies))
            .linked(request, site: dependencies.site, reports.map(\.id))
    }
}

enum GetAdminReport {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await answer(request.id(), request.requireAccount().id, dependencies)
    }

    @Sendable static func answer(
        _ id: ReportID,
        _ moderator: AccountID,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let report = try await ReportStore.report(id, in: dependencies.database).found()
        let view = try await AdminReportView.views([report], for: nil, dependencies).first.found()
        guard !report.isAbout(moderator, view.things) else { throw Problem.forbidden }
        return .json(view)
    }
}

/// Changes the `category` and the `rule_ids` of a report.
enum ChangeReport {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount()
        let id: ReportID = try request.id()
        let parameters = try request.parameters()
        let category: ReportCategory? = try parameters.word("category")
        let ruleIDs = try ReportDraft.ruleIDs(parameters, limits: dependencies.limits.moderation)
        try await ModerationWork.run(moderator, dependencies) { work in
            let report = try await work.hold(id).found().report
            ReportStore.change(
                id,
                category: category ?? report.category,
                ruleIDs: ruleIDs ?? report.ruleIDs,
                at: work.now,
                in: work
            )
            work.log(.change, report: id, about: report.targetID)
        }
        return try await GetAdminReport.answer(id, moderator.id, dependencies)
    }
}

/// Mastodon's Admin::Report (docs.joinmastodon.org/entities/Admin_Report), with what else was reported.
struct AdminReportView: ObjectView {
    let report: ReportRow
    let things: [ReportedThing]
    let accounts: [AccountID: AdminAccountRow]
    let statuses: [StatusView]
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", report.id)
        json.member("action_taken", report.closedAt != nil)
        json.member("action_taken_at", report.closedAt)
        json.member("category", report.category.rawValue)
        json.member("comment", report.comment)
        json.member("forwarded", false)
        json.member("created_at", report.createdAt)
        json.member("updated_at", report.updatedAt)
        // Apps expect somebody there.
        json.member("account", account(report.reporterID ?? report.targetID))
        json.member("target_account", account(report.targetID))
        json.member("assigned_account", account(report.assignedID))
        json.member("action_taken_by_account", account(report.closedID))
        json.member("statuses", statuses)
        json.array("rules") { json in
            for id in report.ruleIDs {
                json.object { json in
                    json.member("id", id)
                    json.member("text", "")
                    json.member("hint", "")
                }
            }
        }
        json.member("things", things.map { ThingView($0.thing) })
    }

    private func account(_ id: AccountID?) -> AdminAccountView? {
        id.flatMap { accounts[$0] }.map { AdminAccountView(row: $0, site: site) }
    }

    /// - Parameter viewer: whose flags the posts show; nil for nobody's.
    static func views(
        _ reports: [ReportRow],
        for viewer: AccountID?,
        _ dependencies: Dependencies
    ) async throws -> [AdminReportView] {
        let database = dependencies.database
        let things = try await ReportStore.things(of: reports.map(\.id), in: database)
        let ids = Set(reports.flatMap(\.people)).sorted()
        let accounts = try await AdminStore.accounts(ids, in: database)
        let byID = Dictionary(accounts.map { ($0.account.id, $0) }) { first, _ in first }
        let wanted = things.values.joined().compactMap { $0.thing.kind == .post ? PostID($0.thing.id) : nil }
        let posts = try await PostStore.entries(Set(wanted).sorted(), viewer: viewer, in: database)
        let shown = Dictionary(posts.map { ($0.entryID, $0) }) { first, _ in first }
        return reports.map { report in
            let things = things[report.id] ?? []
            return AdminReportView(
                report: report,
                things: things,
                accounts: byID,
                statuses: things.compactMap { thing in
                    guard thing.thing.kind == .post, let id = PostID(thing.thing.id) else { return nil }
                    return shown[id]?.view(for: viewer, site: dependencies.site)
                },
                site: dependencies.site
            )
        }
    }
}
