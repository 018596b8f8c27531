// SPDX-License-Identifier: Apache-2.0
// The key with which Apple knows us.

import Domain
import Foundation
import JWTKit

/// Signs the client secret that Apple wants in place of a fixed one
/// (https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret).
struct AppleKey: Sendable {
    let team: String
    let keyID: String
    private let key: ES256PrivateKey

    /// Nil for a text that is no key of P-256 in PEM.
    init?(team: String, keyID: String, pem: String) {
        guard let key = try? ES256PrivateKey(pem: pem) else { return nil }
        self.team = team
        self.keyID = keyID
        self.key = key
    }

    static func isKey(_ pem: String) -> Bool { (try? ES256PrivateKey(pem: pem)) != nil }

    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int64
        let exp: Int64
        let aud: String
        let sub: String

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// Good for five minutes; Apple allows six months.
    func secret(for client: String, at now: Timestamp, audience: String) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key)
        var header = JWTHeader()
        header.alg = "ES256"
        header.kid = keyID
        let claims = Claims(iss: team, iat: now.seconds, exp: now.seconds + 300, aud: audience, sub: client)
        return try await keys.sign(claims, header: header)
    }
}
