// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/moderation/decisions: a moderator decides about an account, or about things that somebody made.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Decides, does what was decided, tells it and writes it down, all at once. A report that is named must be about who is decided
/// about, and is closed with it, unless `close` says no.
enum Decide {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount()
        let parameters = try request.parameters()
        let limits = dependencies.limits.moderation
        let draft = try DecisionDraft(parameters, limits: limits, now: dependencies.now())
        let closes = try parameters.boolean("close") ?? true
        let decisions = try await ModerationWork.run(moderator, dependencies) { work in
            try await decide(draft, closes: closes, work)
        }
        return try await DecisionView.answer(decisions, dependencies)
    }

    /// - Returns: a decision for each thing, or one about the account.
    static func decide(
        _ draft: DecisionDraft,
        closes: Bool,
        _ work: ModerationWork
    ) async throws -> [DecisionRow] {
        var report: (report: ReportRow, things: [ReportedThing])?
        if let id = draft.reportID {
            guard let held = try await work.hold(id) else { throw Problem.invalid("report_id", "not_found") }
            report = held
            if closes, held.report.closedAt == nil {
                ReportStore.close(id, by: work.moderator?.id, at: work.now, in: work)
                work.log(.close, report: id, about: held.report.targetID)
            }
        }
        guard !draft.things.isEmpty else { return [try await decide(draft, about: nil, of: report, work)] }
        var decisions: [DecisionRow] = []
        for thing in draft.things { decisions.append(try await decide(draft, about: thing, of: report, work)) }
        return decisions
    }

    private static func decide(
        _ draft: DecisionDraft,
        about thing: Thing?,
        of report: (report: ReportRow, things: [ReportedThing])?,
        _ work: ModerationWork
    ) async throws -> DecisionRow {
        let found = try await thing.asyncMap { try await find($0, report?.things ?? [], work) }
        guard let account = found?.accountID ?? draft.account else { throw Problem.invalid("account_id", "blank") }
        if let named = draft.account, named != account { throw Problem.invalid("things", "invalid") }
        guard try await AccountStore.exists(account, in: work) else { throw Problem.notFound }
        try await work.requireMayDecide(about: account)
        if let report {
            // What is nobody's is reported by itself.
            let isReported = report.things.contains { $0.thing == found?.thing && $0.accountID == nil }
            guard isReported || report.report.isAbout(account, report.things) else {
                throw Problem.invalid("report_id", "invalid")
            }
        }
        let decision = DecisionRow(
            id: try work.dependencies.ids.next(),
            moderatorID: work.moderator?.id,
            accountID: account,
            reportID: draft.reportID,
            action: draft.action,
            thing: found?.thing,
            reason: draft.reason,
            until: draft.until,
            appealUntil: work.now + work.limits.appealTime,
            decidedAt: work.now,
            liftedAt: nil,
            version: 1,
            appeal: nil,
            evidence: nil
        )
        DecisionStore.insert(decision, in: work)
        if draft.action == .remove, let found, let snapshot = found.snapshot {
            let end = work.now + work.limits.evidence
            try DecisionStore.keep(snapshot, of: found.thing, for: decision.id, until: end, in: work)
        }
        try await carryOut(decision, work)
        try await work.tell(decision)
        work.log(.decide, report: draft.reportID, decision: decision.id, about: account)
        return decision
    }

    /// What is to be decided about, and whose it is. What others keep must have been reported: then it is known.
    private static func find(
        _ thing: Thing,
        _ reported: [ReportedThing],
        _ work: ModerationWork
    ) async throws -> ReportedThing {
        if thing.kind.isOurs {
            let kept = try await KeptThing.find(thing, in: work).found()
            return ReportedThing(thing: kept.thing, accountID: kept.accountID, snapshot: kept.snapshot)
        }
        guard let known = reported.first(where: { $0.thing == thing }), known.snapshot != nil else {
            throw Problem.invalid("things", "not_found")
        }
        return known
    }

    private static func carryOut(_ decision: DecisionRow, _ work: ModerationWork) async throws {
        switch (decision.action, decision.thing) {
        case (.remove, let thing?): try await RemoveThing.run(thing, of: decision.accountID, work)
        case (.sensitive, let thing?): try await MarkSensitive.run(thing, true, work)
        case (_, nil):
            guard let restriction = decision.action.restriction else { return }
            try await Restrict.apply(
                restriction,
                to: decision.accountID,
                until: decision.until,
                decision: decision.id,
                at: work.now,
                in: work.transaction
            )
        default: break
        }
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Value: Sendable>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
