// SPDX-License-Identifier: Apache-2.0
// GET /oauth/authorize: an app sends somebody here to be let in.

import Domain
import Web
import WebPages

/// Shows who asks for what, after signing in if need be.
enum AskForConsent {
    static let path = "/oauth/authorize"

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        let authorization: Authorization
        do {
            authorization = try await Authorization(page.parameters, dependencies)
        } catch let refusal as Authorization.Refusal {
            return refusal.answer(page)
        }
        let mustSignIn = try page.parameters.boolean("force_login") ?? false
        let again = page.link(path, authorization.query)
        guard !mustSignIn, let signedIn = try await page.browser.signedIn() else {
            let query = [("return_to", again)] + (mustSignIn ? [("force", "true")] : [])
            return page.browser.marking(.redirect(to: page.link(SignInPage.path, query)))
        }
        if let agree = try await AgreementPage.nextOnceOver(again, for: signedIn.account.id, page) {
            return page.browser.marking(.redirect(to: agree))
        }
        guard let scopes = try await authorization.scopes(grantedBy: signedIn.account.id, dependencies) else {
            return page.browser.marking(authorization.refusal(.invalidScope, dependencies).answer(page))
        }
        return page.browser.marking(form(authorization, scopes, signedIn.account, page))
    }

    private static func form(
        _ authorization: Authorization,
        _ scopes: ScopeSet,
        _ account: Principal.Account,
        _ page: BrowserPage
    ) -> Answer {
        let app = authorization.app
        let target = authorization.redirectURI.isOutOfBand ? nil : authorization.redirectURI.origin
        let again = page.link(path, authorization.query)
        var content = Pages.Content(template: "consent", title: page.text("authorize"), formTarget: target)
        content.values = [
            "app": app.name,
            "website": app.website ?? "",
            "asks": page.text("asks").replacing("{app}", with: app.name),
            "username": account.username.text,
            "form_token": page.browser.formToken,
            "target": target ?? "",
            "hidden": (authorization.query + [("lang", page.language.rawValue)]).map {
                ["name": $0.name, "value": $0.value]
            },
            "scopes": scopes.scopes.map { scope in
                ["name": scope.text, "meaning": PageText.meaning(of: scope, page.language)]
            },
            "switch": page.link(SignInPage.path, [("force", "true"), ("return_to", again)]),
        ]
        return page.answer(content, at: path, query: authorization.query)
    }
}
