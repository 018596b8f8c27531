// SPDX-License-Identifier: Apache-2.0
// What auth said about tokens, for all event loops.

import Domain
import Synchronization

/// A token that one event loop has asked about is known to the others: clients that keep no connection, or share one with
/// others, come by any of them.
final class KnownTokens: Sendable {
    private let cache: Mutex<TokenCache>
    private let now: @Sendable () -> Timestamp

    init(capacity: Int, now: @escaping @Sendable () -> Timestamp) {
        cache = Mutex(TokenCache(capacity: capacity))
        self.now = now
    }

    var count: Int { cache.withLock { $0.count } }
    /// Counts up when something was forgotten.
    var epoch: Int { cache.withLock { $0.epoch } }

    func look(_ token: String) -> TokenCache.Entry {
        let now = now().milliseconds
        return cache.withLock { $0.look(token, now: now) }
    }

    /// Notes what auth said of a question asked in `epoch`.
    ///
    /// - Returns: whether its session was revoked meanwhile.
    func learn(_ token: String, _ principal: KnownPrincipal, epoch: Int) -> Bool {
        let now = now().milliseconds
        return cache.withLock { cache in
            if cache.isRevoked(principal.sessionID) { return true }
            cache.learn(token, principal, epoch: epoch, now: now)
            return false
        }
    }

    func refuse(_ token: String) {
        let now = now().milliseconds
        cache.withLock { $0.refuse(token, now: now) }
    }

    func revoke(_ session: SessionID) {
        let now = now().milliseconds
        cache.withLock { $0.revoke(session, now: now) }
    }

    func forget(_ account: AccountID) { cache.withLock { $0.forget(account) } }

    /// - Parameter linked: whether revocations reach us from now on.
    func link(_ linked: Bool) {
        cache.withLock { cache in
            cache.isLinked = linked
            if linked { cache.forget() }
        }
    }
}
