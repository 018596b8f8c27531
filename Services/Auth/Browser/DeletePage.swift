// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/account/delete: leaving for good with a browser.

import Domain
import HTTPTypes
import Postgres
import Web
import WebPages

/// Says what will be gone and when, and asks for the password once more; whoever has none must have signed in just now.
enum DeletePage {
    static let path = "/auth/account/delete"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let signedIn = try await browser.signedIn() else { return browser.marking(signInFirst(page)) }
        return browser.marking(try await form(page, browser, signedIn, problem: nil, dependencies))
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let signedIn = try await browser.signedIn() else { return browser.marking(signInFirst(page)) }
        do {
            try browser.check(page.parameters)
            if try await hasPassword(signedIn, dependencies) {
                _ = try await VerifyPassword.run(
                    account: signedIn.account.id,
                    session: signedIn.sessionID,
                    password: try page.parameters.string("password") ?? "",
                    request,
                    dependencies
                )
            } else if !isFresh(signedIn, dependencies) {
                throw FreshProof.Missing()
            }
            let moment = try await DeleteAccount.ask(signedIn.account.id, request, dependencies)
            return browser.clearingSession(on: asked(moment, page, dependencies))
        } catch let error as any ProblemConvertible {
            return browser.marking(try await form(page, browser, signedIn, problem: error.problem, dependencies))
        }
    }

    private static func signInFirst(_ page: PageRequest) -> Answer {
        let language = ("lang", page.language.rawValue)
        return .redirect(
            to: Pages.link(SignInPage.path, [("return_to", Pages.link(path, [language])), language])
        )
    }

    private static func hasPassword(
        _ signedIn: SessionStore.SignedIn,
        _ dependencies: Dependencies
    ) async throws -> Bool {
        try await AccountStore.credentials(signedIn.account.id, in: dependencies.database)?.passwordHash != nil
    }

    /// Whether somebody signed in so lately that it proves who they are.
    private static func isFresh(_ signedIn: SessionStore.SignedIn, _ dependencies: Dependencies) -> Bool {
        dependencies.now() - signedIn.sessionID.timestamp <= dependencies.limits.freshProof
    }

    private static func form(
        _ page: PageRequest,
        _ browser: Browser,
        _ signedIn: SessionStore.SignedIn,
        problem: Problem?,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let language = page.language
        let hasPassword = try await hasPassword(signedIn, dependencies)
        let again = Pages.link(
            SignInPage.path,
            [
                ("force", "true"), ("return_to", Pages.link(path, [("lang", language.rawValue)])),
                ("lang", language.rawValue),
            ]
        )
        let grace = dependencies.limits.deletionGrace
        var content = Pages.Content(template: "delete_account", title: PageText.text("delete_account", language))
        content.values = [
            "form_token": browser.formToken,
            "username": signedIn.account.username.text,
            "has_password": hasPassword,
            "again": hasPassword || isFresh(signedIn, dependencies) ? "" : again,
            "when": grace == .zero
                ? PageText.text("delete_now", language)
                : dated("delete_grace", dependencies.now() + grace, language),
            "problem": problem?.text(in: language) ?? "",
        ]
        content.status = problem?.status ?? .ok
        return dependencies.pages.answer(content, language: language, path: path, query: [])
    }

    private static func asked(_ moment: Timestamp, _ page: PageRequest, _ dependencies: Dependencies) -> Answer {
        let language = page.language
        let hasGrace = moment > dependencies.now()
        let content = Pages.Content(
            template: "message",
            title: PageText.text("delete_account", language),
            values: [
                "message": hasGrace
                    ? dated("delete_asked", moment, language) : PageText.text("delete_begun", language),
                "link": "",
            ]
        )
        return dependencies.pages.answer(content, language: language, path: path, query: [])
    }

    /// A day in UTC, as every language here writes it.
    private static func dated(_ key: String, _ moment: Timestamp, _ language: Language) -> String {
        PageText.text(key, language).replacing("{date}", with: moment.date)
    }
}
