// SPDX-License-Identifier: Apache-2.0
// A service account of Google, and the token that it gets (https://developers.google.com/identity/protocols/oauth2/service-account).

import Domain
import Foundation
import JWTKit
import Outbound

/// What the file of a service account says.
struct FirebaseAccount: Sendable {
    private struct File: Decodable {
        enum CodingKeys: String, CodingKey {
            case type
            case projectID = "project_id"
            case keyID = "private_key_id"
            case key = "private_key"
            case email = "client_email"
            case tokenURI = "token_uri"
        }

        let type: String
        let projectID: String
        let keyID: String?
        let key: String
        let email: String
        let tokenURI: String?
    }

    let projectID: String
    let email: String
    let signer: TokenSigner
    /// Where tokens are given out: of Google, or what the file says.
    let tokenURL: String

    /// Nil for what is no service account.
    init?(_ text: String) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(text.utf8)), file.type == "service_account",
            // It becomes part of a path.
            (1...100).contains(file.projectID.utf8.count), file.projectID.utf8.allSatisfy(\.isOfProject),
            let signer = TokenSigner.rs256(pem: file.key, keyID: file.keyID)
        else { return nil }
        projectID = file.projectID
        email = file.email
        self.signer = signer
        tokenURL = file.tokenURI ?? "https://oauth2.googleapis.com/token"
        guard OutboundURL.endpoint(of: tokenURL) != nil, tokenURL.hasPrefix("https://") else { return nil }
    }
}

extension UInt8 {
    fileprivate var isOfProject: Bool {
        switch self {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension FirebaseAccount {
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

    private struct Claims: OwnClaims {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64
    }

    private struct Granted: Decodable {
        enum CodingKeys: String, CodingKey {
            case token = "access_token"
            case seconds = "expires_in"
        }

        let token: String
        let seconds: Int64?
    }

    private struct Refused: Decodable {
        let error: String?
    }

    /// Asks for a token. Throws `NotSent` where there is none.
    func makeToken(at now: Timestamp, ask: Ask) async throws -> KeptToken.Token {
        guard let (host, port) = OutboundURL.endpoint(of: tokenURL) else {
            throw NotSent(outcome: .misconfigured(reason: "BadTokenURI"))
        }
        let claims = Claims(
            iss: email,
            scope: Self.scope,
            aud: tokenURL,
            iat: now.seconds,
            exp: now.seconds + 3600
        )
        let assertion = try await signer.sign(claims)
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let answer = try await ask(
            OutboundRequest(
                .post,
                tokenURL,
                headers: [("content-type", "application/x-www-form-urlencoded"), ("accept", "application/json")],
                body: Array(form.utf8),
                limits: Asking.limits,
                guard: .operators(host, port: port)
            )
        )
        guard answer.status == 200, let granted = answer.json(Granted.self), !granted.token.isEmpty else {
            throw NotSent(outcome: Self.outcome(answer, now: now))
        }
        let life = min(max(granted.seconds ?? 3600, 0), 86_400)
        return KeptToken.Token(
            text: granted.token,
            madeAt: now,
            // Five minutes before its end, or after half of a short life.
            freshUntil: now + .seconds(max(life - 300, life / 2)),
            goodUntil: now + .seconds(max(life - 10, life / 2))
        )
    }

    /// Errors of OAuth (RFC 6749, section 5.2).
    private static func outcome(_ answer: OutboundAnswer, now: Timestamp) -> PushOutcome {
        let reason = answer.json(Refused.self)?.error.map { String($0.prefix(100)) } ?? "HTTP \(answer.status)"
        return switch answer.status {
        case 400, 401, 403: .misconfigured(reason: reason)
        default: .later(reason: reason, after: answer.retryAfter(now: now))
        }
    }
}
