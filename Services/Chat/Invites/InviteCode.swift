// SPDX-License-Identifier: Apache-2.0
// The secret in an invitation.

/// 100 bits of chance, as 20 letters and digits that nobody mistakes for one another when reading aloud.
enum InviteCode {
    private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")

    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<20).compactMap { _ in letters.randomElement(using: &generator) })
    }

    /// Whether a text can be a code at all: what cannot is not asked of the database.
    static func isWellFormed(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
    }
}
