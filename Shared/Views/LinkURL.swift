// SPDX-License-Identifier: Apache-2.0
// The link of a text that has a preview, in the one form by which everybody knows it.

public import Events

public enum LinkURL {
    /// Longer ones have no preview.
    static let longest = 2048

    /// An `http` or `https` address in its canonical form: scheme and host in lower case, without the scheme's own port and without
    /// a fragment, and everything after the host in ASCII. Nil for any other address, for one with a user, and for one that is too long.
    public static func canonical(_ address: String) -> String? {
        guard let mark = address.firstRange(of: "://") else { return nil }
        let scheme = address[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = address[mark.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let host = host(authority, defaultPort: scheme == "http" ? ":80" : ":443") else { return nil }
        let tail = rest[authority.endIndex...]
        let path = tail.hasPrefix("/") ? "" : "/"
        let url = "\(scheme)://\(host)\(path)\(escaped(tail.utf8))"
        return url.utf8.count <= longest ? url : nil
    }

    /// Of an address in its canonical form, with its port.
    public static func host(of canonical: String) -> String {
        guard let mark = canonical.firstRange(of: "://") else { return "" }
        return String(canonical[mark.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }

    /// With its port, if it is not the usual one.
    private static func host(_ authority: Substring, defaultPort: String) -> String? {
        guard !authority.isEmpty,
            !authority.contains(where: { $0 == "@" || $0 == "\\" || $0 == "%" || $0.isWhitespace })
        else {
            return nil
        }
        var host = authority.lowercased()[...]
        if host.hasSuffix(defaultPort) { host = host.dropLast(defaultPort.count) }
        if host.hasSuffix(":") { host = host.dropLast() }
        return host.isEmpty || host.hasPrefix(":") ? nil : String(host)
    }

    /// Bytes that no URL has by themselves (RFC 3986) are written as such, the same as where somebody did it before.
    private static func escaped(_ bytes: Substring.UTF8View) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in bytes {
            if byte > 0x20, byte < 0x7F, !#""<>\^`{|}"#.utf8.contains(byte) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension PostSnapshot {
    /// The link whose preview the post shows.
    public var previewedLink: String? { previewedText.flatMap(PostText.firstLink) }

    /// The text in which it stands: none beside files, as in Mastodon.
    public var previewedText: String? { media?.isEmpty == false ? nil : text }
}

extension PostSnapshot {
    /// Whether it shows neither a file nor a link.
    public var isPlain: Bool { media?.isEmpty != false && previewedLink == nil }
}

extension MessageSnapshot {
    /// Whether it shows neither a file nor a link.
    public var isPlain: Bool { attachmentIDs.isEmpty && PostText.firstLink(in: text) == nil }
}

extension PostText {
    /// The first link of a text that can have a preview, in its canonical form.
    public static func firstLink(in text: String) -> String? {
        links(in: text).lazy.compactMap(LinkURL.canonical).first
    }
}
