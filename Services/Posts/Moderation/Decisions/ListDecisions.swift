// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/moderation/decisions, /appeals and /log, and GET /api/v1/decisions: what was decided, by whom, and what of one's own.

import Domain
import Events
import Postgres
import Views
import Web

/// All decisions about others, or those about `account_id`, or of `report_id`.
enum ListDecisions {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount().id
        let parameters = try request.parameters()
        let page = try parameters.page(default: 20, maximum: 80)
        let account: AccountID? = try parameters.id("account_id")
        let report: ReportID? = try parameters.id("report_id")
        let list =
            account.map { DecisionList.about($0, seenBy: moderator) }
            ?? report.map { DecisionList.report($0, seenBy: moderator) } ?? .all(seenBy: moderator)
        let decisions = try await DecisionStore.page(page, of: list, in: dependencies.database)
        return try await DecisionView.answer(decisions, dependencies)
            .linked(request, site: dependencies.site, decisions.map(\.id))
    }
}

/// A 403 for whom it is about.
enum GetDecision {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount().id
        let decision = try await DecisionStore.decision(request.id(), in: dependencies.database).found()
        guard decision.accountID != moderator else { throw Problem.forbidden }
        return try await DecisionView.answer(decision, dependencies)
    }
}

/// Decisions about others whose appeals wait.
enum ListAppeals {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 80)
        let decisions = try await DecisionStore.appeals(page, seenBy: moderator, in: dependencies.database)
        return try await DecisionView.answer(decisions, dependencies)
            .linked(request, site: dependencies.site, decisions.map(\.id))
    }
}

/// What moderators did, or what they did about `account_id`; not what others did about the asking one.
enum ListDeeds {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount().id
        let parameters = try request.parameters()
        let page = try parameters.page(default: 40, maximum: 100)
        let deeds = try await DecisionStore.log(
            page,
            about: parameters.id("account_id"),
            seenBy: moderator,
            in: dependencies.database
        )
        return Answer.json(array: deeds.map(DeedView.init))
            .linked(request, site: dependencies.site, newest: deeds.first?.id, oldest: deeds.last?.id)
    }

    private struct DeedView: ObjectView {
        let logged: LoggedDeed

        func writeMembers(to json: inout JSONWriter) {
            json.member("id", String(logged.id))
            json.member("deed", logged.deed.rawValue)
            json.member("moderator_id", logged.moderatorID)
            json.member("report_id", logged.reportID)
            json.member("decision_id", logged.decisionID)
            json.member("account_id", logged.accountID)
            json.member("at", logged.at)
        }
    }
}

/// What was decided about the asking account.
enum ListOwnDecisions {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 80)
        let decisions = try await DecisionStore.page(page, of: .own(account), in: dependencies.database)
        let now = dependencies.now()
        return Answer.json(array: decisions.map { OwnDecisionView(decision: $0, now: now) })
            .linked(request, site: dependencies.site, decisions.map(\.id))
    }
}

enum GetOwnDecision {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        return try await answer(request.id(), of: account, dependencies)
    }

    static func answer(_ id: DecisionID, of account: AccountID, _ dependencies: Dependencies) async throws -> Answer {
        let decision = try await DecisionStore.decision(id, in: dependencies.database).found()
        guard decision.accountID == account else { throw Problem.notFound }
        return .json(OwnDecisionView(decision: decision, now: dependencies.now()))
    }
}
