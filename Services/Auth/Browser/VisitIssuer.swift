// SPDX-License-Identifier: Apache-2.0
// GET /auth/with/:issuer: a browser is sent to an issuer.

import Crypto
import Domain
import HTTPTypes
import Surface
import Web
import WebPages

/// Sends somebody to an issuer with an authorization request (RFC 6749, with PKCE, `state` and `nonce`).
enum VisitIssuer {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let issuer = try dependencies.issuers.named(request.pathParameters["issuer"])
        guard issuer.hasPage, let client = issuer.clients.first else { throw Problem.notFound }
        let page = try BrowserPage(request, dependencies)
        let account = try await IdentitiesPage.linking(page)
        let place: String
        do {
            place = try await dependencies.issuers.endpoints(of: issuer).authorization
        } catch is IssuerAway {
            return page.browser.marking(page.failure("issuer_away", .serviceUnavailable))
        }
        let state = dependencies.secret()
        let visit = VisitStore.Visit(
            issuer: issuer.address,
            browserHash: page.browser.markHash,
            returnTo: account == nil ? page.returnTo : IdentitiesPage.path,
            name: nil,
            expires: dependencies.now() + dependencies.limits.issuerVisit,
            accountID: account
        )
        try await VisitStore.insert(state.hash, visit, in: dependencies.database)
        let secrets = IssuerVisit(state: state.text, dependencies)
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", client), ("redirect_uri", issuer.callback(dependencies.site)),
            ("scope", issuer.scopes), ("state", state.text), ("nonce", issuer.nonce(of: secrets.nonce)),
            ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
        ]
        query.append(issuer.postsForm ? ("response_mode", "form_post") : ("ui_locales", page.language.rawValue))
        let separator = place.contains("?") ? "&" : "?"
        let asked = Pages.link("", query).dropFirst()
        var answer = Answer.redirect(to: place + separator + asked)
        answer.headers[.cacheControl] = "no-store"
        return page.browser.marking(answer)
    }

    /// What the sign-in page shows of each issuer that has a page.
    static func buttons(_ page: BrowserPage) -> [[String: Any]] {
        page.dependencies.issuers.all.filter(\.hasPage).map { issuer in
            [
                "href": page.linkOnward(IssuerEndpoint.path(of: issuer)),
                "label": page.text("continue_with").replacing("{issuer}", with: issuer.title(page.language)),
            ]
        }
    }
}

/// What belongs to one `state` and is known here alone: made of it under the key of the pages, so that it is kept nowhere.
struct IssuerVisit: Sendable {
    let nonce: String
    /// Of 43 characters (RFC 7636, section 4.1).
    let verifier: String

    init(state: String, _ dependencies: Dependencies) {
        nonce = dependencies.browserKey.code("nonce:\(state)")
        verifier = dependencies.browserKey.code("verifier:\(state)")
    }

    var challenge: String { Array(SHA256.hash(data: Array(verifier.utf8))).base64URL }
}

extension Issuer {
    /// Where its answers go.
    func callback(_ site: Site) -> String { site.origin + IssuerEndpoint.returnFromIssuer.path(name) }
}

extension IssuerEndpoint {
    static func path(of issuer: Issuer) -> String { visitIssuer.path(issuer.name) }
}
