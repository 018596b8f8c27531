// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/agree: somebody who is signed in agrees to texts that have changed.

import Domain
import HTTPTypes
import Postgres
import Surface
import Web
import WebPages

enum AgreementPage {
    static let path = "/auth/agree"

    /// Where somebody goes who has signed in: by way of this page if there is something to agree to.
    static func next(
        _ next: String,
        for account: AccountID,
        _ page: PageRequest,
        _ dependencies: Dependencies
    ) async throws -> String {
        guard try await !Agreements.due(from: account, dependencies).isEmpty else { return next }
        return link(next, page)
    }

    /// The same where somebody may put it off.
    static func nextOnceOver(
        _ next: String,
        for account: AccountID,
        _ page: PageRequest,
        _ dependencies: Dependencies
    ) async throws -> String? {
        let now = dependencies.now()
        let due = try await Agreements.due(from: account, dependencies)
        return due.contains { $0.isOver(now: now) } ? link(next, page) : nil
    }

    private static func link(_ next: String, _ page: PageRequest) -> String {
        Pages.link(path, [("return_to", next), ("lang", page.language.rawValue)])
    }

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let signedIn = try await browser.signedIn() else { return browser.marking(signIn(page)) }
        let due = try await Agreements.due(from: signedIn.account.id, dependencies)
        guard !due.isEmpty else { return browser.marking(.redirect(to: onward(page))) }
        return browser.marking(form(due, page, browser, problem: nil, dependencies))
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let signedIn = try await browser.signedIn() else { return browser.marking(signIn(page)) }
        do {
            try browser.check(page.parameters)
            guard try page.parameters.boolean("agreement") == true else {
                throw ValidationFailure(faults: [("agreement", .accepted)])
            }
            try await dependencies.database.transaction {
                Agreements.give(by: signedIn.account.id, .page, dependencies, in: $0)
            }
            return browser.marking(.redirect(to: onward(page)))
        } catch let error as any ProblemConvertible {
            let due = try await Agreements.due(from: signedIn.account.id, dependencies)
            return browser.marking(form(due, page, browser, problem: error.problem, dependencies))
        }
    }

    private static func onward(_ page: PageRequest) -> String {
        page.returnTo ?? Pages.link(SignInPage.path, [("lang", page.language.rawValue)])
    }

    private static func signIn(_ page: PageRequest) -> Answer {
        .redirect(to: Pages.link(SignInPage.path, page.queryWithLanguage))
    }

    private static func form(
        _ due: [DueConsent],
        _ page: PageRequest,
        _ browser: Browser,
        problem: Problem?,
        _ dependencies: Dependencies
    ) -> Answer {
        let language = page.language
        let now = dependencies.now()
        let mayWait = !due.contains { $0.isOver(now: now) }
        var content = Pages.Content(template: "agreement", title: PageText.text("texts_changed", language))
        content.values = [
            "form_token": browser.formToken,
            "return_to": page.returnTo ?? "",
            "problem": problem?.text(in: language) ?? "",
            "documents": due.map { due in
                [
                    "title": PageText.text(due.kind.rawValue, language),
                    "link": Pages.link(due.kind.page.path, [("lang", language.rawValue)]),
                ]
            },
            "until": mayWait ? due.map { Day($0.until - .seconds(1)) }.min()?.description ?? "" : "",
            "later": mayWait ? onward(page) : "",
        ]
        content.status = problem?.status ?? .ok
        return dependencies.pages.answer(content, language: language, path: path, query: page.query)
    }
}

extension DocumentKind {
    /// Where people read it.
    var page: GatewayEndpoint {
        switch self {
        case .rules: .rulesPage
        case .privacy: .privacyPage
        case .terms: .termsPage
        }
    }
}
