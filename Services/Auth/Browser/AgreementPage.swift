// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/agree: somebody who is signed in agrees to texts that have changed.

import Domain
import HTTPTypes
import Postgres
import Surface
import Web

enum AgreementPage {
    static let path = "/auth/agree"

    /// Where somebody goes who has signed in: by way of this page if there is something to agree to.
    static func next(_ next: String, for account: AccountID, _ page: BrowserPage) async throws -> String {
        guard try await !Agreements.due(from: account, page.dependencies).isEmpty else { return next }
        return page.link(path, [("return_to", next)])
    }

    /// The same where somebody may put it off.
    static func nextOnceOver(_ next: String, for account: AccountID, _ page: BrowserPage) async throws -> String? {
        let now = page.dependencies.now()
        let due = try await Agreements.due(from: account, page.dependencies)
        return due.contains { $0.isOver(now: now) } ? page.link(path, [("return_to", next)]) : nil
    }

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let signedIn = try await page.browser.signedIn() else { return signIn(page) }
        let due = try await Agreements.due(from: signedIn.account.id, dependencies)
        guard !due.isEmpty else { return page.browser.marking(.redirect(to: onward(page))) }
        return form(due, page, problem: nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let signedIn = try await page.browser.signedIn() else { return signIn(page) }
        do {
            try page.browser.check(page.parameters)
            guard try page.parameters.boolean("agreement") == true else {
                throw ValidationFailure(faults: [("agreement", .accepted)])
            }
            try await dependencies.database.transaction {
                Agreements.give(by: signedIn.account.id, .page, dependencies, in: $0)
            }
            return page.browser.marking(.redirect(to: onward(page)))
        } catch let error as any ProblemConvertible {
            let due = try await Agreements.due(from: signedIn.account.id, dependencies)
            return form(due, page, problem: error.problem)
        }
    }

    private static func onward(_ page: BrowserPage) -> String { page.returnTo ?? page.link(SignInPage.path) }

    private static func signIn(_ page: BrowserPage) -> Answer {
        page.browser.marking(.redirect(to: page.linkOnward(SignInPage.path)))
    }

    private static func form(_ due: [DueConsent], _ page: BrowserPage, problem: Problem?) -> Answer {
        let now = page.dependencies.now()
        let mayWait = !due.contains { $0.isOver(now: now) }
        return page.form(
            "agreement",
            title: "texts_changed",
            at: path,
            problem: problem,
            [
                "documents": due.map { due in
                    ["title": page.text(due.kind.rawValue), "link": page.link(due.kind.page.path)]
                },
                "until": mayWait ? due.map { Day($0.until - .seconds(1)) }.min()?.description ?? "" : "",
                "later": mayWait ? onward(page) : "",
            ]
        )
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
