// SPDX-License-Identifier: Apache-2.0
// POST /internal/kept_sessions: signing in for an app that keeps its refresh token.

import Calls
import Domain
import Postgres
import Views
import Web

/// A session whose refresh token does not change.
///
/// Such a token cannot tell that it was stolen. It is given to one app only, over routes that only the gateway reaches,
/// with the scopes that this app needs and no more, and ends at a fixed time after the sign-in. Ending the session,
/// here or on another device, ends it, and so does a change of the password.
extension KeptSession {
    init(_ token: Grant.Token, of account: Identity) {
        self.init(
            accessToken: token.accessToken,
            refreshToken: token.refreshToken,
            sessionID: token.sessionID,
            account: account
        )
    }

    static func app(_ dependencies: Dependencies) async throws -> App {
        return try await AppStore.app(App.buddyBuddy, in: dependencies.database).found()
    }
}

enum CreateKeptSession {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try KeptSignIn(request.parameters())
        guard !asked.email.isEmpty else { throw Problem.invalid("email", "blank") }
        guard !asked.password.isEmpty else { throw Problem.invalid("password", "blank") }
        let device = KnownDevice(asked.deviceToken)
        let account = try await VerifyPassword.run(
            login: asked.email,
            password: asked.password,
            request,
            device: { try await device?.mark(of: $0, in: dependencies.database) },
            dependencies
        )
        let app = try await KeptSession.app(dependencies)
        let grant = Grant(
            app: app,
            account: account.id,
            scopes: app.scopes,
            device: request.browserName,
            rotates: false
        )
        let audit = Audit(request, dependencies).by(account.id)
        let token = try await dependencies.database.transaction { transaction in
            let token = try await grant.insert(dependencies, in: transaction)
            device?.remember(of: account.id, now: dependencies.now(), in: transaction)
            try audit.note(
                .signedIn,
                .init(account: account.id, session: token.sessionID, app: app.id, detail: grant.device),
                in: transaction
            )
            return token
        }
        let identity = try await AccountStore.identity(account.id, in: dependencies.database).found()
        return .unstored(KeptSession(token, of: identity))
    }
}

/// POST /internal/kept_sessions/refresh: a new access token; the refresh token stays.
enum RefreshKeptSession {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try KeptRefresh(request.parameters())
        guard let token = RefreshToken(asked.token) else { throw OAuthFailure.invalidGrant }
        let now = dependencies.now()
        let access = dependencies.secret()
        let lifetime = dependencies.limits.accessToken
        let isGranted = try await dependencies.database.transaction { transaction in
            guard let family = try await RefreshTokenStore.lock(token.familyHash, in: transaction),
                !family.rotates, family.appID == App.buddyBuddy,
                Secret.equal(family.currentHash, token.currentHash), family.expires > now
            else { return false }
            try await SessionStore.insertAccessToken(
                access.hash,
                of: family.sessionID,
                now: now,
                expires: now + lifetime,
                in: transaction
            )
            try await SessionStore.touch(family.sessionID, now: now, in: transaction)
            return true
        }
        guard isGranted else { throw OAuthFailure.invalidGrant }
        return .unstored(KeptAccess(token: access.text, lifetime: lifetime))
    }
}
