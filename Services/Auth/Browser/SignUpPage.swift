// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/sign_up: signing up with a browser.

import Domain
import HTTPTypes
import Surface
import Web
import WebPages

/// Makes an account, which is signed in at once.
enum SignUpPage {
    static let path = "/auth/sign_up"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard dependencies.registrations == .open else { return closed(page, dependencies) }
        return browser.marking(try form(page, browser, problem: nil, faults: [], dependencies))
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard dependencies.registrations == .open else { return closed(page, dependencies) }
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
                let audit = Audit(request, dependencies).by(account.id)
                let session = try await browser.begin(account.id, device: device, audit, in: transaction)
                return (account, session.cookie)
            }
            guard let cookie else {
                let answer = MailPages.note("confirmation_sent", "reset_asked_title", page, path, dependencies)
                return browser.marking(answer).registering(account)
            }
            let welcome = [("new", "true"), ("lang", page.language.rawValue)]
            let next = page.returnTo ?? Pages.link(SignInPage.path, welcome)
            return browser.settingSession(cookie, of: account.id, on: .redirect(to: next)).registering(account)
        } catch let error as ValidationFailure {
            return browser.marking(
                try form(page, browser, problem: error.problem, faults: error.faults, dependencies)
            )
        } catch let error as any ProblemConvertible {
            return browser.marking(try form(page, browser, problem: error.problem, faults: [], dependencies))
        }
    }

    private static func form(
        _ page: PageRequest,
        _ browser: Browser,
        problem: Problem?,
        faults: [(field: String, fault: ValidationFault)],
        _ dependencies: Dependencies
    ) throws -> Answer {
        let language = page.language
        var values: [String: Any] = [
            "form_token": browser.formToken,
            "return_to": page.returnTo ?? "",
            "problem": faults.isEmpty ? problem?.text(in: language) ?? "" : PageText.text("check_fields", language),
            "username": String((try page.parameters.string("username") ?? "").prefix(60)),
            "email": String((try page.parameters.string("email") ?? "").prefix(254)),
            "agreed": try page.parameters.boolean("agreement") ?? false,
            "sign_in": Pages.link(SignInPage.path, page.queryWithLanguage),
            "rules": Pages.link(GatewayEndpoint.rulesPage.path, [("lang", language.rawValue)]),
            "privacy": Pages.link(GatewayEndpoint.privacyPage.path, [("lang", language.rawValue)]),
        ]
        for field in ["username", "email", "password", "agreement"] {
            values["\(field)_fault"] = faults.first { $0.field == field }?.fault.description(language) ?? ""
        }
        let content = Pages.Content(
            template: "sign_up",
            title: PageText.text("sign_up", language),
            values: values,
            status: problem?.status ?? .ok
        )
        return dependencies.pages.answer(content, language: language, path: path, query: page.query)
    }

    private static func closed(_ page: PageRequest, _ dependencies: Dependencies) -> Answer {
        let content = Pages.Content(
            template: "message",
            title: PageText.text("sign_up", page.language),
            values: ["message": PageText.text("registrations_closed", page.language), "link": ""],
            status: .forbidden
        )
        return dependencies.pages.answer(content, language: page.language, path: path, query: page.query)
    }
}
