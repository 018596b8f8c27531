// SPDX-License-Identifier: Apache-2.0
// The name by which people address an account.

/// 1 to 30 letters, digits and underscores of ASCII, kept in lower case: two names that differ in case are one.
public struct Username: Hashable, Sendable, CustomStringConvertible {
    public static let lengths = 1...30

    /// The lower-cased text.
    public let text: String

    /// Nil when the text breaks the rule above.
    public init?(_ text: some StringProtocol) {
        guard Username.lengths.contains(text.utf8.count) else { return nil }
        var text = String(text)
        let (isAllowed, isLower) = text.withUTF8 { bytes in
            (bytes.allSatisfy(Username.allows), !bytes.contains { (65...90).contains($0) })
        }
        guard isAllowed else { return nil }
        self.text = isLower ? text : text.lowercased()
    }

    public static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 95, 97...122: true
        default: false
        }
    }

    public var description: String { text }
}

extension Username {
    /// As clients write whom they mean: `name`, `@name` or `name@domain` with this server's domain; nil for a name that is
    /// none here.
    public init?(acct: String, domain: String) {
        let parts = acct.drop(while: { $0 == "@" }).split(
            separator: "@",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let name = parts.first else { return nil }
        if parts.count == 2, let host = parts.last, host.lowercased() != domain.lowercased() { return nil }
        self.init(name)
    }
}

extension Username: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let name = Username(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a username")
        }
        self = name
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
