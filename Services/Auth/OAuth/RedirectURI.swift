// SPDX-License-Identifier: Apache-2.0
// Where an app wants people sent back to, compared exactly (RFC 9700, section 2.1; RFC 8252, section 7.3).

import Domain

/// An absolute URI that an app registered.
struct RedirectURI: Hashable, Sendable, CustomStringConvertible {
    /// Asks to show the code on a page instead.
    static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

    let text: String
    let scheme: String
    /// With the brackets of an IPv6 address; nil for a URI without authority.
    let host: String?
    let port: Int?
    private let portRange: Range<String.UTF8View.Index>?

    var description: String { text }
    var isOutOfBand: Bool { text == RedirectURI.outOfBand }

    /// A loopback address in digits, whose port an app on a desktop learns only when it starts.
    private var isLoopback: Bool { scheme == "http" && (host == "127.0.0.1" || host == "[::1]") }

    /// Nil for a fragment, user information, a scheme that runs code, plain http beyond this machine, or no URI.
    init?(_ text: String) {
        let bytes = text.utf8
        guard (3...2000).contains(bytes.count), bytes.allSatisfy(RedirectURI.allows),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex
        else { return nil }
        let scheme = String(text[..<colon])
        guard let first = scheme.utf8.first, RedirectURI.isLetter(first), scheme == scheme.lowercased(),
            scheme.utf8.allSatisfy({ RedirectURI.isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }),
            !["javascript", "data", "vbscript", "file", "about", "blob", "view-source", "filesystem"].contains(scheme)
        else { return nil }
        self.text = text
        self.scheme = scheme

        let rest = text[bytes.index(after: colon)...]
        guard rest.hasPrefix("//") else {
            guard scheme != "http", scheme != "https", !rest.isEmpty else { return nil }
            (host, port, portRange) = (nil, nil, nil)
            return
        }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { return nil }
        var hostEnd = authority.endIndex
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            hostEnd = authority.index(after: bracket)
        } else if let separator = authority.firstIndex(of: ":") {
            hostEnd = separator
        }
        let host = String(authority[..<hostEnd])
        guard host.utf8.allSatisfy(RedirectURI.allowsInHost) else { return nil }
        let tail = authority[hostEnd...]
        if tail.isEmpty {
            (port, portRange) = (nil, nil)
        } else {
            guard tail.hasPrefix(":"), (2...6).contains(tail.utf8.count), let number = Int(tail.dropFirst()),
                (0...65_535).contains(number), tail.dropFirst().utf8.allSatisfy({ (48...57).contains($0) })
            else { return nil }
            (port, portRange) = (number, tail.startIndex..<tail.endIndex)
        }
        self.host = host
        if scheme == "https" || scheme == "http" {
            guard !host.isEmpty, scheme == "https" || ["localhost", "127.0.0.1", "[::1]"].contains(host) else {
                return nil
            }
        }
    }

    /// Whether an authorization request with `other` may go where this one was registered: character by character,
    /// but for the port of a loopback address.
    func accepts(_ other: RedirectURI) -> Bool {
        if text == other.text { return true }
        return isLoopback && other.isLoopback && withoutPort == other.withoutPort
    }

    private var withoutPort: String {
        guard let portRange else { return text }
        return String(text[..<portRange.lowerBound] + text[portRange.upperBound...])
    }

    /// Adds parameters to the query.
    func adding(_ parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        if text.hasSuffix("?") || text.hasSuffix("&") { return text + query }
        return text + (text.contains("?") ? "&" : "?") + query
    }

    /// What a person is shown, and what a form's target is limited to.
    var origin: String {
        guard let host, scheme == "https" || scheme == "http" else { return scheme + ":" }
        return "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
    }

    /// Characters of RFC 3986 without `#`.
    private static func allows(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte) || "-._~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
    }

    private static func allowsInHost(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte) || "-._[]:".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
