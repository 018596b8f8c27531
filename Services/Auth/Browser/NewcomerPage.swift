// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/newcomer: somebody whom an issuer has signed in for the first time chooses a username.

import Domain
import HTTPTypes
import Web

enum NewcomerPage {
    static let path = "/auth/newcomer"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let newcomer = try await newcomer(page) else { return over(page) }
        let username = try await JoinByIssuer.suggestion(for: newcomer.name, dependencies)?.text ?? ""
        return try await form(newcomer, page, username: username, problem: nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        let browser = page.browser
        guard let newcomer = try await newcomer(page) else { return over(page) }
        do {
            try browser.check(page.parameters)
            let draft = try JoinByIssuer.draft(page.parameters, language: page.language)
            let device = request.browserName
            let (account, cookie) = try await JoinByIssuer.run(newcomer.id, draft, request, dependencies) {
                account,
                transaction in
                let audit = page.audit.by(account.id)
                let session = try await browser.begin(account.id, device: device, audit, in: transaction)
                return (account, session.cookie)
            }
            let next = page.returnTo ?? page.link(SignInPage.path, [("new", "true")])
            let answer = browser.settingSession(cookie, of: account.id, on: .redirect(to: next))
            return browser.settingNewcomer(nil, on: answer).registering(account)
        } catch is NewcomerGone {
            return over(page)
        } catch let error as any ProblemConvertible {
            return try await form(newcomer, page, username: try page.typed("username"), problem: error)
        }
    }

    private static func newcomer(_ page: BrowserPage) async throws -> NewcomerStore.Newcomer? {
        guard let token = page.browser.newcomer, let id = NewcomerToken.id(of: token, page.dependencies) else {
            return nil
        }
        return try await NewcomerStore.newcomer(id, in: page.dependencies.database)
    }

    /// Whoever has an account meanwhile gets in where they began.
    private static func over(_ page: BrowserPage) -> Answer { page.failure("sign_up_over", .gone) }

    private static func form(
        _ newcomer: NewcomerStore.Newcomer,
        _ page: BrowserPage,
        username: String,
        problem: (any ProblemConvertible)?
    ) async throws -> Answer {
        let dependencies = page.dependencies
        var inUse = ""
        if let email = newcomer.email.flatMap({ EmailAddress($0) }),
            try await AccountStore.taken(username: nil, email: email, in: dependencies.database).email
        {
            inUse = page.text("email_in_use").replacing("{email}", with: email.text)
        }
        let issuer = dependencies.issuers.at(newcomer.issuer)?.title(page.language) ?? ""
        return page.form(
            "newcomer",
            title: "choose_username",
            at: path,
            problem: problem?.problem,
            faults: (problem as? ValidationFailure)?.faults ?? [],
            [
                "arrived": page.text("arrived_with").replacing("{issuer}", with: issuer),
                "username": String(username.prefix(60)),
                "email_in_use": inUse,
            ].merging(try page.agreement) { $1 }
        )
    }
}
