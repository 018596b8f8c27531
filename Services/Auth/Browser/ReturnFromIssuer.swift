// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/with/:issuer/callback: a browser comes back from an issuer.

import Domain
import HTTPTypes
import Logging
import Postgres
import Surface
import Web
import WebPages

/// Lets in whom the issuer names, if this browser asked for it, once.
enum ReturnFromIssuer {
    /// An answer that comes by POST comes from another site, and with none of our cookies. What it says once is kept; then the browser
    /// comes again by itself, with them.
    @Sendable static func keep(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let issuer = try dependencies.issuers.named(request.pathParameters["issuer"])
        guard issuer.postsForm else { throw Problem.notFound }
        let parameters = try request.parameters()
        let state = try parameters.string("state") ?? ""
        if let name = GivenName.apple(try? parameters.string("user")) {
            _ = try await VisitStore.keep(
                name: name,
                of: Secret.hash(state),
                issuer: issuer.address,
                now: dependencies.now(),
                in: dependencies.database
            )
        }
        let query = try ["state", "code", "error"].compactMap { name in
            try parameters.string(name).map { (name: name, value: $0) }
        }
        guard query.reduce(0, { $0 + $1.value.utf8.count }) <= 6000 else { throw Problem.badRequest("code") }
        var answer = Answer.redirect(to: Pages.link(issuer.callback(dependencies.site), query))
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let issuer = try dependencies.issuers.named(request.pathParameters["issuer"])
        guard issuer.hasPage, let client = issuer.clients.first else { throw Problem.notFound }
        let page = try BrowserPage(request, dependencies)
        let state = try page.typed("state")
        let visit = try await VisitStore.take(
            Secret.hash(state),
            issuer: issuer.address,
            browser: page.browser.markHash,
            now: dependencies.now(),
            in: dependencies.database
        )
        guard let visit else { return page.failure("visit_over", .forbidden) }
        // An issuer that names itself names itself rightly (RFC 9207).
        guard try page.parameters.string("iss").map(issuer.names.contains) ?? true else {
            return page.failure("issuer_token_refused", .forbidden)
        }
        let query = visit.returnTo.map { [(name: "return_to", value: $0)] } ?? []
        guard let code = try page.parameters.string("code"), try page.parameters.string("error") == nil else {
            return .redirect(to: page.link(SignInPage.path, query))
        }
        do {
            let secrets = IssuerVisit(state: state, dependencies)
            let exchange = try await CodeExchange(
                code,
                of: issuer,
                client: client,
                page: (issuer.callback(dependencies.site), secrets.verifier),
                dependencies
            )
            guard let text = exchange.idToken else { throw IssuerAway(cause: "no ID token for a code") }
            let token = try await IDToken(text, of: issuer, nonce: secrets.nonce, client: client, dependencies)
            let sealed = try SealedToken(
                exchange,
                of: issuer,
                subject: token.subject,
                client: client,
                dependencies.issuers.seal
            )
            if let account = visit.accountID {
                return try await IdentitiesPage.link(token, to: account, sealed, page)
            }
            return try await enter(token, visit, sealed, page)
        } catch let refused as TokenRefused {
            dependencies.logger.notice(
                "a token of an issuer was refused",
                metadata: ["issuer": "\(issuer.name)", "reason": "\(refused.reason.rawValue)"]
            )
            return page.failure("issuer_token_refused", .forbidden)
        } catch let away as IssuerAway {
            dependencies.logger.warning(
                "an issuer does not answer",
                metadata: ["issuer": "\(issuer.name)", "cause": "\(away.cause)"]
            )
            return page.failure("issuer_away", .serviceUnavailable)
        } catch is AccountSuspended {
            return page.failure("account_suspended", .forbidden)
        } catch is RegistrationsClosed {
            return page.failure("registrations_closed", .forbidden)
        }
    }

    private static func enter(
        _ token: IDToken,
        _ visit: VisitStore.Visit,
        _ sealed: SealedToken?,
        _ page: BrowserPage
    ) async throws -> Answer {
        let (browser, dependencies) = (page.browser, page.dependencies)
        let device = page.request.browserName
        let now = dependencies.now()
        let arrival = try await SignInByIssuer.run(token, name: visit.name, sealed: sealed, dependencies) {
            account,
            transaction in
            let audit = page.audit.by(account)
            let session = try await browser.begin(account, device: device, audit, in: transaction)
            try audit.note(
                .signedIn,
                .init(
                    account: account,
                    session: session.id,
                    app: App.own,
                    detail: "\(token.issuer.name) \(device)"
                ),
                in: transaction
            )
            if browser.device(account) == nil {
                try await transaction.send(.newDevice(name: device, at: now), to: account, at: now)
            }
            return session.cookie
        }
        switch arrival {
        case .known(let account, let cookie):
            let onward = visit.returnTo ?? page.link(SignInPage.path)
            let next = try await AgreementPage.next(onward, for: account, page)
            return browser.settingSession(cookie, of: account, on: .redirect(to: next))
        case .newcomer(let newcomer):
            let query = visit.returnTo.map { [(name: "return_to", value: $0)] } ?? []
            let answer = Answer.redirect(to: page.link(NewcomerPage.path, query))
            return browser.settingNewcomer(NewcomerToken.make(for: newcomer.id, dependencies), on: answer)
        }
    }
}
