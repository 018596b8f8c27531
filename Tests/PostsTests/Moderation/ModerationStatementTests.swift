// SPDX-License-Identifier: Apache-2.0
// Every statement of reports, decisions and appeals, for the catalogue of posts.

import Domain
import Events
import Outbox
import Postgres
import Serving
import Support
import Testing

@testable import PostsService

extension StatementTests {
    private static let report = ReportID(7)
    private static let reported = AccountID(8)
    private static let reporter = AccountID(7)
    private static let moderator = AccountID(1)
    private static let decision = DecisionID(7)
    private static let now = Timestamp(milliseconds: 1_767_323_045_678)
    private static let message = Thing(kind: .message, id: "7")
    private static let snapshot = ThingSnapshot(text: "new", createdAt: now)

    static func moderation(_ call: inout StatementCatalogue) {
        reports(&call)
        decisions(&call)
        exported(&call)
        call("RoleStore.keep(_:in:)") {
            RoleStore.keep(RoleGiven(accountID: moderator, role: .admin, subjectVersion: 2), in: $0)
        }
        call("RoleStore.role(of:in:)") { _ = try await RoleStore.role(of: moderator, in: $0) }
        call("AdminStore.accounts(_:in:)", walks: "accounts_pkey") {
            _ = try await AdminStore.accounts([reported], in: $0)
        }
        var filters: [(String, AdminAccountFilter)] = [("all", AdminAccountFilter())]
        for status in [AdminAccountFilter.Status.active, .silenced] {
            var filter = AdminAccountFilter()
            filter.status = status
            filters.append((status.rawValue, filter))
        }
        var named = AdminAccountFilter()
        (named.username, named.displayName) = ("person", "Person")
        var staff = AdminAccountFilter()
        staff.isStaff = true
        filters += [("named", named), ("staff", staff)]
        for (name, filter) in filters {
            call("AdminStore.page(_:_:in:)", name) {
                _ = try await AdminStore.page(Page(limit: 20), filter, in: $0)
            }
        }
        call("PostStore.entries(_:viewer:in:)", walks: "posts_pkey") {
            _ = try await PostStore.entries([PostID(7)], viewer: moderator, in: $0)
        }
        call("RecordStore.owner(of:in:)") { _ = try await RecordStore.owner(of: RecordID(7), in: $0) }
        call("RemovedStore.restore(_:in:)", "post") { _ = try await RemovedStore.restore(PostID(40_007), in: $0) }
        call("RemovedStore.restore(_:in:)", "project") {
            _ = try await RemovedStore.restore(ProjectID(19_007), in: $0)
        }
    }

    private static func reports(_ call: inout StatementCatalogue) {
        call("ReportStore.filed(by:since:in:)", walks: "reports_reporter") {
            _ = try await ReportStore.filed(by: reporter, since: Timestamp(milliseconds: 0), in: $0)
        }
        call("ReportStore.insert(_:in:)") {
            let new = ReportRow(
                id: ReportID(100_000),
                reporterID: reporter,
                targetID: nil,
                category: .spam,
                comment: "new",
                ruleIDs: ["1"],
                createdAt: now,
                updatedAt: now,
                assignedID: nil,
                closedID: nil,
                closedAt: nil
            )
            ReportStore.insert(new, in: $0)
        }
        call("ReportStore.insert(_:of:in:)", "thing") {
            let thing = ReportedThing(thing: Thing(kind: .gif, id: "8"), accountID: nil, snapshot: snapshot)
            try ReportStore.insert(thing, of: report, in: $0)
        }
        call("ReportStore.insert(_:of:in:)", "note") {
            let note = ReportNote(id: ReportNoteID(100_000), accountID: moderator, text: "new", createdAt: now)
            ReportStore.insert(note, of: report, in: $0)
        }
        let flagged = Thing(kind: .post, id: "1000")
        call("ReportStore.lock(_:in:)") { ReportStore.lock(flagged, in: $0) }
        call("ReportStore.openFlag(of:in:)", walks: "report_things_thing") {
            _ = try await ReportStore.openFlag(of: flagged, in: $0)
        }
        call("ReportStore.report(_:in:)") { _ = try await ReportStore.report(report, in: $0) }
        call("ReportStore.hold(_:in:)") { _ = try await ReportStore.hold(report, in: $0) }
        let filters: [(String, ReportFilter, String)] = [
            ("open", ReportFilter(), "reports_open"), ("closed", ReportFilter(isClosed: true), "reports_pkey"),
            ("reporter", ReportFilter(reporter: reporter), "reports_reporter"),
            ("target", ReportFilter(target: reported), "reports_target"),
            ("assigned", ReportFilter(assigned: moderator), "reports_open"),
            ("free", ReportFilter(isFree: true), "reports_open"),
            ("for a moderator", ReportFilter(moderator: moderator), "reports_open"),
        ]
        for (name, filter, index) in filters {
            call("ReportStore.page(_:_:in:)", name, walks: index) {
                _ = try await ReportStore.page(Page(limit: 20), filter, in: $0)
            }
        }
        call("ReportStore.things(of:in:)", walks: "report_things_pkey") {
            _ = try await ReportStore.things(of: [report], in: $0)
        }
        call("ReportStore.keep(_:of:in:)") {
            let thing = ReportedThing(thing: message, accountID: reported, snapshot: snapshot)
            try ReportStore.keep(thing, of: report, in: $0)
        }
        call("ReportStore.drop(_:of:in:)") { ReportStore.drop(message, of: report, in: $0) }
        call("ReportStore.setTarget(_:of:in:)") { ReportStore.setTarget(reported, of: ReportID(9), in: $0) }
        call("ReportStore.deleteEmpty(_:in:)") { ReportStore.deleteEmpty(ReportID(20_001), in: $0) }
        call("ReportStore.assign(_:to:at:in:)") { ReportStore.assign(report, to: moderator, at: now, in: $0) }
        call("ReportStore.close(_:by:at:in:)") { ReportStore.close(report, by: moderator, at: now, in: $0) }
        call("ReportStore.change(_:category:ruleIDs:at:in:)") {
            ReportStore.change(report, category: .legal, ruleIDs: [], at: now, in: $0)
        }
        call("ReportStore.notes(of:in:)", walks: "report_notes_report") {
            _ = try await ReportStore.notes(of: report, in: $0)
        }
        call("ReportStore.waiting(since:in:)", walks: "reports_open") {
            _ = try await ReportStore.waiting(since: now, in: $0)
        }
        call("ReportStore.forgettable(before:in:)", walks: "reports_closed") {
            _ = try await ReportStore.forgettable(before: now, in: $0)
        }
        call("ReportStore.forget(_:in:)", walks: "reports_pkey") { _ = try await ReportStore.forget([report], in: $0) }
    }

