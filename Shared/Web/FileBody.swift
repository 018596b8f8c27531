// SPDX-License-Identifier: Apache-2.0
// A part of a file, as the body of an answer.

import Glibc
import NIOCore
import NIOPosix

/// A file that is open for reading. What is read of it stays the same when the file is removed meanwhile.
package final class OpenFile: Sendable {
    /// Bytes.
    package let size: Int
    private let descriptor: Int32

    /// Nil when there is no such file.
    package init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(information.st_size)
    }

    deinit { close(descriptor) }

    /// At most `count` bytes; throws when there are none at `offset`.
    func read(_ count: Int, at offset: Int) async throws -> ByteBuffer {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
            }
            guard got > 0 else { throw Shortened() }
            return buffer
        }
    }

    /// The file is shorter than it was.
    private struct Shortened: Error {}
}

/// A part of a file, as the body of an answer: read while it is sent, so that memory does not grow with it.
package struct FileBody: Sendable {
    private static let piece = 128 * 1024

    private let file: OpenFile
    private let range: Range<Int>

    /// - Parameter range: within the file.
    package init(_ file: OpenFile, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }

    package var count: Int { range.count }

    /// All of it at once.
    package func bytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await write { bytes += Array($0.readableBytesView) }
        return bytes
    }

    func write(_ send: (ByteBuffer) async throws -> Void) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let part = try await file.read(min(FileBody.piece, range.upperBound - offset), at: offset)
            offset += part.readableBytes
            try await send(part)
        }
    }
}
