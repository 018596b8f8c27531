// SPDX-License-Identifier: Apache-2.0
// Secrets that clients hold: shown once, stored as a hash.

import Crypto

/// Random bytes as Base64url; the database has only their SHA-256.
///
/// 256 random bits need no slow hash: there is nothing to guess.
struct Secret: Sendable {
    let text: String

    init(bytes: [UInt8]) { text = bytes.base64URL }

    var hash: [UInt8] { Secret.hash(text) }

    static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// Compares in time that depends on the lengths alone.
    static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    static func equal(_ left: String, _ right: String) -> Bool { equal(hash(left), hash(right)) }
}

extension Sequence<UInt8> {
    /// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).
    var base64URL: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)
        var text = String.UnicodeScalarView()
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in self {
            buffer = (buffer << 8) | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int((buffer >> bits) & 63)])
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[Int((buffer << (6 - bits)) & 63)]) }
        return String(text)
    }
}
