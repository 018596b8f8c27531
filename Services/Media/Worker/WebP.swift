// SPDX-License-Identifier: Apache-2.0
// Files of WebP.

import CVips
import FoundationEssentials
import Glibc
import MediaWork

/// What libvips encodes, without the EXIF that it writes into every WebP (8.14, even when told to strip).
struct WebP: EncodedFrames {
    static let mime = "image/webp"
    static let suffix = "webp"

    private static let left: Set<String> = ["EXIF", "XMP ", "ICCP"]
    /// The bits of the same chunks in the first byte of VP8X.
    private static let flagsLeft: UInt8 = 0x08 | 0x04 | 0x20

    let bytes: [UInt8]
    let size: Size

    init(_ picture: Picture) throws {
        size = Size(picture.width, picture.height)
        bytes = try Self.encoded { madang_vips_webp(picture.image, &$0, &$1, 80) }
    }

    init(_ frames: Frames) throws {
        size = frames.size
        let (height, delays) = (Int32(frames.size.height), frames.delays.map { Int32(clamping: $0) })
        bytes = try Self.encoded { bytes, count in
            madang_vips_animated_webp(frames.picture.image, &bytes, &count, height, delays, Int32(delays.count))
        }
    }

    private static func encoded(_ encode: (inout UnsafeMutableRawPointer?, inout Int) -> Int32) throws -> [UInt8] {
        var encoded: UnsafeMutableRawPointer?
        var count = 0
        guard encode(&encoded, &count) == 0, let encoded else { throw WorkFailed.cannotWrite }
        defer { free(encoded) }
        return bare(UnsafeRawBufferPointer(start: encoded, count: count))
    }

    /// RIFF: chunks of a name, a length, and their bytes filled up to an even number.
    private static func bare(_ file: UnsafeRawBufferPointer) -> [UInt8] {
        var kept = Array(file.prefix(12))
        var rest = file.dropFirst(12)
        while rest.count >= 8 {
            let length = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: rest.prefix(4), as: UTF8.self)
            var chunk = Array(rest.prefix(8 + length + length % 2))
            rest = rest.dropFirst(chunk.count)
            if left.contains(name) { continue }
            if name == "VP8X", chunk.count > 8 { chunk[8] &= ~flagsLeft }
            kept += chunk
        }
        let length = kept.count - 8
        for index in 0..<4 { kept[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        return kept
    }
}
