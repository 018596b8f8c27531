// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/admin/accounts/:id/action and its opposites, as Mastodon's apps for moderators have them.

import Domain
import Events
import Postgres
import Views
import Web

/// Decides about an account: `type`, `report_id`, `text`. The person is always told of it: `send_email_notification` is ignored.
enum ActOnAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount()
        let id: AccountID = try request.id()
        let parameters = try request.parameters()
        let limits = dependencies.limits.moderation
        guard let action = try parameters.string("type").flatMap(DecisionAction.init(mastodon:)) else {
            throw Problem.invalid("type", "inclusion")
        }
        let report: ReportID? = try parameters.id("report_id")
        let text = try parameters.prose("text", limit: limits.reason) ?? ""
        try await ModerationWork.run(moderator, dependencies) { work in
            guard action != .warn || !text.isEmpty else {
                // Without a word nothing is decided: the report alone is closed.
                guard let report else { return }
                let (held, things) = try await work.hold(report).found()
                guard held.isAbout(id, things) else { throw Problem.invalid("report_id", "invalid") }
                guard held.closedAt == nil else { return }
                ReportStore.close(report, by: moderator.id, at: work.now, in: work)
                return work.log(.close, report: report, about: held.targetID)
            }
            let draft = DecisionDraft(action: action, account: id, reportID: report, reason: text)
            _ = try await Decide.decide(draft, closes: true, work)
        }
        return .empty
    }
}

/// Lifts every decision about an account that did one thing.
enum FreeAccount {
    static let enable: HandleReport.Run = free(from: .freeze)
    static let unsilence: HandleReport.Run = free(from: .limit)
    static let unsuspend: HandleReport.Run = free(from: .suspend)
    static let unsensitive: HandleReport.Run = free(from: .sensitive)

    private static func free(from action: DecisionAction) -> HandleReport.Run {
        { request, dependencies in
            let moderator = try request.requireAccount()
            let id: AccountID = try request.id()
            try await ModerationWork.run(moderator, dependencies) { work in
                guard try await AccountStore.exists(id, in: work) else { throw Problem.notFound }
                try await work.requireMayDecide(about: id)
                for decision in try await DecisionStore.holding(action, of: id, at: work.now, in: work) {
                    DecisionStore.lock(decision, in: work)
                    let held = try await DecisionStore.decision(decision, in: work).found()
                    try await LiftDecision.lift(held, work)
                }
                // What no decision brought about ends, too.
                let restrictions = [action.restriction].compactMap(\.self)
                try await Restrict.lift(restrictions, from: id, at: work.now, in: work.transaction)
            }
            return try await GetAdminAccount.answer(id, dependencies)
        }
    }
}
