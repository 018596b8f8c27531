// SPDX-License-Identifier: Apache-2.0
// Giving an app a session with its tokens.

import Domain
import HTTPTypes
import Postgres
import Views
import Web

/// What an app is given: for our own apps a short access token with a refresh token, for others a token that lasts
/// until it is revoked, because those cannot refresh.
struct Grant: Sendable {
    let app: App
    /// Nil for the app alone.
    let account: AccountID?
    let scopes: ScopeSet
    let device: String
    /// Whether each use of the refresh token gives the next one.
    var rotates = true

    /// A token as it is shown, once.
    struct Token: ObjectView {
        let sessionID: SessionID
        let accessToken: String
        let scopes: ScopeSet
        let created: Timestamp
        /// Of our own apps.
        let lifetime: Duration?
        let refreshToken: String?
        /// What the device shows when it signs in again.
        var deviceToken: String?
        /// Whether the account was to be deleted, and stays because of this.
        var isBack = false
        /// What somebody who signs in has yet to agree to.
        var due: [DueConsent] = []

        func writeMembers(to json: inout JSONWriter) {
            json.member("access_token", accessToken)
            json.member("token_type", "Bearer")
            json.member("scope", scopes.description)
            json.member("created_at", created.seconds)
            if isBack { json.member("deletion_stopped", true) }
            guard let lifetime, let refreshToken else { return }
            json.member("expires_in", lifetime.components.seconds)
            json.member("refresh_token", refreshToken)
            json.member("session_id", sessionID)
            if let deviceToken { json.member("device_token", deviceToken) }
            if !due.isEmpty { json.member("agreements_due", due.map(DueConsentView.init)) }
        }

        var answer: Answer { .unstored(self) }
    }

    func insert(_ dependencies: Dependencies, in transaction: Transaction) async throws -> Token {
        try await AccountSuspended.refuse(account, in: transaction)
        let now = dependencies.now()
        let limits = dependencies.limits
        var isBack = false
        if let account { isBack = try await Departures.stop(account, dependencies, in: transaction) }
        let refreshes = app.isFirstParty && account != nil
        let expires = now + (rotates ? limits.refreshToken : limits.keptRefreshToken)
        let session = SessionStore.Draft(
            id: try dependencies.ids.next(),
            accountID: account,
            appID: app.id,
            scopes: scopes,
            device: device,
            expires: refreshes ? expires : nil
        )
        if !app.isFirstParty { AppStore.touch(app.id, now: now, in: transaction) }
        try await SessionStore.insert(session, now: now, in: transaction)
        let access = dependencies.secret()
        let lifetime = refreshes ? limits.accessToken : nil
        try await SessionStore.insertAccessToken(
            access.hash,
            of: session.id,
            now: now,
            expires: lifetime.map { now + $0 },
            in: transaction
        )
        var refresh: RefreshToken?
        if refreshes {
            let token = RefreshToken(family: dependencies.secret().text, current: dependencies.secret().text)
            try await RefreshTokenStore.insert(
                family: token.familyHash,
                current: token.currentHash,
                session: session.id,
                expires: expires,
                rotates: rotates,
                in: transaction
            )
            refresh = token
        }
        return Token(
            sessionID: session.id,
            accessToken: access.text,
            scopes: scopes,
            created: now,
            lifetime: lifetime,
            refreshToken: refresh?.text,
            isBack: isBack
        )
    }
}

/// A refresh token: 43 characters that stay and 43 that change with every use.
struct RefreshToken: Sendable {
    let family: String
    let current: String

    init(family: String, current: String) {
        self.family = family
        self.current = current
    }

    init?(_ text: String) {
        guard text.utf8.count == 86, text.unicodeScalars.count == 86 else { return nil }
        family = String(text.prefix(43))
        current = String(text.suffix(43))
    }

    var text: String { family + current }
    var familyHash: [UInt8] { Secret.hash(family) }
    var currentHash: [UInt8] { Secret.hash(current) }
}

extension Answer {
    /// Tells what nobody on the way may keep.
    static func unstored(_ view: some View) -> Answer {
        var answer = Answer.json(view)
        answer.headers[.cacheControl] = "no-store"
        return answer
    }
}
