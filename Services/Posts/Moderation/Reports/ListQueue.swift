// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/moderation/reports and /:id: the moderators' queue, with what was reported as it was.

import Domain
import Events
import Postgres
import Views
import Web

/// Open reports, or with `state=closed` those that are closed; `assigned=me` and `assigned=none`, `account_id`, `target_account_id`.
/// Reports about the asking moderator are not among them.
enum ListQueue {
    private enum State: String { case open, closed }
    private enum Assigned: String { case me, none }

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount().id
        let parameters = try request.parameters()
        let page = try parameters.page(default: 20, maximum: 80)
        var filter = ReportFilter(moderator: moderator)
        filter.isClosed = try parameters.word("state") == State.closed
        filter.reporter = try parameters.id("account_id")
        filter.target = try parameters.id("target_account_id")
        let assigned: Assigned? = try parameters.word("assigned")
        filter.assigned = assigned == .me ? moderator : nil
        filter.isFree = assigned == Assigned.none
        let reports = try await ReportStore.page(page, filter, in: dependencies.database)
        return Answer.json(array: try await QueuedReportView.views(reports, dependencies))
            .linked(request, site: dependencies.site, reports.map(\.id))
    }
}

/// One report, with the notes and what was decided of it; a 403 for whom it is about.
enum GetQueuedReport {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await answer(request.id(), request.requireAccount().id, dependencies)
    }

    @Sendable static func answer(
        _ id: ReportID,
        _ moderator: AccountID,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let report = try await ReportStore.report(id, in: dependencies.database).found()
        var view = try await QueuedReportView.views([report], dependencies).first.found()
        guard !report.isAbout(moderator, view.things) else { throw Problem.forbidden }
        view.notes = try await ReportStore.notes(of: id, in: dependencies.database)
        let page = Page(limit: dependencies.limits.moderation.decided)
        let list = DecisionList.report(id, seenBy: moderator)
        let decisions = try await DecisionStore.page(page, of: list, in: dependencies.database)
        view.decisions = try await DecisionView.views(decisions, dependencies)
        return .json(view)
    }
}

/// A report as moderators work with it.
struct QueuedReportView: ObjectView {
    let report: ReportRow
    let things: [ReportedThing]
    let accounts: [AccountID: AccountSnapshot]
    let site: Site
    /// Nil where reports are listed.
    var notes: [ReportNote]?
    var decisions: [DecisionView]?

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", report.id)
        json.member("state", report.closedAt == nil ? "open" : "closed")
        json.member("category", report.category.rawValue)
        json.member("comment", report.comment)
        json.member("rule_ids", report.ruleIDs)
        json.member("created_at", report.createdAt)
        json.member("updated_at", report.updatedAt)
        json.member("closed_at", report.closedAt)
        json.member("account", account(report.reporterID))
        json.member("target_account", account(report.targetID))
        json.member("assigned_account", account(report.assignedID))
        json.member("closed_by_account", account(report.closedID))
        json.array("things", things) { json, thing in
            json.member("kind", thing.thing.kind.rawValue)
            json.member("id", thing.thing.id)
            json.member("account_id", thing.accountID)
            json.member("snapshot", thing.snapshot.map(ThingSnapshotView.init))
        }
        if let notes {
            json.array("notes", notes) { json, note in
                json.member("id", note.id)
                json.member("account_id", note.accountID)
                json.member("text", note.text)
                json.member("created_at", note.createdAt)
            }
        }
        if let decisions { json.member("decisions", decisions) }
    }

    private func account(_ id: AccountID?) -> AccountView? {
        id.flatMap { accounts[$0] }.map { AccountView($0, site: site) }
    }

    static func views(_ reports: [ReportRow], _ dependencies: Dependencies) async throws -> [QueuedReportView] {
        let things = try await ReportStore.things(of: reports.map(\.id), in: dependencies.database)
        let ids = Set(reports.flatMap(\.people)).sorted()
        let accounts = try await AccountStore.accounts(ids, in: dependencies.database)
        let byID = Dictionary(accounts.map { ($0.id, $0) }) { first, _ in first }
        return reports.map { report in
            QueuedReportView(
                report: report,
                things: things[report.id] ?? [],
                accounts: byID,
                site: dependencies.site
            )
        }
    }
}

extension ReportRow {
    /// Everybody who has to do with it.
    var people: [AccountID] { [reporterID, targetID, assignedID, closedID].compactMap(\.self) }
}
