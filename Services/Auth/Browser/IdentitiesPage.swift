// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/identities: with whom somebody may sign in, in a browser.

import Domain
import HTTPTypes
import Surface
import Web

/// Shows the issuers of whoever has just signed in, unlinks them, and leads to those that can be linked.
enum IdentitiesPage {
    static let path = "/auth/identities"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard !dependencies.issuers.all.isEmpty else { throw Problem.notFound }
        guard let account = try await justSignedIn(page) else { return sendAway(page) }
        return try await form(of: account, page, problem: nil)
    }

    /// Takes an issuer from the account, but never the last way in.
    @Sendable static func unlink(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let account = try await justSignedIn(page) else { return sendAway(page) }
        do {
            try page.browser.check(page.parameters)
            let id = try page.parameters.string("unlink").flatMap { IdentityID($0) }
            try await UnlinkIdentity.run(try id.found(), of: account.id, page.audit.by(account.id), dependencies)
            return .redirect(to: page.link(path))
        } catch let error as any ProblemConvertible {
            return try await form(of: account, page, problem: error.problem)
        }
    }

    /// Signing in is the proof that it is still the same person; what is older than a few minutes proves nothing.
    private static func justSignedIn(_ page: BrowserPage) async throws -> Principal.Account? {
        guard let signedIn = try await page.browser.signedIn() else { return nil }
        return signedIn.isFresh(page.dependencies) ? signedIn.account : nil
    }

    private static func sendAway(_ page: BrowserPage) -> Answer {
        page.browser.marking(.redirect(to: page.link(SignInPage.path, [("force", "true"), ("return_to", path)])))
    }

    private static func form(
        of account: Principal.Account,
        _ page: BrowserPage,
        problem: Problem?
    ) async throws -> Answer {
        let dependencies = page.dependencies
        let identities = try await IdentityStore.list(of: account.id, in: dependencies.database)
        let issuers = dependencies.issuers.all.filter(\.hasPage)
        let token = linkToken(page)
        return page.form(
            "identities",
            title: "identities",
            at: path,
            query: [],
            problem: problem,
            [
                "username": account.username.text,
                "has_identities": !identities.isEmpty,
                "identities": identities.map { row($0, page) },
                "has_issuers": !issuers.isEmpty,
                "issuers": issuers.map { issuer in
                    [
                        "href": page.link(IssuerEndpoint.path(of: issuer), [("link", token)]),
                        "label": page.text("link_issuer").replacing("{issuer}", with: issuer.title(page.language)),
                    ]
                },
                "back": page.link(SignInPage.path),
            ]
        )
    }

    private static func row(_ identity: IdentityStore.Linked, _ page: BrowserPage) -> [String: Any] {
        let title = page.dependencies.issuers.at(identity.issuer)?.title(page.language) ?? identity.issuer
        var row = [
            "id": identity.id.description,
            "title": title,
            "label": page.text("unlink_issuer").replacing("{issuer}", with: title),
        ]
        row["email"] = identity.email
        return row
    }

    // MARK: Linking

    /// What a link to an issuer must bring: no other site can have somebody's account linked with an issuer's that it chose.
    private static func linkToken(_ page: BrowserPage) -> String {
        page.dependencies.browserKey.code("link:\(page.browser.formToken)")
    }

    /// To which account a visit of an issuer links it; nil for a visit that signs somebody in.
    static func linking(_ page: BrowserPage) async throws -> AccountID? {
        guard let token = try page.parameters.string("link") else { return nil }
        guard Secret.equal(token, linkToken(page)), let account = try await justSignedIn(page) else {
            throw Browser.StaleForm()
        }
        return account.id
    }

    /// Ends a visit that links an issuer to `account`, which is signed in here still.
    static func link(
        _ token: IDToken,
        to id: AccountID,
        _ sealed: SealedToken?,
        _ page: BrowserPage
    ) async throws -> Answer {
        guard let account = try await page.browser.signedIn()?.account, account.id == id else {
            return page.failure("visit_over", .forbidden)
        }
        do {
            try await LinkIdentity.run(token, to: id, sealed: sealed, page.audit.by(id), page.dependencies)
            return .redirect(to: page.link(path))
        } catch let taken as LinkIdentity.Taken {
            return try await form(of: account, page, problem: taken.problem)
        }
    }
}
