// SPDX-License-Identifier: Apache-2.0
// Secrets that clients hold: shown once, stored as a hash.

import Crypto
import Web

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
    /// With the alphabet for URLs and without padding (RFC 4648, section 5).
    var base64URL: String { Base64.encoded(Array(self), url: true) }
}
