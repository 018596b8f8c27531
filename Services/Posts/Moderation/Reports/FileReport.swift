// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/reports: somebody tells moderators of an account, or of something that it made.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Keeps what is reported as it is now. What others keep is asked of them; until they have said what it is, moderators see its id
/// alone.
enum FileReport {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reporter = try request.requireAccount()
        let draft = try ReportDraft(request.parameters(), limits: dependencies.limits.moderation)
        try await EnsureAccount.run(reporter, dependencies)
        if let target = draft.target {
            guard target != reporter.id else { throw Problem.invalid("account_id", "invalid") }
            guard try await AwaitAccount.run(target, dependencies) else { throw Problem.notFound }
        }
        let id: ReportID = try dependencies.ids.next()
        let view = try await dependencies.database.transaction { transaction in
            try await file(draft, as: id, by: reporter.id, dependencies, transaction)
        }
        return .json(view)
    }

    private static func file(
        _ draft: ReportDraft,
        as id: ReportID,
        by reporter: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> ReportView {
        let (limits, now) = (dependencies.limits.moderation, dependencies.now())
        // Held, so that no two reports are both the last that there is room for.
        try await PinStore.lock(reporter, in: transaction)
        let day = Duration.seconds(24 * 3600)
        guard try await ReportStore.filed(by: reporter, since: now - day, in: transaction) < limits.daily else {
            throw Problem.tooMany(retryAfter: .seconds(3600))
        }
        var things: [ReportedThing] = []
        for thing in draft.things {
            guard thing.kind.isOurs else {
                things.append(ReportedThing(thing: thing, accountID: nil, snapshot: nil))
                continue
            }
            let found = try await KeptThing.find(thing, for: reporter, in: transaction).found()
            // A boost stands for what was boosted, which may be named too.
            guard !things.contains(where: { $0.thing == found.thing }) else { continue }
            things.append(ReportedThing(thing: found.thing, accountID: found.accountID, snapshot: found.snapshot))
        }
        let target = draft.target ?? things.lazy.compactMap(\.accountID).first
        // What is somebody else's is not there for a report of this one.
        guard things.allSatisfy({ $0.accountID == nil || $0.accountID == target }) else { throw Problem.notFound }
        guard target != reporter else { throw Problem.invalid("account_id", "invalid") }
        let report = ReportRow(
            id: id,
            reporterID: reporter,
            targetID: target,
            category: draft.category,
            comment: draft.comment,
            ruleIDs: draft.ruleIDs,
            createdAt: now,
            updatedAt: now,
            assignedID: nil,
            closedID: nil,
            closedAt: nil
        )
        ReportStore.insert(report, in: transaction)
        for thing in things { try ReportStore.insert(thing, of: id, in: transaction) }
        let asked = things.map(\.thing).filter { !$0.kind.isOurs }
        if !asked.isEmpty {
            try transaction.record(ThingReported(reportID: id, reporterID: reporter, things: asked))
        }
        let account = try await announce(report, things, in: transaction)
        return ReportView(
            report.snapshot(things),
            things: things.map(\.thing),
            target: account,
            closedAt: nil,
            site: dependencies.site
        )
    }

    /// Has moderators notified of a report, once it is known whom it reports.
    @discardableResult
    static func announce(
        _ report: ReportRow,
        _ things: [ReportedThing],
        in transaction: Transaction
    ) async throws -> AccountSnapshot? {
        guard let target = report.targetID,
            let reported = try await AccountStore.account(target, in: transaction)
        else { return nil }
        var reporter: AccountSnapshot?
        if let id = report.reporterID {
            reporter = try await AccountStore.account(id, in: transaction)
            guard reporter != nil else { return nil }
        }
        try transaction.record(ReportFiled(report: report.snapshot(things), reporter: reporter, target: reported))
        return reported
    }
}
