// SPDX-License-Identifier: Apache-2.0
// POST /oauth/authorize: somebody lets an app in, or does not.

import Domain
import HTTPTypes
import Postgres
import Web
import WebPages

/// Sends the person back to the app, with a code or with a refusal.
enum GiveConsent {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        let authorization: Authorization
        do {
            authorization = try await Authorization(page.parameters, dependencies)
        } catch let refusal as Authorization.Refusal {
            return refusal.answer(page)
        }
        guard let signedIn = try await page.browser.signedIn() else {
            let again = Pages.link(AskForConsent.path, authorization.query)
            return .redirect(to: page.link(SignInPage.path, [("return_to", again)]))
        }
        try page.browser.check(page.parameters)
        guard try page.parameters.string("decision") == "approve" else {
            guard !authorization.redirectURI.isOutOfBand else {
                return Authorization.Refusal.wrong(.accessDenied, back: "").answer(page)
            }
            return .redirect(
                to: authorization.location([("error", OAuthFailure.accessDenied.rawValue)], dependencies)
            )
        }
        guard let scopes = try await authorization.scopes(grantedBy: signedIn.account.id, dependencies) else {
            return authorization.refusal(.invalidScope, dependencies).answer(page)
        }
        let code = dependencies.secret()
        let expires = dependencies.now() + dependencies.limits.code
        let audit = page.audit.by(signedIn.account.id)
        try await dependencies.database.transaction { transaction in
            try await CodeStore.insert(
                code.hash,
                app: authorization.app.id,
                account: signedIn.account.id,
                redirectURI: authorization.redirectURI.text,
                scopes: scopes,
                challenge: authorization.challenge,
                expires: expires,
                in: transaction
            )
            try audit.note(
                .appAllowed,
                .init(account: signedIn.account.id, app: authorization.app.id, detail: authorization.app.name),
                in: transaction
            )
        }
        let location =
            authorization.redirectURI.isOutOfBand
            ? page.link(ShowCode.path, [("code", code.text)])
            : authorization.location([("code", code.text)], dependencies)
        var answer = Answer.redirect(to: location)
        answer.headers[.cacheControl] = "no-store"
        return answer
    }
}
