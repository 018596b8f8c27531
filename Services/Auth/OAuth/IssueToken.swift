// SPDX-License-Identifier: Apache-2.0
// POST /oauth/token: an app fetches a token (RFC 6749, section 4).

import Domain
import Postgres
import Web

/// Gives a token for a code, for an app alone, or for a refresh token.
enum IssueToken {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let grantType = try parameters.string("grant_type")
        guard let grantType else { throw OAuthFailure.invalidRequest }
        guard ["authorization_code", "client_credentials", "refresh_token"].contains(grantType) else {
            throw OAuthFailure.unsupportedGrantType
        }
        let app = try await ClientCredentials(request, parameters).app(dependencies)
        switch grantType {
        case "authorization_code":
            return try await redeem(parameters, app, request, dependencies).answer
        case "client_credentials":
            return try await grantAlone(parameters, app, dependencies).answer
        default:
            guard app.isFirstParty else { throw OAuthFailure.unauthorizedClient }
            let text = try parameters.string("refresh_token") ?? ""
            return try await RefreshRotation.run(text, app: app.id, request, dependencies).answer
        }
    }

    private static func grantAlone(
        _ parameters: Parameters,
        _ app: App,
        _ dependencies: Dependencies
    ) async throws -> Grant.Token {
        // An app without a secret cannot prove that it is itself.
        guard app.secretHash != nil else { throw OAuthFailure.unauthorizedClient }
        // An app alone holds no role.
        guard let scopes = app.scopes(asked: try parameters.string("scope"))?.unprivileged else {
            throw OAuthFailure.invalidScope
        }
        return try await dependencies.database.transaction { transaction in
            try await Grant(app: app, account: nil, scopes: scopes, device: "").insert(dependencies, in: transaction)
        }
    }

    private enum Outcome: Sendable {
        case granted(Grant.Token)
        case refused
    }

    private static func redeem(
        _ parameters: Parameters,
        _ app: App,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Grant.Token {
        guard let code = try parameters.string("code"), !code.isEmpty else { throw OAuthFailure.invalidRequest }
        let redirectURI = try parameters.string("redirect_uri")
        let verifier = try parameters.string("code_verifier")
        let hash = Secret.hash(code)
        let device = request.browserName
        let audit = Audit(request, dependencies).by(app: app.id)
        let now = dependencies.now()
        let outcome: Outcome = try await dependencies.database.transaction { transaction in
            guard let stored = try await CodeStore.lock(hash, in: transaction), stored.appID == app.id else {
                return .refused
            }
            if stored.isUsed {
                // Somebody has stolen the code, before its app used it or after: what it gave is taken back.
                if let session = stored.sessionID {
                    try await transaction.end(.one(session))
                }
                try audit.note(
                    .codeReused,
                    .init(account: stored.accountID, session: stored.sessionID, app: app.id),
                    in: transaction
                )
                return .refused
            }
            guard stored.expires > now, stored.redirectURI == redirectURI,
                isProven(challenge: stored.challenge, verifier: verifier)
            else { return .refused }
            let grant = Grant(app: app, account: stored.accountID, scopes: stored.scopes, device: device)
            let token = try await grant.insert(dependencies, in: transaction)
            try await CodeStore.use(hash, for: token.sessionID, now: now, in: transaction)
            try audit.note(
                .signedIn,
                .init(account: stored.accountID, session: token.sessionID, app: app.id, detail: device),
                in: transaction
            )
            return .granted(token)
        }
        guard case .granted(let token) = outcome else { throw OAuthFailure.invalidGrant }
        return token
    }

    /// A challenge demands its verifier; a verifier without a challenge means that somebody took the challenge away.
    private static func isProven(challenge: String?, verifier: String?) -> Bool {
        switch (challenge, verifier) {
        case (nil, nil): true
        case (let challenge?, let verifier?): CodeChallenge(challenge)?.accepts(verifier) ?? false
        default: false
        }
    }
}
