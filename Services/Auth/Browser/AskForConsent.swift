// SPDX-License-Identifier: Apache-2.0
// GET /oauth/authorize: an app sends somebody here to be let in.

import Domain
import Web
import WebPages

/// Shows who asks for what, after signing in if need be.
enum AskForConsent {
    static let path = "/oauth/authorize"

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        let authorization: Authorization
        do {
            authorization = try await Authorization(page.parameters, dependencies)
        } catch let refusal as Authorization.Refusal {
            return refusal.page(page, dependencies)
        }
        let mustSignIn = try page.parameters.boolean("force_login") ?? false
        let language = ("lang", page.language.rawValue)
        guard !mustSignIn, let signedIn = try await browser.signedIn() else {
            var query: [(name: String, value: String)] = [
                ("return_to", Pages.link(path, authorization.query + [language])), language,
            ]
            if mustSignIn { query.append(("force", "true")) }
            return browser.marking(.redirect(to: Pages.link(SignInPage.path, query)))
        }
        let again = Pages.link(path, authorization.query + [language])
        if let agree = try await AgreementPage.nextOnceOver(again, for: signedIn.account.id, page, dependencies) {
            return browser.marking(.redirect(to: agree))
        }
        guard let scopes = try await authorization.scopes(grantedBy: signedIn.account.id, dependencies) else {
            return browser.marking(authorization.refusal(.invalidScope, dependencies).page(page, dependencies))
        }
        return browser.marking(form(authorization, scopes, signedIn.account, page, browser, dependencies))
    }

    private static func form(
        _ authorization: Authorization,
        _ scopes: ScopeSet,
        _ account: Principal.Account,
        _ page: PageRequest,
        _ browser: Browser,
        _ dependencies: Dependencies
    ) -> Answer {
        let language = page.language
        let app = authorization.app
        let again = Pages.link(path, authorization.query + [("lang", language.rawValue)])
        let values: [String: Any] = [
            "app": app.name,
            "website": app.website ?? "",
            "asks": PageText.text("asks", language).replacing("{app}", with: app.name),
            "username": account.username.text,
            "form_token": browser.formToken,
            "target": authorization.redirectURI.isOutOfBand ? "" : authorization.redirectURI.origin,
            "hidden": (authorization.query + [("lang", language.rawValue)]).map {
                ["name": $0.name, "value": $0.value]
            },
            "scopes": scopes.scopes.map { scope in
                ["name": scope.text, "meaning": PageText.meaning(of: scope, language)]
            },
            "switch": Pages.link(
                SignInPage.path,
                [("force", "true"), ("return_to", again), ("lang", language.rawValue)]
            ),
        ]
        let content = Pages.Content(
            template: "consent",
            title: PageText.text("authorize", language),
            values: values,
            formTarget: authorization.redirectURI.isOutOfBand ? nil : authorization.redirectURI.origin
        )
        return dependencies.pages.answer(content, language: language, path: path, query: authorization.query)
    }
}
