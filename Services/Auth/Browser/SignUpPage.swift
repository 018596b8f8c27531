// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/sign_up: signing up with a browser.

import Domain
import HTTPTypes
import Surface
import Web

/// Makes an account, which is signed in at once.
enum SignUpPage {
    static let path = "/auth/sign_up"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard dependencies.registrations == .open else { return closed(page) }
        return try form(page, problem: nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        let browser = page.browser
        guard dependencies.registrations == .open else { return closed(page) }
        do {
            try browser.check(page.parameters)
            let draft = try SignUp.draft(
                page.parameters,
                language: page.language,
                limits: dependencies.limits,
                by: .page
            )
            let device = request.browserName
            let (account, cookie) = try await SignUp.run(draft, request, dependencies) { account, transaction in
                // Whoever must confirm their address signs in when they have.
                guard !dependencies.confirmsAddresses else { return (account, nil as Secret?) }
                let audit = page.audit.by(account.id)
                let session = try await browser.begin(account.id, device: device, audit, in: transaction)
                return (account, session.cookie)
            }
            guard let cookie else {
                return page.note("confirmation_sent", title: "reset_asked_title", at: path).registering(account)
            }
            let next = page.returnTo ?? page.link(SignInPage.path, [("new", "true")])
            return browser.settingSession(cookie, of: account.id, on: .redirect(to: next)).registering(account)
        } catch let error as any ProblemConvertible {
            return try form(page, problem: error)
        }
    }

    private static func form(_ page: BrowserPage, problem: (any ProblemConvertible)?) throws -> Answer {
        page.form(
            "sign_up",
            title: "sign_up",
            at: path,
            problem: problem?.problem,
            faults: (problem as? ValidationFailure)?.faults ?? [],
            [
                "username": String(try page.typed("username").prefix(60)),
                "email": String(try page.typed("email").prefix(254)),
            ].merging(try page.agreement) { $1 }
        )
    }

    private static func closed(_ page: BrowserPage) -> Answer {
        page.message(page.text("registrations_closed"), title: "sign_up", at: path, status: .forbidden)
    }
}

extension BrowserPage {
    /// What somebody agrees to who signs up, and the way back to signing in.
    var agreement: [String: Any] {
        get throws {
            [
                "agreed": try parameters.boolean("agreement") ?? false,
                "sign_in": linkOnward(SignInPage.path),
                "rules": link(GatewayEndpoint.rulesPage.path),
                "privacy": link(GatewayEndpoint.privacyPage.path),
            ]
        }
    }
}
