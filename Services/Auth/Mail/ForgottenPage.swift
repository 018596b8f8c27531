// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/password/new: somebody who has forgotten their password asks for a letter.

import Domain
import HTTPTypes
import Web

enum ForgottenPage {
    static let path = "/auth/password/new"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        return form(page, email: "", problem: dependencies.mail == nil ? MailOff().problem : nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        let email = try page.typed("email")
        do {
            try page.browser.check(page.parameters)
            try await AskForPasswordReset.ask(email, page.language, request, dependencies)
            return page.note("reset_asked", title: "reset_asked_title", at: path)
        } catch let error as any ProblemConvertible {
            return form(page, email: email, problem: error.problem)
        }
    }

    private static func form(_ page: BrowserPage, email: String, problem: Problem?) -> Answer {
        page.form(
            "forgotten",
            title: "forgotten",
            at: path,
            query: [],
            problem: problem,
            ["email": String(email.prefix(254)), "sign_in": page.linkOnward(SignInPage.path)]
        )
    }
}
