// SPDX-License-Identifier: Apache-2.0
// How a refresh token becomes the next one.

import Domain
import Postgres
import Web

/// Exchanges a refresh token for the next one; a token that comes twice ends the session.
///
/// But for one case: the answer may have got lost. So the newest predecessor is taken once more for a minute, as long as
/// nobody has shown anything of what it gave; that is withdrawn.
enum RefreshRotation {
    private enum Outcome: Sendable {
        case granted(Grant.Token)
        case refused
    }

    /// - Parameter app: the app that must have been given the token; nil for the app of our own pages.
    static func run(
        _ text: String,
        app: AppID?,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Grant.Token {
        guard let token = RefreshToken(text) else { throw OAuthFailure.invalidGrant }
        let now = dependencies.now()
        let limits = dependencies.limits
        let audit = Audit(request, dependencies)
        let outcome: Outcome = try await dependencies.database.transaction { transaction in
            guard let family = try await RefreshTokenStore.lock(token.familyHash, in: transaction),
                family.rotates, family.appID == app ?? App.own
            else { return .refused }
            let subject = Audit.Subject(account: family.accountID, session: family.sessionID, app: family.appID)
            let isCurrent = Secret.equal(family.currentHash, token.currentHash)
            if !isCurrent {
                guard try await isRepeated(token, of: family, now: now, in: transaction) else {
                    try await transaction.end(.one(family.sessionID))
                    try audit.note(.refreshReused, subject, in: transaction)
                    return .refused
                }
                try audit.note(.refreshRepeated, subject, in: transaction)
            }
            guard family.expires > now else { return .refused }
            let next = RefreshToken(family: token.family, current: dependencies.secret().text)
            let access = dependencies.secret()
            try await RefreshTokenStore.rotate(
                token.familyHash,
                to: next.currentHash,
                predecessor: isCurrent
                    ? .init(hash: token.currentHash, access: access.hash, until: now + limits.refreshGrace) : nil,
                expires: now + limits.refreshToken,
                in: transaction
            )
            try await SessionStore.extend(
                family.sessionID,
                until: now + limits.refreshToken,
                now: now,
                in: transaction
            )
            try await SessionStore.insertAccessToken(
                access.hash,
                of: family.sessionID,
                now: now,
                expires: now + limits.accessToken,
                isSeen: false,
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

    /// Whether this is the newest predecessor and what it gave has never been shown; that is withdrawn then.
    private static func isRepeated(
        _ token: RefreshToken,
        of family: RefreshTokenStore.Family,
        now: Timestamp,
        in transaction: Transaction
    ) async throws -> Bool {
        guard let predecessor = family.predecessor, Secret.equal(predecessor.hash, token.currentHash),
            predecessor.until > now, family.expires > now
        else { return false }
        return try await SessionStore.withdrawUnseen(token: predecessor.access, in: transaction)
    }
}
