// SPDX-License-Identifier: Apache-2.0
// Where bytes are kept: a folder.

import Crypto
import Domain
import Foundation
import NIOPosix
import Web

/// Files by the names that `StoredFileName` gives, and what comes and is worked on until it is one of them.
///
/// `files/<first two>/<name>` never changes; `incoming/<id>` is what somebody uploads; `work/…` is what a worker makes.
struct Storage: Sendable {
    private let root: String

    /// Makes the folders that are missing; throws where that is not possible.
    init(root: String) throws {
        self.root = root
        for folder in ["incoming", "work", "files"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    // MARK: What comes

    func incoming(_ id: MediaID) -> String { "\(root)/incoming/\(id)" }

    func receive(_ id: MediaID) throws -> IncomingFile { try IncomingFile(path: incoming(id)) }

    /// The first bytes of what came.
    func head(of path: String, _ count: Int) async throws -> [UInt8] {
        try await Storage.tryOnDisk {
            guard let handle = FileHandle(forReadingAtPath: path) else { throw StorageFailure("open", path) }
            defer { try? handle.close() }
            return Array(try handle.read(upToCount: count) ?? Data())
        }
    }

    /// Forgets what came; nothing happens when it is gone.
    func forget(_ id: MediaID) async { await Storage.onDisk { _ = unlink(incoming(id)) } }

    // MARK: What is worked on

    /// An empty folder for one attempt.
    func makeWorkplace(_ id: MediaID, attempt: Int) async throws -> String {
        let path = "\(root)/work/\(id)-\(attempt)"
        try await Storage.tryOnDisk {
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        return path
    }

    func clear(workplace path: String) async {
        await Storage.onDisk { try? FileManager.default.removeItem(atPath: path) }
    }

    // MARK: What is kept

    private func path(_ name: String) -> String { "\(root)/files/\(name.prefix(2))/\(name)" }

    /// Nil when there is no such file.
    func open(_ name: String) async -> OpenFile? {
        guard StoredFileName.isOne(name) else { return nil }
        return await Storage.onDisk { OpenFile(path: path(name)) }
    }

    /// The name of a file by its content.
    func name(ofFile path: String, suffix: String) async throws -> String {
        try await Storage.tryOnDisk {
            guard let handle = FileHandle(forReadingAtPath: path) else { throw StorageFailure("open", path) }
            defer { try? handle.close() }
            var hash = SHA256()
            while let part = try handle.read(upToCount: 256 * 1024), !part.isEmpty { hash.update(data: part) }
            return StoredFileName.of(digest: hash.finalize(), suffix: suffix)
        }
    }

    /// Moves a file of a workplace to where it is kept. By the time this returns, it survives a loss of power.
    func put(_ source: String, as name: String) async throws {
        let target = path(name)
        try await Storage.tryOnDisk {
            try Storage.sync(source)
            let folder = (target as NSString).deletingLastPathComponent
            if mkdir(folder, 0o700) == 0 {
                try Storage.sync("\(root)/files")
            } else if errno != EEXIST {
                throw StorageFailure("mkdir", folder)
            }
            guard rename(source, target) == 0 else { throw StorageFailure("rename", target) }
            try Storage.sync(folder)
        }
    }

    func remove(_ names: [String]) async {
        await Storage.onDisk { for name in names where StoredFileName.isOne(name) { unlink(path(name)) } }
    }

    // MARK: What is left over

    /// A file or a folder that is there, and when it was last changed.
    struct Entry: Sendable {
        let name: String
        let changed: Timestamp
    }

    /// - Parameter prefix: the first two digits of their names.
    func names(beginning prefix: String) async -> [Entry] {
        await Storage.onDisk { Storage.entries("\(root)/files/\(prefix)") }
    }

    /// What came, by its id.
    func incoming() async -> [Entry] { await Storage.onDisk { Storage.entries("\(root)/incoming") } }

    func workplaces() async -> [Entry] { await Storage.onDisk { Storage.entries("\(root)/work") } }

    func clear(workplaceNamed name: String) async {
        guard !name.contains("/"), !name.hasPrefix(".") else { return }
        await clear(workplace: "\(root)/work/\(name)")
    }

    private static func entries(_ folder: String) -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            var information = stat()
            guard stat("\(folder)/\(name)", &information) == 0 else { return nil }
            return Entry(name: name, changed: Timestamp(milliseconds: Int64(information.st_mtim.tv_sec) * 1000))
        }
    }

    // MARK: The disk

    private static func sync(_ path: String) throws {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageFailure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StorageFailure("fsync", path) }
    }

    /// Runs what waits for a disk where nobody else waits for it.
    static func tryOnDisk<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    private static func onDisk<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: body()) }
        }
    }
}

/// The disk refused: for the log.
struct StorageFailure: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, _ path: String) { description = "\(call) \(path): \(String(cString: strerror(errno)))" }
}

/// What somebody uploads, on its way to the disk.
final class IncomingFile: Sendable {
    /// Bytes after which what came is brought to the disk, so that the end of a large file does not wait for all of it.
    private static let stride = 8 << 20

    let path: String
    private let descriptor: Int32

    fileprivate init(path: String) throws {
        self.path = path
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StorageFailure("open", path) }
    }

    deinit { close(descriptor) }

    /// Writes at a place, over what was there.
    func write(_ bytes: [UInt8], at offset: Int) async throws {
        try await Storage.tryOnDisk { [self] in
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
        try await Storage.tryOnDisk { [self] in
            guard ftruncate(descriptor, off_t(length)) == 0, fsync(descriptor) == 0 else {
                throw StorageFailure("fsync", path)
            }
        }
    }
}
