// SPDX-License-Identifier: Apache-2.0
// A part of a file, as the body of an answer.

import Glibc
public import NIOCore
import NIOPosix

/// What can be read of it from any place.
public protocol FileContent: Sendable {
    /// Bytes.
    var size: Int { get }
    /// Bytes that are best read at a time.
    var piece: Int { get }

    /// At most `count` bytes, which is no more than `piece`; throws when there are none at `offset`.
    func read(_ count: Int, at offset: Int) async throws -> ByteBuffer
}

/// A file that is open for reading. What is read of it stays the same when the file is removed meanwhile.
public final class OpenFile: FileContent {
    public let size: Int
    public let piece = 128 * 1024
    private let descriptor: Int32

    /// Nil when there is no such file.
    public init?(path: String) {
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

    public func read(_ count: Int, at offset: Int) async throws -> ByteBuffer {
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
public struct FileBody: Sendable {
    private let file: any FileContent
    private let range: Range<Int>

    /// - Parameter range: within the file.
    public init(_ file: any FileContent, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }

    public var count: Int { range.count }

    /// All of it at once.
    public func bytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await write { bytes += Array($0.readableBytesView) }
        return bytes
    }

    func write(_ send: (ByteBuffer) async throws -> Void) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let part = try await file.read(min(file.piece, range.upperBound - offset), at: offset)
            offset += part.readableBytes
            try await send(part)
        }
    }
}
