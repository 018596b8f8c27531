// SPDX-License-Identifier: Apache-2.0
// What waits for a disk, where nobody else waits for it.

import Domain
import Foundation
import NIOPosix

enum Disk {
    static func tryRun<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: body()) }
        }
    }

    /// Brings a file or a folder to the disk.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageFailure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StorageFailure("fsync", path) }
    }

    static func entries(_ folder: String) -> [StoredEntry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            var information = stat()
            guard stat("\(folder)/\(name)", &information) == 0 else { return nil }
            return StoredEntry(
                name: name,
                changed: Timestamp(milliseconds: Int64(information.st_mtim.tv_sec) * 1000)
            )
        }
    }

    /// Whether a file of the largest size would still find room.
    static func hasRoom(at path: String) -> Bool {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { return true }
        return UInt64(information.f_bavail) * UInt64(information.f_frsize) > 1 << 30
    }
}
