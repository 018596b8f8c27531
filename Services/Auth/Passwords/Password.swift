// SPDX-License-Identifier: Apache-2.0
// What may be a password.

import Foundation

/// A password in Unicode's composed form, so that Hangul typed on two systems is one password.
struct Password: Sendable {
    /// Characters at least, bytes at most; nothing is ever cut off.
    static let minimum = 8
    static let maximum = 1024

    let bytes: [UInt8]

    /// Any text, as typed by somebody who signs in; nil when it is longer than any password can be.
    init?(typed text: String) {
        guard text.utf8.count <= Password.maximum * 4 else { return nil }
        let composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
        guard composed.count <= Password.maximum else { return nil }
        bytes = composed
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// A password that may be chosen.
    ///
    /// - Parameter others: what the same person is known by; a password made of it is refused.
    static func choosing(_ text: String, apartFrom others: [String]) throws(ValidationFault) -> Password {
        guard !text.isEmpty else { throw .blank }
        guard text.utf8.count <= maximum else { throw .tooLong }
        let composed = text.precomposedStringWithCanonicalMapping
        guard composed.utf8.count <= maximum else { throw .tooLong }
        guard composed.count >= minimum else { throw .tooShort }
        guard !CommonPasswords.contains(composed), !GuessablePasswords.contains(composed, apartFrom: others) else {
            throw .guessable
        }
        return Password(bytes: Array(composed.utf8))
    }
}
