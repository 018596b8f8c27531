// SPDX-License-Identifier: Apache-2.0
// Links to stored files, which say themselves whether they may be followed.

import Crypto
public import Domain
import FoundationEssentials
public import ServiceKit

/// Makes and checks links to stored files (decision 0018). Whoever has one may see the file, and nobody can make one
/// without the key.
public struct MediaLinks: Sendable {
    private static let day: Int64 = 24 * 3600

    private let origin: String
    private let key: SymmetricKey

    /// - Parameter key: what posts, chat, notifications, search and media know together.
    public init(site: Site, key: String) {
        origin = site.origin
        self.key = SymmetricKey(data: Array(key.utf8))
    }

    /// A link for everybody, for as long as the file is there.
    ///
    /// - Parameter name: of the stored file.
    public func open(_ name: String) -> String { "\(origin)/media/o/\(code("o:\(name)"))/\(name)" }

    /// A link that is good for seven to eight days. It stays the same for a day, so that clients' caches know it again.
    ///
    /// - Parameter name: of the stored file.
    public func closed(_ name: String, now: Timestamp) -> String {
        let days = now.seconds / MediaLinks.day + 8
        let until = String(days * MediaLinks.day, radix: 36)
        return "\(origin)/media/x/\(until)/\(code("x:\(until):\(name)"))/\(name)"
    }

    /// A link that is good until a moment.
    ///
    /// - Parameter name: of the stored file.
    public func closed(_ name: String, until end: Timestamp) -> String {
        let until = String(max(0, end.seconds), radix: 36)
        return "\(origin)/media/x/\(until)/\(code("x:\(until):\(name)"))/\(name)"
    }

    /// A link for everybody to the cover of a book, which is somebody else's picture.
    ///
    /// - Parameter url: of the picture.
    public func cover(_ url: String) -> String {
        "\(origin)/media/c/\(code("c:\(url)"))/\(CoverLink.address(of: url))"
    }

    /// The same links for views, closed ones as of the moment at which they are written.
    public func shown(now: @escaping @Sendable () -> Timestamp) -> FileLinks {
        FileLinks(open: { open($0) }, closed: { closed($0, now: now()) }, cover: { cover($0) })
    }

    /// Whether `open` made a link with this code.
    public func opens(_ name: String, code: String) -> Bool {
        StoredFileName.isOne(name) && isEqual(Array(code.utf8), Array(self.code("o:\(name)").utf8))
    }

    /// Until when a link of `closed` is good; nil when it never was one.
    public func closes(_ name: String, until: String, code: String) -> Timestamp? {
        guard StoredFileName.isOne(name), until.utf8.count <= 10, let seconds = Int64(until, radix: 36), seconds >= 0,
            isEqual(Array(code.utf8), Array(self.code("x:\(until):\(name)").utf8))
        else { return nil }
        return Timestamp(milliseconds: seconds * 1000)
    }

    /// The picture to which a link of `cover` leads; nil for what never was one.
    public func covers(_ address: String, code: String) -> String? {
        guard let url = CoverLink.url(at: address),
            isEqual(Array(code.utf8), Array(self.code("c:\(url)").utf8))
        else { return nil }
        return url
    }

    /// 16 bytes of HMAC-SHA256 (RFC 2104) as hexadecimal digits.
    private func code(_ text: String) -> String {
        hexadecimal(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(16))
    }
}

/// What stored files are called: by their content, and nothing else is.
public enum StoredFileName {
    /// - Parameters:
    ///   - digest: SHA-256 of the file.
    ///   - suffix: such as `jpg`.
    public static func of(digest: some Sequence<UInt8>, suffix: String) -> String {
        "\(hexadecimal(digest.prefix(16))).\(suffix)"
    }

    /// 32 hexadecimal digits, a dot and two to five letters or digits.
    public static func isOne(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (35...38).contains(bytes.count), bytes[32] == UInt8(ascii: ".") else { return false }
        return bytes[..<32].allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
            && bytes[33...].allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
    }
}

/// In lower case.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
}

extension Settings {
    /// The links to stored files, as every service that shows some makes them.
    public mutating func mediaLinks(_ site: Site) -> MediaLinks {
        let key = parsed(
            "MADANG_MEDIA_LINK_KEY",
            secret: true,
            expected: "at least 16 characters",
            meaning: "signs links to stored files; for as long as links shall be good, the same in every service",
            parse: { $0.utf8.count >= 16 ? $0 : nil }
        )
        return MediaLinks(site: site, key: key ?? "")
    }
}
