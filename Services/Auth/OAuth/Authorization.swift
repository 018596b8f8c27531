// SPDX-License-Identifier: Apache-2.0
// What an app asks of a person (RFC 6749, section 4.1.1; RFC 7636; RFC 9207).

import Domain
import HTTPTypes
import Web
import WebPages

/// A request for authorization that has been checked.
struct Authorization: Sendable {
    let app: App
    let redirectURI: RedirectURI
    let scopes: ScopeSet
    let state: String?
    let challenge: CodeChallenge?

    /// Why a person cannot be asked. None of these sends the person anywhere by itself: anybody can register an app,
    /// and must not be able to use this place's address to lead people to theirs (RFC 9700, section 4.11).
    enum Refusal: Error, Sendable {
        case unknownApp
        case wrongRedirect
        /// The way back to the app is sound; the person may take it.
        case wrong(OAuthFailure, back: String)
    }

    init(_ parameters: Parameters, _ dependencies: Dependencies) async throws {
        guard let clientID = try parameters.string("client_id"),
            let app = try await AppStore.app(clientID: clientID, in: dependencies.database)
        else { throw Refusal.unknownApp }
        guard let redirectURI = RedirectURI(try parameters.string("redirect_uri") ?? ""), app.allows(redirectURI) else {
            throw Refusal.wrongRedirect
        }
        let state = try parameters.string("state")
        func refuse(_ failure: OAuthFailure) -> Refusal {
            .wrong(
                failure,
                back: redirectURI.isOutOfBand
                    ? "" : redirectURI.adding(Authorization.answer([("error", failure.rawValue)], state, dependencies))
            )
        }
        guard try parameters.string("response_type") == "code" else { throw refuse(.unsupportedResponseType) }
        guard let scopes = app.scopes(asked: try parameters.string("scope")) else { throw refuse(.invalidScope) }
        let text = try parameters.string("code_challenge")
        let method = try parameters.string("code_challenge_method")
        let challenge = text.flatMap { CodeChallenge($0) }
        // "plain" is the method of a request that names none.
        guard text == nil ? method == nil : challenge != nil && method == "S256" else { throw refuse(.invalidRequest) }
        // An app without a secret has nothing but the challenge to prove who it is.
        guard challenge != nil || app.secretHash != nil else { throw refuse(.invalidRequest) }
        guard (state?.utf8.count ?? 0) <= 4096 else { throw refuse(.invalidRequest) }
        self.app = app
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.state = state
        self.challenge = challenge
    }

    /// What of the scopes somebody can grant: those of administration only who holds a role. Nil when that is nothing.
    func scopes(grantedBy account: AccountID, _ dependencies: Dependencies) async throws -> ScopeSet? {
        guard scopes.scopes.contains(where: \.isPrivileged) else { return scopes }
        let role = try await AccountStore.role(of: account, in: dependencies.database) ?? .user
        return role == .user ? scopes.unprivileged : scopes
    }

    /// The page for somebody who cannot go on, with the way back to the app.
    func refusal(_ failure: OAuthFailure, _ dependencies: Dependencies) -> Refusal {
        let back = redirectURI.isOutOfBand ? "" : location([("error", failure.rawValue)], dependencies)
        return .wrong(failure, back: back)
    }

    /// The parameters by which the same request can be made again.
    var query: [(name: String, value: String)] {
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", app.clientID), ("redirect_uri", redirectURI.text),
            ("scope", scopes.description),
        ]
        if let state { query.append(("state", state)) }
        if let challenge { query += [("code_challenge", challenge.text), ("code_challenge_method", "S256")] }
        return query
    }

    /// Where the person goes with the answer.
    func location(_ members: [(name: String, value: String)], _ dependencies: Dependencies) -> String {
        redirectURI.adding(Authorization.answer(members, state, dependencies))
    }

    private static func answer(
        _ members: [(name: String, value: String)],
        _ state: String?,
        _ dependencies: Dependencies
    ) -> [(name: String, value: String)] {
        members + (state.map { [("state", $0)] } ?? []) + [("iss", dependencies.site.origin)]
    }
}

extension Authorization.Refusal {
    func answer(_ page: BrowserPage) -> Answer {
        let (sentence, back): (String, String?) =
            switch self {
            case .unknownApp: ("unknown_app", nil)
            case .wrongRedirect: ("wrong_redirect", nil)
            case .wrong(let failure, let back): (failure.rawValue, back)
            }
        return page.message(
            page.text(sentence),
            title: "cannot_authorize",
            at: SignInPage.path,
            link: back.map { ($0, "back_to_app") },
            status: .badRequest
        )
    }
}
