// SPDX-License-Identifier: Apache-2.0
// Who we are for push services: VAPID (RFC 8292).

import Crypto
import Domain
import Foundation
import JWTKit
import Synchronization
import Web

/// The key that subscriptions are bound to. It signs and encrypts nothing else.
final class ServerIdentity: Sendable {
    /// A statement holds for a day at most; this one for half of it, and is made anew after a quarter.
    static let life = Duration.seconds(12 * 3600)
    private static let fresh = Duration.seconds(6 * 3600)
    /// Push services whose statements are remembered; beyond that the memory starts anew.
    private static let mostServices = 1000

    private struct Claims: OwnClaims {
        let aud: String
        let exp: Int64
        let sub: String?
    }

    private struct Statement {
        let token: String
        let freshUntil: Timestamp
        let madeAt: Timestamp
    }

    /// The point in 65 bytes, in Base64 for URLs: what a client subscribes with.
    let publicKey: String
    private let signer: TokenSigner
    private let subject: String?
    private let statements = Mutex<[String: Statement]>([:])

    /// - Parameters:
    ///   - pem: a private key of P-256; nil for anything else.
    ///   - subject: where the operator is reached, as `mailto:` or `https:`.
    init?(pem: String, subject: String?) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem), let signer = TokenSigner.es256(pem: pem)
        else { return nil }
        publicKey = key.publicKey.x963Representation.forURL
        self.signer = signer
        self.subject = subject
    }

    /// The statement for the push service of an origin.
    func token(for origin: String, at now: Timestamp) async throws -> String {
        let known = statements.withLock { $0[origin] }
        if let known, now < known.freshUntil, now >= known.madeAt { return known.token }
        let exp = (now + Self.life).seconds
        let token = try await signer.sign(Claims(aud: origin, exp: exp, sub: subject))
        let statement = Statement(token: token, freshUntil: now + Self.fresh, madeAt: now)
        statements.withLock { statements in
            if statements.count >= Self.mostServices { statements = [:] }
            statements[origin] = statement
        }
        return token
    }
}

extension Data {
    /// In Base64 for URLs, without padding.
    var forURL: String { Base64.encoded(self, url: true) }
}
