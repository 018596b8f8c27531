// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/identities: with whom somebody may sign in, in a browser.

import Domain
import HTTPTypes
import Surface
import Web
import WebPages

/// Shows the issuers of whoever has just signed in, unlinks them, and leads to those that can be linked.
enum IdentitiesPage {
    static let path = "/auth/identities"

    static func link(_ page: PageRequest) -> String { Pages.link(path, [("lang", page.language.rawValue)]) }

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard !dependencies.issuers.all.isEmpty else { throw Problem.notFound }
        guard let account = try await justSignedIn(browser, dependencies) else {
            return browser.marking(sendAway(page))
        }
        return browser.marking(try await form(of: account, page, browser, problem: nil, dependencies))
    }

    /// Takes an issuer from the account, but never the last way in.
    @Sendable static func unlink(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let account = try await justSignedIn(browser, dependencies) else {
            return browser.marking(sendAway(page))
        }
        do {
            try browser.check(page.parameters)
            let id = try page.parameters.string("unlink").flatMap { IdentityID($0) }
            let audit = Audit(request, dependencies).by(account.id)
            try await UnlinkIdentity.run(try id.found(), of: account.id, audit, dependencies)
            return .redirect(to: link(page))
        } catch let error as any ProblemConvertible {
            return browser.marking(try await form(of: account, page, browser, problem: error.problem, dependencies))
        }
    }

    /// Signing in is the proof that it is still the same person; what is older than a few minutes proves nothing.
    private static func justSignedIn(
        _ browser: Browser,
        _ dependencies: Dependencies
    ) async throws -> Principal.Account? {
        guard let signedIn = try await browser.signedIn() else { return nil }
        let age = dependencies.now() - signedIn.sessionID.timestamp
        return age <= dependencies.limits.freshProof ? signedIn.account : nil
    }

    private static func sendAway(_ page: PageRequest) -> Answer {
        let language = page.language.rawValue
        return .redirect(
            to: Pages.link(SignInPage.path, [("force", "true"), ("return_to", path), ("lang", language)])
        )
    }

    private static func form(
        of account: Principal.Account,
        _ page: PageRequest,
        _ browser: Browser,
        problem: Problem?,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let language = page.language
        let identities = try await IdentityStore.list(of: account.id, in: dependencies.database)
        let token = linkToken(browser, dependencies)
        let content = Pages.Content(
            template: "identities",
            title: PageText.text("identities", language),
            values: [
                "form_token": browser.formToken,
                "problem": problem?.text(in: language) ?? "",
                "username": account.username.text,
                "has_identities": !identities.isEmpty,
                "identities": identities.map { row($0, language, dependencies) },
                "has_issuers": dependencies.issuers.all.contains(where: \.hasPage),
                "issuers": dependencies.issuers.all.filter(\.hasPage).map { issuer in
                    [
                        "href": Pages.link(
                            IssuerEndpoint.path(of: issuer),
                            [("link", token), ("lang", language.rawValue)]
                        ),
                        "label": PageText.text("link_issuer", language)
                            .replacing("{issuer}", with: issuer.title(language)),
                    ]
                },
                "back": Pages.link(SignInPage.path, [("lang", language.rawValue)]),
            ],
            status: problem?.status ?? .ok
        )
        return dependencies.pages.answer(content, language: language, path: path, query: [])
    }

    private static func row(
        _ identity: IdentityStore.Linked,
        _ language: Language,
        _ dependencies: Dependencies
    ) -> [String: Any] {
        let title = dependencies.issuers.at(identity.issuer)?.title(language) ?? identity.issuer
        var row = [
            "id": identity.id.description,
            "title": title,
            "label": PageText.text("unlink_issuer", language).replacing("{issuer}", with: title),
        ]
        row["email"] = identity.email
        return row
    }

    // MARK: Linking

    /// What a link to an issuer must bring: no other site can have somebody's account linked with an issuer's that it chose.
    private static func linkToken(_ browser: Browser, _ dependencies: Dependencies) -> String {
        dependencies.browserKey.code("link:\(browser.formToken)")
    }

    /// To which account a visit of an issuer links it; nil for a visit that signs somebody in.
    static func linking(
        _ page: PageRequest,
        _ browser: Browser,
        _ dependencies: Dependencies
    ) async throws -> AccountID? {
        guard let token = try page.parameters.string("link") else { return nil }
        guard Secret.equal(token, linkToken(browser, dependencies)),
            let account = try await justSignedIn(browser, dependencies)
        else { throw Browser.StaleForm() }
        return account.id
    }

    /// Ends a visit that links an issuer to `account`, which is signed in here still.
    static func link(
        _ token: IDToken,
        to id: AccountID,
        _ sealed: SealedToken?,
        _ page: PageRequest,
        _ browser: Browser,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        guard let account = try await browser.signedIn()?.account, account.id == id else {
            return IssuerPages.failure("visit_over", .forbidden, page, dependencies)
        }
        do {
            try await LinkIdentity.run(token, to: id, sealed: sealed, Audit(request, dependencies).by(id), dependencies)
            return .redirect(to: link(page))
        } catch let taken as LinkIdentity.Taken {
            return try await form(of: account, page, browser, problem: taken.problem, dependencies)
        }
    }
}
