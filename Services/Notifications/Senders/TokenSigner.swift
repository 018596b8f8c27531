// SPDX-License-Identifier: Apache-2.0
// Signs what we claim, as JSON Web Tokens (RFC 7519).

import JWTKit

/// A private key of ours that others know the public part of.
struct TokenSigner: Sendable {
    private enum Key: Sendable {
        case es256(ES256PrivateKey)
        case rs256(Insecure.RSA.PrivateKey)
    }

    private let key: Key
    /// By which name the other side knows the key.
    private let keyID: String?

    /// - Parameter pem: a private key of P-256, PKCS #8 or SEC 1; nil for anything else.
    static func es256(pem: String, keyID: String? = nil) -> TokenSigner? {
        (try? ES256PrivateKey(pem: pem)).map { TokenSigner(key: .es256($0), keyID: keyID) }
    }

    /// - Parameter pem: a private key of RSA, of 2048 bits or more; nil for anything else.
    static func rs256(pem: String, keyID: String? = nil) -> TokenSigner? {
        (try? Insecure.RSA.PrivateKey(pem: pem)).map { TokenSigner(key: .rs256($0), keyID: keyID) }
    }

    func sign(_ claims: some JWTPayload) async throws -> String {
        let keys = JWTKeyCollection()
        let name = keyID.map { JWKIdentifier(string: $0) }
        switch key {
        case .es256(let key): await keys.add(ecdsa: key, kid: name)
        case .rs256(let key): await keys.add(rsa: key, digestAlgorithm: .sha256, kid: name)
        }
        return try await keys.sign(claims, kid: name)
    }
}

/// Claims of ours, which nobody here reads again.
protocol OwnClaims: JWTPayload {}

extension OwnClaims {
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
