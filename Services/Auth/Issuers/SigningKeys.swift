// SPDX-License-Identifier: Apache-2.0
// The keys with which an issuer signs (RFC 7517).

import Foundation
import JWTKit

/// Keys of RS256 and ES256, each with one algorithm: what a token says of its algorithm chooses none.
struct SigningKeys: Sendable {
    enum Algorithm: String, Sendable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    struct Key: Sendable {
        let id: String?
        let algorithm: Algorithm
        /// The one key.
        let verifying: JWTKeyCollection
    }

    let keys: [Key]

    private struct Document: Decodable {
        let keys: [Entry]
    }

    /// A key of a kind that nobody knows takes nothing from the others.
    private struct Entry: Decodable {
        let key: Described?

        init(from decoder: any Decoder) throws { key = try? Described(from: decoder) }
    }

    private struct Described: Decodable {
        let kty: String
        let kid: String?
        let use: String?
        let alg: String?
        let n: String?
        let e: String?
        let crv: String?
        let x: String?
        let y: String?
    }

    /// Most that one issuer has.
    private static let most = 64

    /// Throws `IssuerAway` for a document without a key of use.
    init(_ document: [UInt8]) async throws {
        guard let read = try? JSONDecoder().decode(Document.self, from: Data(document)) else {
            throw IssuerAway(cause: "keys that cannot be read")
        }
        var keys: [Key] = []
        for entry in read.keys.prefix(SigningKeys.most) {
            guard let described = entry.key, let key = await SigningKeys.key(described) else { continue }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw IssuerAway(cause: "no key of RS256 or ES256") }
        self.keys = keys
    }

    /// The key of a token; without a name only where there is one of its algorithm.
    func key(_ id: String?, _ algorithm: Algorithm) -> Key? {
        let able = keys.filter { $0.algorithm == algorithm }
        guard let id else { return able.count == 1 ? able.first : nil }
        return able.first { $0.id == id }
    }

    private static func key(_ described: Described) async -> Key? {
        guard described.use == nil || described.use == "sig" else { return nil }
        let verifying = JWTKeyCollection()
        let algorithm: Algorithm
        switch described.kty {
        case "RSA":
            guard let n = described.n, let e = described.e,
                let key = try? Insecure.RSA.PublicKey(modulus: n, exponent: e),
                // 2,048 bits at least (RFC 7518, section 3.3).
                let modulus = try? key.getKeyPrimitives().modulus, modulus.count >= 256
            else { return nil }
            algorithm = .rs256
            await verifying.add(rsa: key, digestAlgorithm: .sha256)
        case "EC":
            guard described.crv == "P-256", let x = described.x, let y = described.y,
                let key = try? ES256PublicKey(parameters: (x, y))
            else { return nil }
            algorithm = .es256
            await verifying.add(ecdsa: key)
        default: return nil
        }
        guard described.alg == nil || described.alg == algorithm.rawValue else { return nil }
        return Key(id: described.kid, algorithm: algorithm, verifying: verifying)
    }
}
