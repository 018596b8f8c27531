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
        let page = try BrowserPage(request, dependencies)
        let mustSignIn = try page.parameters.boolean("force") ?? false
        if !mustSignIn, let signedIn = try await page.browser.signedIn() {
            if let returnTo = page.returnTo { return .redirect(to: returnTo) }
            return page.browser.marking(welcome(signedIn.account, page))
        }
        return form(page, login: "", problem: nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        let browser = page.browser
        let login = try page.typed("username")
        do {
            try browser.check(page.parameters)
            let account = try await VerifyPassword.run(
                login: login,
                password: try page.typed("password"),
                request,
                device: browser.device,
                dependencies
            )
            try await EmailUnconfirmed.refuse(account.id, dependencies)
            let device = request.browserName
            let isNew = browser.device(account.id) == nil
            let now = dependencies.now()
            let audit = page.audit.by(account.id)
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
            let onward = page.returnTo ?? page.link(path, session.isBack ? [("back", "true")] : [])
            let next = try await AgreementPage.next(onward, for: account.id, page)
            return browser.settingSession(session.cookie, of: account.id, on: .redirect(to: next))
        } catch let error as any ProblemConvertible {
            return form(page, login: login, problem: error.problem)
        }
    }

    private static func form(_ page: BrowserPage, login: String, problem: Problem?) -> Answer {
        let dependencies = page.dependencies
        return page.form(
            "sign_in",
            title: "sign_in",
            at: path,
            problem: problem,
            [
                "login": String(login.prefix(254)),
                "has_issuers": dependencies.issuers.all.contains(where: \.hasPage),
                "issuers": VisitIssuer.buttons(page),
                "forgotten": dependencies.mail == nil ? "" : page.link(ForgottenPage.path),
                "sign_up": dependencies.registrations == .open ? page.linkOnward(SignUpPage.path) : "",
            ]
        )
    }

    private static func welcome(_ account: Principal.Account, _ page: BrowserPage) -> Answer {
        let isNew = (try? page.parameters.boolean("new")) == true
        var content = Pages.Content(template: "signed_in", title: page.text(isNew ? "account_ready" : "signed_in"))
        content.values = [
            "form_token": page.browser.formToken,
            "username": account.username.text,
            "back": (try? page.parameters.boolean("back")) == true ? page.text("account_stays") : "",
            "leave": page.link(DeletePage.path),
            "profile": page.link("/@\(account.username.text)"),
            "switch": page.link(path, [("force", "true")]),
            "identities": page.dependencies.issuers.all.isEmpty ? "" : page.link(IdentitiesPage.path),
        ]
        return page.answer(content, at: path)
    }
}
