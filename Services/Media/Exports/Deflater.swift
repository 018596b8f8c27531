// SPDX-License-Identifier: Apache-2.0
// Compression for archives, over the system's zlib.

internal import CZlib

/// Raw deflate (RFC 1951) of one file, piece by piece.
final class Deflater {
    private static let piece = 64 * 1024

    private let stream: UnsafeMutablePointer<z_stream>
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: piece)

    /// Nil where there is no memory for it.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let begun = deflateInit2_(stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard begun == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// What comes of some more bytes.
    ///
    /// - Parameter isLast: whether no more will come.
    func deflate(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var packed: [UInt8] = []
        var bytes = bytes
        bytes.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let state = CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                packed += output[..<(output.count - Int(stream.pointee.avail_out))]
                if state != Z_OK { break }
            } while stream.pointee.avail_out == 0 || isLast
            stream.pointee.next_in = nil
        }
        return packed
    }

    /// The CRC-32 of a file after some more bytes; 0 at its beginning.
    static func checksum(_ bytes: [UInt8], after sum: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(UInt(sum), bytes, UInt32(bytes.count)))
    }
}
