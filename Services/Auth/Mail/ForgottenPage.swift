// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/password/new: somebody who has forgotten their password asks for a letter.

import Domain
import HTTPTypes
import Web
import WebPages

enum ForgottenPage {
    static let path = "/auth/password/new"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        let problem = dependencies.mail == nil ? MailOff().problem : nil
        return browser.marking(form(page, browser, email: "", problem: problem, dependencies))
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        let email = try page.parameters.string("email") ?? ""
        do {
            try browser.check(page.parameters)
            try await AskForPasswordReset.ask(email, page.language, request, dependencies)
            return browser.marking(MailPages.note("reset_asked", "reset_asked_title", page, path, dependencies))
        } catch let error as any ProblemConvertible {
            return browser.marking(form(page, browser, email: email, problem: error.problem, dependencies))
        }
    }

    private static func form(
        _ page: PageRequest,
        _ browser: Browser,
        email: String,
        problem: Problem?,
        _ dependencies: Dependencies
    ) -> Answer {
        let language = page.language
        let content = Pages.Content(
            template: "forgotten",
            title: PageText.text("forgotten", language),
            values: [
                "form_token": browser.formToken,
                "problem": problem?.text(in: language) ?? "",
                "email": String(email.prefix(254)),
                "sign_in": Pages.link(SignInPage.path, page.queryWithLanguage),
            ],
            status: problem?.status ?? .ok
        )
        return MailPages.answer(content, problem, page, path, dependencies)
    }
}
