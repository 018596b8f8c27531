// SPDX-License-Identifier: Apache-2.0
// Header fields that answers carry whatever they say.

import Domain
import NIOCore
import NIOHTTP1

/// Security and CORS fields, as bytes made once.
struct StandingHeaders: Sendable {
    private let security: ByteBuffer
    private let frames: ByteBuffer
    private let shared: ByteBuffer
    private let preflight: ByteBuffer

    init(site: Site) {
        var security = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n"
        if site.origin.hasPrefix("https://") {
            security += "Strict-Transport-Security: max-age=63072000; includeSubDomains\r\n"
        }
        self.security = ByteBuffer(string: security)
        frames = ByteBuffer(
            string: "X-Frame-Options: DENY\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
        )
        shared = ByteBuffer(
            string: "Access-Control-Allow-Origin: *\r\n"
                + "Access-Control-Expose-Headers: Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
                + "X-Request-Id, Idempotency-Key, Retry-After, Deprecation, Location, Upload-Offset, Upload-Length, "
                + "Upload-Expires, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size\r\nVary: Origin\r\n"
        )
        preflight = ByteBuffer(
            string: "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n"
                + "Access-Control-Max-Age: 7200\r\n"
        )
    }

    func writeSecurity(_ bytes: inout ByteBuffer, isOwn: Bool) {
        bytes.writeImmutableBuffer(security)
        if isOwn { bytes.writeImmutableBuffer(frames) }
    }

    /// Any origin may read answers, as with Mastodon; without credentials, so that no cookie works across origins.
    func writeShared(_ bytes: inout ByteBuffer) { bytes.writeImmutableBuffer(shared) }

    func writePreflight(_ bytes: inout ByteBuffer, wanted: String?) {
        bytes.writeImmutableBuffer(preflight)
        let usual = "Authorization, Content-Type, Idempotency-Key, Accept-Language"
        var allowed = usual
        if let wanted, wanted.utf8.count <= 1024, wanted.utf8.allSatisfy(StandingHeaders.isInList) { allowed = wanted }
        bytes.writeString("Access-Control-Allow-Headers: \(allowed)\r\n")
    }

    private static func isInList(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ","), 0x20:
            true
        default: false
        }
    }
}
