// SPDX-License-Identifier: Apache-2.0
// From the token of a request to the statement of who is asking.

import Calls
import Domain
import NIOCore
package import NIOHTTP1
import Surface
import Views

/// What is known of a token.
enum Verdict {
    case valid(KnownPrincipal)
    case invalid
    case unavailable(UpstreamFailure)
}

/// Asks auth about tokens, each only once at a time. Belongs to one event loop.
final class Authenticator {
    private let tokens: KnownTokens
    private var asking: [String: [(Verdict) -> Void]] = [:]
    private let pool: UpstreamPool
    private let secret: String
    private(set) var hits = 0
    private(set) var misses = 0

    init(tokens: KnownTokens, pool: UpstreamPool, secret: String) {
        (self.tokens, self.pool, self.secret) = (tokens, pool, secret)
    }

    /// What is known without asking.
    func known(_ token: String) -> Verdict? {
        switch tokens.look(token) {
        case .valid(let principal):
            hits += 1
            return .valid(principal)
        case .invalid:
            hits += 1
            return .invalid
        case .unknown: return nil
        }
    }

    /// Asks auth, or waits for the answer to somebody who asked the same just before.
    func ask(_ token: String, completion: @escaping (Verdict) -> Void) {
        if asking[token] != nil {
            asking[token]?.append(completion)
            return
        }
        misses += 1
        asking[token] = [completion]
        let epoch = tokens.epoch
        let question = TokenQuestion(token: token, audiences: ServiceName.allCases.map(\.rawValue))
        InternalCall.ask(pool, AuthCall.exchangeToken, secret: secret, body: question.json()) { answer in
            let verdict = self.judge(answer, token: token, epoch: epoch)
            for completion in self.asking.removeValue(forKey: token) ?? [] { completion(verdict) }
        }
    }

    private func judge(_ answer: InternalCall.Answer, token: String, epoch: Int) -> Verdict {
        switch answer {
        case .failure(let failure): return .unavailable(failure)
        case .success(let (status, body)):
            switch status {
            case 200:
                guard let principal = TokenAnswer(answer: body)?.known else { return .unavailable(.broken) }
                return tokens.learn(token, principal, epoch: epoch) ? .invalid : .valid(principal)
            case 400..<500 where status != 403 && status != 429:
                tokens.refuse(token)
                return .invalid
            // Auth is there and says to come again: its database is away or full.
            case 503: return .unavailable(.refused(retryAfter: 2000))
            default: return .unavailable(.broken)
            }
        }
    }
}

extension TokenAnswer {
    /// Nil where it has no statement for some service, or one that no header may carry.
    fileprivate var known: KnownPrincipal? {
        var statements: [ServiceName: String] = [:]
        for (audience, statement) in own {
            if let service = ServiceName(rawValue: audience) { statements[service] = statement }
        }
        let common = common ?? ""
        guard !common.isEmpty || statements.count == ServiceName.allCases.count,
            ([common] + statements.values).allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
        else { return nil }
        return KnownPrincipal(
            statement: common,
            statements: statements,
            accountID: accountID,
            sessionID: sessionID,
            scopes: scopes,
            isFrozen: isFrozen,
            expires: expires.milliseconds
        )
    }
}

/// Where a token may stand.
package enum Token {
    /// The bearer token of the header; nil without one. Other schemes are none of the gateway's business.
    package static func bearer(_ headers: HTTPHeaders) -> String? {
        headers.first(name: "authorization").flatMap(afterScheme)
    }

    /// The token of the header with or without `Bearer` before it, as some apps send it; nil for any other scheme.
    static func bareOrBearer(_ headers: HTTPHeaders) -> String? {
        guard let value = headers.first(name: "authorization") else { return nil }
        return afterScheme(value) ?? (value.utf8.contains(0x20) ? nil : value)
    }

    /// What follows `Bearer`; nil without it.
    package static func afterScheme(_ value: String) -> String? {
        let scheme = value.utf8.prefix(7)
        guard scheme.count == 7, scheme.elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        return String(Substring(value.utf8.dropFirst(7).drop(while: { $0 == 0x20 })))
    }

    /// For streams, whose clients cannot always set headers: also the query and the WebSocket's subprotocol.
    static func ofStream(_ headers: HTTPHeaders, _ target: RequestTarget) -> String? {
        if let token = bearer(headers) { return token }
        if let token = target.parameter("access_token"), !token.isEmpty { return token }
        guard let offered = headers.first(name: "sec-websocket-protocol") else { return nil }
        let first = offered.split(separator: ",").first?.filter { $0 != " " } ?? ""
        return first.isEmpty ? nil : first
    }

    /// Whether it can be a token at all: such need not be asked about.
    package static func isPlausible(_ token: String) -> Bool {
        (1...512).contains(token.utf8.count) && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