    private static func exported(_ call: inout StatementCatalogue) {
        call("ExportedStore.reports", walks: "reports_reporter") {
            _ = try await ExportedStore.reports.texts(ExportPlace(of: reporter, limit: 100), in: $0)
        }
        call("ExportedStore.decisions", walks: "decisions_account") {
            _ = try await ExportedStore.decisions.texts(ExportPlace(of: reported, limit: 100), in: $0)
        }
        call("ExportedStore.appeals") {
            _ = try await ExportedStore.appeals.texts(ExportPlace(of: reported, limit: 100), in: $0)
        }
    }

    private static func decisions(_ call: inout StatementCatalogue) {
        call("DecisionStore.insert(_:in:)") {
            let new = DecisionRow(
                id: DecisionID(100_000),
                moderatorID: moderator,
                accountID: reported,
                reportID: report,
                action: .remove,
                thing: message,
                reason: "new",
                until: nil,
                appealUntil: now,
                decidedAt: now,
                liftedAt: nil,
                version: 1,
                appeal: nil,
                evidence: nil
            )
            DecisionStore.insert(new, in: $0)
        }
        call("DecisionStore.keep(_:of:for:until:in:)") {
            try DecisionStore.keep(snapshot, of: message, for: decision, until: now, in: $0)
        }
        call("DecisionStore.decision(_:in:)") { _ = try await DecisionStore.decision(decision, in: $0) }
        call("DecisionStore.lock(_:in:)") { DecisionStore.lock(decision, in: $0) }
        let lists: [(String, DecisionList, String)] = [
            ("all", .all(seenBy: moderator), "decisions_pkey"),
            ("account", .about(reported, seenBy: moderator), "decisions_account"),
            ("report", .report(report, seenBy: moderator), "decisions_report"),
            ("own", .own(reported), "decisions_account"),
        ]
        for (name, list, index) in lists {
            call("DecisionStore.page(_:of:in:)", name, walks: index) {
                _ = try await DecisionStore.page(Page(limit: 20), of: list, in: $0)
            }
        }
        call("DecisionStore.holding(_:of:at:in:)") {
            _ = try await DecisionStore.holding(.freeze, of: reported, at: now, in: $0)
        }
        call("DecisionStore.lift(_:at:in:)") { DecisionStore.lift(decision, at: now, in: $0) }
        call("DecisionStore.appeal(to:by:_:at:in:)") {
            _ = try await DecisionStore.appeal(to: DecisionID(15_000), by: reported, "new", at: now, in: $0)
        }
        call("DecisionStore.decide(_:_:by:at:in:)") {
            DecisionStore.decide(decision, .accepted, by: moderator, at: now, in: $0)
        }
        call("DecisionStore.appeals(_:seenBy:in:)", walks: "appeals_open") {
            _ = try await DecisionStore.appeals(Page(limit: 20), seenBy: moderator, in: $0)
        }
        call("DecisionStore.log(_:in:)") {
            DecisionStore.log(LoggedDeed(id: 100_000, moderatorID: nil, deed: .decide, at: now), in: $0)
        }
        for (name, account, index) in [
            ("all", nil, "moderation_log_pkey"), ("account", reported, "moderation_log_account"),
        ] {
            call("DecisionStore.log(_:about:seenBy:in:)", name, walks: index) {
                _ = try await DecisionStore.log(Page(limit: 20), about: account, seenBy: moderator, in: $0)
            }
        }
        call("DecisionStore.agedEvidence") {
            _ = try await DecisionStore.agedEvidence.forget(before: now, in: $0)
        }
        call("DecisionStore.forgettable(before:at:in:)", walks: "decisions_forgettable") {
            _ = try await DecisionStore.forgettable(before: now, at: now, in: $0)
        }
        call("DecisionStore.forget(_:in:)", walks: "decisions_pkey") {
            _ = try await DecisionStore.forget([decision], in: $0)
        }
        call("DecisionStore.agedLog", walks: "moderation_log_at") {
            _ = try await DecisionStore.agedLog.forget(before: now, in: $0)
        }
    }
}
