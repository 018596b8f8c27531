// SPDX-License-Identifier: Apache-2.0
// How a link of Madang's names a picture that is somebody else's.

import FoundationEssentials

/// `/media/c/<code>/<address>`: the cover of a book, which media fetches when somebody looks at it first.
public enum CoverLink {
    /// Bytes of the URL of a picture.
    private static let longest = 2048

    /// A URL as one part of a path: Base64url (RFC 4648, section 5) without padding.
    public static func address(of url: String) -> String {
        Data(url.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=",
            with: ""
        )
    }

    /// What `address(of:)` wrote; nil for anything else.
    public static func url(at address: some StringProtocol) -> String? {
        guard !address.isEmpty, address.utf8.count <= longest * 4 / 3 + 4 else { return nil }
        let padding = String(repeating: "=", count: (4 - address.utf8.count % 4) % 4)
        let text = String(address).replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let bytes = Data(base64Encoded: text), bytes.count <= longest,
            let url = String(validating: bytes, as: UTF8.self), self.address(of: url) == address
        else { return nil }
        return url
    }

    /// The picture to which such a link leads, whoever made it; nil for any other link.
    public static func source(of link: String) -> String? {
        let parts = link.split(separator: "/", omittingEmptySubsequences: false).suffix(4)
        guard let first = parts.first, first == "media", parts.count == 4, parts[parts.startIndex + 1] == "c",
            parts[parts.startIndex + 2].utf8.count == 32
        else { return nil }
        return parts.last.flatMap { url(at: $0) }
    }
}
