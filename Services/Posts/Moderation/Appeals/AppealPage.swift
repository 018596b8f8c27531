// SPDX-License-Identifier: Apache-2.0
// GET and POST /appeal: where the link of a letter leads.

import Domain
import Events
import HTTPTypes
import Web
import WebPages

enum AppealPage {
    /// What was decided, and a form where that can be appealed to.
    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        return try await answer(page, dependencies)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        do {
            _ = try await AppealByLink.run(request, dependencies)
        } catch let problem as Problem where problem.code != Problem.notFound.code {
            return try await answer(page, problem: problem, dependencies)
        }
        return try await answer(page, dependencies)
    }

    private static func answer(
        _ page: PageRequest,
        problem: Problem? = nil,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let token = try AppealByLink.token(page.parameters, dependencies)
        let decision = try await DecisionStore.decision(token.decisionID, in: dependencies.database).found()
        guard decision.accountID == token.accountID else { throw Problem.notFound }
        let (words, now) = (PostPages.words, dependencies.now())
        var values: [String: Any] = [
            "decision": words.text("decision_\(decision.action.rawValue)", page.language), "reason": decision.reason,
        ]
        if decision.appeal != nil {
            values["message"] = words.text("appeal_sent", page.language)
        } else if decision.liftedAt != nil || decision.appealUntil <= now {
            values["message"] = words.text("appeal_closed", page.language)
        } else {
            values["token"] = try page.parameters.string("token") ?? ""
            values["written"] = try page.parameters.string("text") ?? ""
            if let problem { values["problem"] = problem.text(in: page.language) }
        }
        let content = Pages.Content(
            template: "appeal",
            title: words.text("appeal", page.language),
            values: values,
            status: problem?.status ?? .ok
        )
        return dependencies.pages.answer(content, language: page.language, path: nil, query: [])
    }
}
