// SPDX-License-Identifier: Apache-2.0
// What auth said about tokens, for as long as it may be believed.

import Domain
import Surface

/// A token's identity, as auth told it.
struct KnownPrincipal: Sendable, Equatable {
    /// The signed statement that an auth of the previous release gives for all services.
    let statement: String
    /// The signed statement for each service, which no other believes.
    var statements: [ServiceName: String] = [:]
    let accountID: AccountID?
    let sessionID: SessionID?
    let scopes: ScopeSet
    /// May read, and change nothing.
    var isFrozen = false
    let expires: Milliseconds

    /// The value of `X-Madang-Principal` in a request to the service.
    func statement(for service: ServiceName) -> String { statements[service] ?? statement }
}

struct TokenCache {
    enum Entry: Equatable {
        case valid(KnownPrincipal)
        case invalid
        case unknown
    }

    private struct Known {
        let principal: KnownPrincipal
        let learned: Milliseconds

        /// When it is given up: before its statement ends, so that a request which waits for a service does not arrive with
        /// one that has ended. A statement that is short as it comes keeps most of its life.
        var end: Milliseconds {
            principal.expires - min(TokenCache.statementMargin, (principal.expires - learned) / 4)
        }
    }

    /// Whether revocations reach us; while they do not, nothing is believed for longer than a second.
    var isLinked = false
    /// Counts up when something was forgotten: what was asked before may be stale.
    private(set) var epoch = 0
    private var known: Generations<String, Known>
    private var refused: [String: Milliseconds] = [:]
    private var revoked: [SessionID: Milliseconds] = [:]

    /// Longer than a request waits for a service.
    static let statementMargin: Milliseconds = 15_000
    static let refusalLife: Milliseconds = 3000
    static let unlinkedLife: Milliseconds = 1000
    /// Longer than any statement of auth lives.
    static let revocationLife: Milliseconds = 900_000

    /// - Parameter capacity: valid tokens of which something is kept at most.
    init(capacity: Int) { known = Generations(capacity: max(capacity, 2)) }

    mutating func look(_ token: String, now: Milliseconds) -> Entry {
        if let known = known.value(at: token) { return judge(known, now: now) }
        if let until = refused[token] {
            if now < until { return .invalid }
            refused[token] = nil
        }
        return .unknown
    }

    private func judge(_ known: Known, now: Milliseconds) -> Entry {
        if let session = known.principal.sessionID, revoked[session] != nil { return .invalid }
        guard now < known.end else { return .unknown }
        if !isLinked, now - known.learned >= TokenCache.unlinkedLife { return .unknown }
        return .valid(known.principal)
    }

    /// Notes what auth said of a question asked in `epoch`.
    mutating func learn(_ token: String, _ principal: KnownPrincipal, epoch: Int, now: Milliseconds) {
        guard epoch == self.epoch else { return }
        known.put(Known(principal: principal, learned: now), at: token)
    }

    mutating func refuse(_ token: String, now: Milliseconds) {
        known.remove(token)
        if refused.count >= 10_000 { refused.removeAll(keepingCapacity: true) }
        refused[token] = now + TokenCache.refusalLife
    }

    mutating func revoke(_ session: SessionID, now: Milliseconds) {
        if revoked.count >= 100_000 {
            revoked = revoked.filter { now < $0.value }
            if revoked.count >= 100_000 {
                revoked.removeAll()
                forget()
            }
        }
        revoked[session] = now + TokenCache.revocationLife
    }

    func isRevoked(_ session: SessionID?) -> Bool { session.map { revoked[$0] != nil } ?? false }

    /// Forgets every token, because revocations may have been missed.
    mutating func forget() {
        epoch += 1
        known.removeAll()
    }

    /// Forgets the tokens of an account, of which something else is to be said now; an answer that is on its way is not kept.
    mutating func forget(_ account: AccountID) {
        epoch += 1
        known.removeAll { $0.principal.accountID == account }
    }

    var count: Int { known.count }
}
