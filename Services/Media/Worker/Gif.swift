// SPDX-License-Identifier: Apache-2.0
// Files of GIF.

import CVips
import Glibc
import MediaWork

/// Frames as a file, in memory.
protocol EncodedFrames {
    static var mime: String { get }
    static var suffix: String { get }
    var bytes: [UInt8] { get }
    /// Of a frame.
    var size: Size { get }
}

extension EncodedFrames {
    var count: Int { bytes.count }
}

/// A file of GIF.
struct Gif: EncodedFrames {
    static let mime = "image/gif"
    static let suffix = "gif"

    let bytes: [UInt8]
    let size: Size

    /// - Parameter isCoarse: in 64 colours, and as if what hardly changes did not.
    init(_ frames: Frames, isCoarse: Bool = false) throws {
        size = frames.size
        let delays = frames.delays.map { Int32(clamping: $0) }
        var encoded: UnsafeMutableRawPointer?
        var count = 0
        let failure = madang_vips_gif(
            frames.picture.image,
            &encoded,
            &count,
            Int32(size.height),
            delays,
            Int32(delays.count),
            isCoarse ? 6 : 8,
            isCoarse ? 8 : 2
        )
        guard failure == 0, let encoded else { throw WorkFailed.cannotWrite }
        defer { free(encoded) }
        bytes = Array(UnsafeRawBufferPointer(start: encoded, count: count))
    }
}
