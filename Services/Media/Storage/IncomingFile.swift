// SPDX-License-Identifier: Apache-2.0
// Bytes that somebody sends, on their way to the disk.

import Glibc

/// What somebody uploads, on its way to the disk.
final class IncomingFile: Sendable {
    /// Bytes after which what came is brought to the disk, so that the end of a large file does not wait for all of it.
    private static let stride = 8 << 20

    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StorageFailure("open", path) }
    }

    deinit { close(descriptor) }

    /// Writes at a place, over what was there.
    func write(_ bytes: [UInt8], at offset: Int) async throws {
        try await Disk.tryRun { [self] in
            try bytes.withUnsafeBytes { buffer in
                var done = 0
                while done < buffer.count {
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                    let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { throw StorageFailure("write", path) }
                    done += count
                }
            }
            if offset / IncomingFile.stride != (offset + bytes.count) / IncomingFile.stride { fdatasync(descriptor) }
        }
    }

    /// Cuts what is there to a length and brings it to the disk.
    func finish(length: Int) async throws {
        try await Disk.tryRun { [self] in
            guard ftruncate(descriptor, off_t(length)) == 0, fsync(descriptor) == 0 else {
                throw StorageFailure("fsync", path)
            }
        }
    }
}
