// SPDX-License-Identifier: Apache-2.0
// POST /internal/kept_sessions: signing in for an app that keeps its refresh token.

import Calls
import Domain
import HTTPTypes
import Postgres
import Views
import Web

/// A session whose refresh token does not change.
///
/// Such a token cannot tell that it was stolen. It is given to one app only, over routes that only the gateway reaches,
/// with the scopes that this app needs and no more, and ends at a fixed time after the sign-in. Ending the session,
/// here or on another device, ends it, and so does a change of the password.
extension KeptSession {
    init(_ token: Grant.Token, of account: Identity, isNew: Bool = false) {
        self.init(
            accessToken: token.accessToken,
            refreshToken: token.refreshToken,
            sessionID: token.sessionID,
            account: account,
            isNew: isNew
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
        try await EmailUnconfirmed.refuse(account.id, dependencies)
        let isNew = try await device?.mark(of: account.id, in: dependencies.database) == nil
        let app = try await KeptSession.app(dependencies)
        let grant = Grant(
            app: app,
            account: account.id,
            scopes: app.scopes,
            device: request.browserName,
            rotates: false
        )
        let audit = Audit(request, dependencies).by(account.id)
        let now = dependencies.now()
        let token = try await dependencies.database.transaction { transaction in
            let token = try await grant.insert(dependencies, in: transaction)
            device?.remember(of: account.id, now: now, in: transaction)
            if isNew {
                try await transaction.send(.newDevice(name: grant.device, at: now), to: account.id, at: now)
            }
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

/// POST /internal/kept_sessions/issuer: the same with a token of an issuer. Somebody new has an account at once, for the app knows no
/// usernames.
enum CreateKeptSessionByIssuer {
    /// How many names are tried before somebody is told to choose another nickname.
    private static let attempts = 6

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try KeptIssuerSignIn(request.parameters())
        guard let issuer = try? dependencies.issuers.named(asked.issuer) else {
            throw Problem(.notFound, "issuer-not-named")
        }
        guard !asked.token.isEmpty else { throw Problem.invalid("id_token", "blank") }
        let name = asked.nickname.flatMap { GivenName.plain($0) }
        let token = try await IDToken(asked.token, of: issuer, nonce: asked.nonce, dependencies)
        let app = try await KeptSession.app(dependencies)
        let begin = Begin(app: app, issuer: issuer, device: KnownDevice(asked.deviceToken), request, dependencies)
        let now = dependencies.now()
        let arrival = try await SignInByIssuer.run(token, name: name, dependencies) { account, transaction in
            let isNew = try await begin.device?.mark(of: account, in: transaction) == nil
            let token = try await begin.session(of: account, in: transaction)
            if isNew {
                try await transaction.send(.newDevice(name: request.browserName, at: now), to: account, at: now)
            }
            return token
        }
        if let code = asked.code, !code.isEmpty { await RefreshTokenOfIssuer.keep(code, token, dependencies) }
        let (account, granted): (AccountID, Grant.Token)
        var isNew = false
        switch arrival {
        case .known(let id, let token): (account, granted) = (id, token)
        case .newcomer(let newcomer):
            isNew = true
            let language = asked.language ?? request.language
            (account, granted) = try await join(newcomer, language, begin, request, dependencies)
        }
        let identity = try await AccountStore.identity(account, in: dependencies.database).found()
        return .unstored(KeptSession(granted, of: identity, isNew: isNew))
    }

    private static func join(
        _ newcomer: NewcomerStore.Newcomer,
        _ language: Language,
        _ begin: Begin,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> (AccountID, Grant.Token) {
        for attempt in 0..<attempts {
            let username = JoinByNickname.username(
                of: newcomer.name ?? "",
                attempt: attempt,
                otherwise: "buddy",
                dependencies.randomBytes
            )
            guard let username else { continue }
            // The app shows nothing that one could agree to.
            let draft = JoinByIssuer.Draft(username: username, language: language, consent: nil)
            do {
                return try await JoinByIssuer.run(newcomer.id, draft, request, dependencies) { account, transaction in
                    (account.id, try await begin.session(of: account.id, in: transaction))
                }
            } catch is ValidationFailure {
                // Somebody has the name; the next has other digits.
                continue
            }
        }
        throw ValidationFailure(faults: [("nickname", .invalid)])
    }

    private struct Begin: Sendable {
        let app: App
        let issuer: Issuer
        let device: KnownDevice?
        let request: Request
        let dependencies: Dependencies

        init(app: App, issuer: Issuer, device: KnownDevice?, _ request: Request, _ dependencies: Dependencies) {
            (self.app, self.issuer, self.device) = (app, issuer, device)
            (self.request, self.dependencies) = (request, dependencies)
        }

        func session(of account: AccountID, in transaction: Transaction) async throws -> Grant.Token {
            let grant = Grant(
                app: app,
                account: account,
                scopes: app.scopes,
                device: request.browserName,
                rotates: false
            )
            let token = try await grant.insert(dependencies, in: transaction)
            device?.remember(of: account, now: dependencies.now(), in: transaction)
            try Audit(request, dependencies).by(account).note(
                .signedIn,
                .init(
                    account: account,
                    session: token.sessionID,
                    app: app.id,
                    detail: "\(issuer.name) \(grant.device)"
                ),
                in: transaction
            )
            return token
        }
    }
}
