// SPDX-License-Identifier: Apache-2.0
// Proof key for code exchange (RFC 7636), S256 only.

import Crypto

/// What an app sends ahead, to prove at the token endpoint that it began the authorization.
struct CodeChallenge: Hashable, Sendable {
    let text: String

    /// Nil unless it is the Base64url form of a SHA-256: 43 characters.
    init?(_ text: String) {
        guard text.utf8.count == 43, text.utf8.allSatisfy(CodeChallenge.isURLSafe) else { return nil }
        self.text = text
    }

    /// Whether the challenge was made from this verifier.
    func accepts(_ verifier: String) -> Bool {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(CodeChallenge.isUnreserved) else {
            return false
        }
        return Secret.equal(Array(SHA256.hash(data: Array(verifier.utf8)).base64URL.utf8), Array(text.utf8))
    }

    private static func isURLSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 95: true
        default: false
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isURLSafe(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
    }
}
