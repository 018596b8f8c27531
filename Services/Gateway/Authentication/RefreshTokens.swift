// SPDX-License-Identifier: Apache-2.0
// Refresh tokens where apps send them in place of access tokens.

import Calls
import Domain
import NIOCore
import Surface
import Views

/// The access tokens that refresh tokens that stay were given, as long as they are good. Belongs to one event loop.
struct RefreshedTokens {
    private static let most = 10_000
    /// An access token is not used to its last moment.
    private static let margin = Milliseconds(60_000)

    private var tokens: [String: (access: String, until: Milliseconds)] = [:]

    func access(for refresh: String, now: Milliseconds) -> String? {
        tokens[refresh].flatMap { $0.until > now ? $0.access : nil }
    }

    mutating func keep(_ access: KeptAccess, for refresh: String, now: Milliseconds) {
        guard let lifetime = access.lifetime else { return }
        if tokens.count >= RefreshedTokens.most { tokens.removeAll() }
        tokens[refresh] = (access.token, now + lifetime.components.seconds * 1000 - RefreshedTokens.margin)
    }

    mutating func forget(_ refresh: String) { tokens[refresh] = nil }
}

extension ClientConnection {
    /// Goes on with the token, or with an access token that it is good for. What is neither is refused further on.
    func findAccessToken(_ token: String, _ exchange: Exchange, then proceed: @escaping (String) -> Void) {
        guard Token.isPlausible(token) else { return proceed(token) }
        let now = loop.monotonic
        if let access = loop.refreshed.access(for: token, now: now) {
            // Its session may have ended meanwhile: then the refresh token is as good as no other.
            if case .invalid = loop.authenticator.known(access) {
                loop.refreshed.forget(token)
                return proceed(token)
            }
            return proceed(access)
        }
        if dependencies.limiter.isExhausted(client, now: dependencies.now().milliseconds) != nil {
            return proceed(token)
        }
        let judge = { [weak self] (verdict: Verdict) in
            guard let self, self.isOpen(exchange) else { return }
            guard case .invalid = verdict else { return proceed(token) }
            self.refresh(token, exchange, then: proceed)
        }
        if let verdict = loop.authenticator.known(token) { return judge(verdict) }
        loop.authenticator.ask(token) { [weak self] verdict in
            judge(verdict)
            self?.flush()
        }
    }

    private func refresh(_ token: String, _ exchange: Exchange, then proceed: @escaping (String) -> Void) {
        InternalCall.ask(
            loop.pool(.auth),
            AuthCall.refreshKeptSession,
            secret: dependencies.config.internalSecret(.auth),
            body: KeptRefresh(token: token).json()
        ) { [weak self] answer in
            guard let self, self.isOpen(exchange) else { return }
            if case .success((200, let body)) = answer, let access = KeptAccess(answer: body) {
                self.loop.refreshed.keep(access, for: token, now: self.loop.monotonic)
                proceed(access.token)
            } else {
                proceed(token)
            }
            self.flush()
        }
    }
}
