// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/newcomer: somebody whom an issuer has signed in for the first time chooses a username.

import Domain
import HTTPTypes
import Surface
import Web
import WebPages

enum NewcomerPage {
    static let path = "/auth/newcomer"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let newcomer = try await newcomer(browser, dependencies) else { return over(page, dependencies) }
        let username = try await JoinByIssuer.suggestion(for: newcomer.name, dependencies)?.text ?? ""
        return browser.marking(
            try await form(newcomer, page, browser, username: username, problem: nil, faults: [], dependencies)
        )
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let newcomer = try await newcomer(browser, dependencies) else { return over(page, dependencies) }
        let typed = try page.parameters.string("username") ?? ""
        do {
            try browser.check(page.parameters)
            let draft = try JoinByIssuer.draft(page.parameters, language: page.language)
            let device = request.browserName
            let (account, cookie) = try await JoinByIssuer.run(newcomer.id, draft, request, dependencies) {
                account,
                transaction in
                let audit = Audit(request, dependencies).by(account.id)
                let session = try await browser.begin(account.id, device: device, audit, in: transaction)
                return (account, session.cookie)
            }
            let welcome = [(name: "new", value: "true"), (name: "lang", value: page.language.rawValue)]
            let next = page.returnTo ?? Pages.link(SignInPage.path, welcome)
            let answer = browser.settingSession(cookie, of: account.id, on: .redirect(to: next))
            return browser.settingNewcomer(nil, on: answer).registering(account)
        } catch is NewcomerGone {
            return over(page, dependencies)
        } catch let error as ValidationFailure {
            return browser.marking(
                try await form(
                    newcomer,
                    page,
                    browser,
                    username: typed,
                    problem: error.problem,
                    faults: error.faults,
                    dependencies
                )
            )
        } catch let error as any ProblemConvertible {
            return browser.marking(
                try await form(
                    newcomer,
                    page,
                    browser,
                    username: typed,
                    problem: error.problem,
                    faults: [],
                    dependencies
                )
            )
        }
    }

    private static func newcomer(
        _ browser: Browser,
        _ dependencies: Dependencies
    ) async throws -> NewcomerStore.Newcomer? {
        guard let token = browser.newcomer, let id = NewcomerToken.id(of: token, dependencies) else { return nil }
        return try await NewcomerStore.newcomer(id, in: dependencies.database)
    }

    /// Whoever has an account meanwhile gets in where they began.
    private static func over(_ page: PageRequest, _ dependencies: Dependencies) -> Answer {
        IssuerPages.failure("sign_up_over", .gone, page, dependencies)
    }

    private static func form(
        _ newcomer: NewcomerStore.Newcomer,
        _ page: PageRequest,
        _ browser: Browser,
        username: String,
        problem: Problem?,
        faults: [(field: String, fault: ValidationFault)],
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let language = page.language
        var inUse = ""
        if let email = newcomer.email.flatMap({ EmailAddress($0) }),
            try await AccountStore.taken(username: nil, email: email, in: dependencies.database).email
        {
            inUse = PageText.text("email_in_use", language).replacing("{email}", with: email.text)
        }
        let issuer = dependencies.issuers.at(newcomer.issuer)?.title(language) ?? ""
        var values: [String: Any] = [
            "form_token": browser.formToken,
            "return_to": page.returnTo ?? "",
            "problem": faults.isEmpty ? problem?.text(in: language) ?? "" : PageText.text("check_fields", language),
            "arrived": PageText.text("arrived_with", language).replacing("{issuer}", with: issuer),
            "username": String(username.prefix(60)),
            "email_in_use": inUse,
            "agreed": try page.parameters.boolean("agreement") ?? false,
            "sign_in": Pages.link(SignInPage.path, page.queryWithLanguage),
            "rules": Pages.link(GatewayEndpoint.rulesPage.path, [("lang", language.rawValue)]),
            "privacy": Pages.link(GatewayEndpoint.privacyPage.path, [("lang", language.rawValue)]),
        ]
        for field in ["username", "agreement"] {
            values["\(field)_fault"] = faults.first { $0.field == field }?.fault.description(language) ?? ""
        }
        let content = Pages.Content(
            template: "newcomer",
            title: PageText.text("choose_username", language),
            values: values,
            status: problem?.status ?? .ok
        )
        return dependencies.pages.answer(content, language: language, path: path, query: page.query)
    }
}
