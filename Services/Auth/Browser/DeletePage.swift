// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/account/delete: leaving for good with a browser.

import Domain
import HTTPTypes
import Postgres
import Web

/// Says what will be gone and when, and asks for the password once more; whoever has none must have signed in just now.
enum DeletePage {
    static let path = "/auth/account/delete"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let signedIn = try await page.browser.signedIn() else { return signInFirst(page) }
        return try await form(page, signedIn, problem: nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let signedIn = try await page.browser.signedIn() else { return signInFirst(page) }
        do {
            try page.browser.check(page.parameters)
            if try await hasPassword(signedIn, dependencies) {
                _ = try await VerifyPassword.run(
                    account: signedIn.account.id,
                    session: signedIn.sessionID,
                    password: try page.typed("password"),
                    request,
                    dependencies
                )
            } else if !signedIn.isFresh(dependencies) {
                throw FreshProof.Missing()
            }
            let moment = try await DeleteAccount.ask(signedIn.account.id, request, dependencies)
            return page.browser.clearingSession(on: asked(moment, page))
        } catch let error as any ProblemConvertible {
            return try await form(page, signedIn, problem: error.problem)
        }
    }

    private static func signInFirst(_ page: BrowserPage) -> Answer {
        page.browser.marking(.redirect(to: page.link(SignInPage.path, [("return_to", page.link(path))])))
    }

    private static func hasPassword(
        _ signedIn: SessionStore.SignedIn,
        _ dependencies: Dependencies
    ) async throws -> Bool {
        try await AccountStore.credentials(signedIn.account.id, in: dependencies.database)?.passwordHash != nil
    }

    private static func form(
        _ page: BrowserPage,
        _ signedIn: SessionStore.SignedIn,
        problem: Problem?
    ) async throws -> Answer {
        let dependencies = page.dependencies
        let hasPassword = try await hasPassword(signedIn, dependencies)
        let again = page.link(SignInPage.path, [("force", "true"), ("return_to", page.link(path))])
        let grace = dependencies.limits.deletionGrace
        return page.form(
            "delete_account",
            title: "delete_account",
            at: path,
            query: [],
            problem: problem,
            [
                "username": signedIn.account.username.text,
                "has_password": hasPassword,
                "again": hasPassword || signedIn.isFresh(dependencies) ? "" : again,
                "when": grace == .zero
                    ? page.text("delete_now") : dated("delete_grace", dependencies.now() + grace, page),
            ]
        )
    }

    private static func asked(_ moment: Timestamp, _ page: BrowserPage) -> Answer {
        let hasGrace = moment > page.dependencies.now()
        let sentence = hasGrace ? dated("delete_asked", moment, page) : page.text("delete_begun")
        return page.message(sentence, title: "delete_account", at: path)
    }

    /// A day in UTC, as every language here writes it.
    private static func dated(_ name: String, _ moment: Timestamp, _ page: BrowserPage) -> String {
        page.text(name).replacing("{date}", with: moment.date)
    }
}

extension SessionStore.SignedIn {
    /// Whether somebody signed in so lately that it proves who they are.
    func isFresh(_ dependencies: Dependencies) -> Bool {
        dependencies.now() - sessionID.timestamp <= dependencies.limits.freshProof
    }
}
