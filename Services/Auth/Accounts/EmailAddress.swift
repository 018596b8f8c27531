// SPDX-License-Identifier: Apache-2.0
// Addresses of mail in the one form that every mail system reads alike.

/// `local@domain` in lower case, without quotes, comments, routes or Unicode.
///
/// What RFC 5321 allows beyond that is read differently by different programs, which is how deny lists are bypassed.
struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    let text: String

    /// Nil for anything that is not plainly an address.
    init?(_ text: String) {
        // Some letters beyond ASCII become ASCII in lower case, such as the Kelvin sign.
        guard text.utf8.allSatisfy({ $0 < 128 }) else { return nil }
        let canonical = text.drop(while: \.isASCIISpace).trimmingSuffix(while: \.isASCIISpace).lowercased()
        guard (6...254).contains(canonical.utf8.count) else { return nil }
        let halves = canonical.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, EmailAddress.isLocal(halves[0]), EmailAddress.isDomain(halves[1]) else { return nil }
        self.text = canonical
    }

    var description: String { text }
    var local: Substring { text.prefix { $0 != "@" } }
    var domain: Substring { text.drop { $0 != "@" }.dropFirst() }

    private static func isLocal(_ text: Substring) -> Bool {
        guard (1...64).contains(text.utf8.count) else { return false }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { isAlphanumeric($0) || "+-_'&*=?^{}~".utf8.contains($0) }
        }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        guard text.utf8.count <= 253 else { return false }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last, top.utf8.count >= 2,
            !top.utf8.allSatisfy({ (48...57).contains($0) })
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte)
    }
}

extension Character {
    fileprivate var isASCIISpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" || self == "\r\n" }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, predicate(last) { text.removeLast() }
        return text
    }
}
