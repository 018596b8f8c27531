// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/sign_in: signing in with a browser.

import Domain
import HTTPTypes
import Postgres
import Web
import WebPages

/// Asks for name and password and remembers the browser.
enum SignInPage {
    static let path = "/auth/sign_in"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        let mustSignIn = try page.parameters.boolean("force") ?? false
        if !mustSignIn, let signedIn = try await browser.signedIn() {
            if let returnTo = page.returnTo { return .redirect(to: returnTo) }
            return browser.marking(welcome(signedIn.account, page, browser, dependencies))
        }
        return browser.marking(form(page, browser, login: "", problem: nil, dependencies))
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        let login = try page.parameters.string("username") ?? ""
        do {
            try browser.check(page.parameters)
            let account = try await VerifyPassword.run(
                login: login,
                password: try page.parameters.string("password") ?? "",
                request,
                device: browser.device,
                dependencies
            )
            try await EmailUnconfirmed.refuse(account.id, dependencies)
            let device = request.browserName
            let isNew = browser.device(account.id) == nil
            let now = dependencies.now()
            let audit = Audit(request, dependencies).by(account.id)
            let session = try await dependencies.database.transaction { transaction in
                let session = try await browser.begin(account.id, device: device, audit, in: transaction)
                try audit.note(
                    .signedIn,
                    .init(account: account.id, session: session.id, app: App.own, detail: device),
                    in: transaction
                )
                if isNew { try await transaction.send(.newDevice(name: device, at: now), to: account.id, at: now) }
                return session
            }
            let onward =
                page.returnTo
                ?? Pages.link(
                    path,
                    [("lang", page.language.rawValue)] + (session.isBack ? [("back", "true")] : [])
                )
            let next = try await AgreementPage.next(onward, for: account.id, page, dependencies)
            return browser.settingSession(session.cookie, of: account.id, on: .redirect(to: next))
        } catch let error as any ProblemConvertible {
            return browser.marking(form(page, browser, login: login, problem: error.problem, dependencies))
        }
    }

    private static func form(
        _ page: PageRequest,
        _ browser: Browser,
        login: String,
        problem: Problem?,
        _ dependencies: Dependencies
    ) -> Answer {
        let language = page.language
        var content = Pages.Content(template: "sign_in", title: PageText.text("sign_in", language))
        content.values = [
            "form_token": browser.formToken,
            "return_to": page.returnTo ?? "",
            "login": String(login.prefix(254)),
            "problem": problem?.text(in: language) ?? "",
            "has_issuers": dependencies.issuers.all.contains(where: \.hasPage),
            "issuers": IssuerPages.buttons(page, dependencies),
            "forgotten": dependencies.mail == nil
                ? "" : Pages.link(ForgottenPage.path, [("lang", language.rawValue)]),
            "sign_up": dependencies.registrations == .open
                ? Pages.link(SignUpPage.path, page.queryWithLanguage) : "",
        ]
        content.status = problem?.status ?? .ok
        var answer = dependencies.pages.answer(content, language: language, path: path, query: page.query)
        for field in problem?.headers ?? [:] where field.name == .retryAfter { answer.headers.append(field) }
        return answer
    }

    private static func welcome(
        _ account: Principal.Account,
        _ page: PageRequest,
        _ browser: Browser,
        _ dependencies: Dependencies
    ) -> Answer {
        let isNew = (try? page.parameters.boolean("new")) == true
        let title = PageText.text(isNew ? "account_ready" : "signed_in", page.language)
        var content = Pages.Content(template: "signed_in", title: title)
        content.values = [
            "form_token": browser.formToken,
            "username": account.username.text,
            "back": (try? page.parameters.boolean("back")) == true
                ? PageText.text("account_stays", page.language) : "",
            "leave": Pages.link(DeletePage.path, [("lang", page.language.rawValue)]),
            "profile": Pages.link("/@\(account.username.text)", [("lang", page.language.rawValue)]),
            "switch": Pages.link(path, [("force", "true"), ("lang", page.language.rawValue)]),
            "identities": dependencies.issuers.all.isEmpty ? "" : IdentitiesPage.link(page),
        ]
        return dependencies.pages.answer(content, language: page.language, path: path, query: [])
    }
}
