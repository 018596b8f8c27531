// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/sessions/refresh: a new access token for a refresh token.

import Domain
import Events
import Outbox
import Postgres
import Web

/// Exchanges a refresh token for the next one; a token that comes twice ends the session.
enum RefreshSession {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let text = try request.parameters().string("refresh_token") ?? ""
        return try await refresh(text, app: nil, dependencies).answer
    }

    private enum Outcome: Sendable {
        case granted(Grant.Token)
        case refused
    }

    /// - Parameter app: the app that must have been given the token; nil for the app of our own pages.
    static func refresh(_ text: String, app: AppID?, _ dependencies: Dependencies) async throws -> Grant.Token {
        guard let token = RefreshToken(text) else { throw OAuthFailure.invalidGrant }
        let now = dependencies.now()
        let limits = dependencies.limits
        let outcome: Outcome = try await dependencies.database.transaction { transaction in
            guard let family = try await RefreshTokenStore.lock(token.familyHash, in: transaction),
                family.rotates, family.appID == app ?? App.own
            else { return .refused }
            guard Secret.equal(family.currentHash, token.currentHash) else {
                for ended in try await SessionStore.end(family.sessionID, in: transaction) {
                    try transaction.record(SessionRevoked(sessionID: ended.id, accountID: ended.accountID))
                }
                return .refused
            }
            guard family.expires > now else { return .refused }
            let next = RefreshToken(family: token.family, current: dependencies.secret().text)
            let access = dependencies.secret()
            try await RefreshTokenStore.rotate(
                token.familyHash,
                to: next.currentHash,
                session: family.sessionID,
                now: now,
                expires: now + limits.refreshToken,
                in: transaction
            )
            try await SessionStore.insertAccessToken(
                access.hash,
                of: family.sessionID,
                now: now,
                expires: now + limits.accessToken,
                in: transaction
            )
            return .granted(
                Grant.Token(
                    sessionID: family.sessionID,
                    accessToken: access.text,
                    scopes: family.scopes,
                    created: now,
                    lifetime: limits.accessToken,
                    refreshToken: next.text
                )
            )
        }
        guard case .granted(let granted) = outcome else { throw OAuthFailure.invalidGrant }
        return granted
    }
}
