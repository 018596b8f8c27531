// SPDX-License-Identifier: Apache-2.0
// Where bytes are kept, and where they are until then.

import Crypto
import Domain
import Foundation
import Web

/// What comes and is worked on in a folder of this machine, and stored files wherever they are.
///
/// `incoming/<id>` is what somebody uploads; `work/…` is what a worker makes; stored files are in `files` or in a bucket.
struct Storage: Sendable {
    private let root: String
    private let kept: any KeptFiles

    /// Makes the folders that are missing; throws where that is not possible.
    ///
    /// - Parameter bucket: where stored files are; the folder without one.
    init(root: String, bucket: (any KeptFiles)? = nil) throws {
        self.root = root
        kept = bucket ?? Folder(root: "\(root)/files")
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
        try await Disk.tryRun {
            guard let handle = FileHandle(forReadingAtPath: path) else { throw StorageFailure("open", path) }
            defer { try? handle.close() }
            return Array(try handle.read(upToCount: count) ?? Data())
        }
    }

    /// Forgets what came; nothing happens when it is gone.
    func forget(_ id: MediaID) async { await Disk.run { _ = unlink(incoming(id)) } }

    // MARK: What is worked on

    /// An empty folder for one attempt.
    func makeWorkplace(_ id: MediaID, attempt: Int) async throws -> String {
        let path = "\(root)/work/\(id)-\(attempt)"
        try await Disk.tryRun {
            try? FileManager.default.removeItem(atPath: path)
            guard mkdir(path, 0o700) == 0 else { throw StorageFailure("mkdir", path) }
        }
        return path
    }

    func clear(workplace path: String) async { await Disk.run { try? FileManager.default.removeItem(atPath: path) } }

    /// Says that somebody still works there.
    func touch(workplace path: String) async { await Disk.run { _ = utimes(path, nil) } }

    func size(ofFile path: String) async throws -> Int64 {
        try await Disk.tryRun {
            guard let file = OpenFile(path: path) else { throw StorageFailure("open", path) }
            return Int64(file.size)
        }
    }

    /// Whether what a worker makes finds room.
    func hasRoom() async -> Bool { await Disk.run { Disk.hasRoom(at: root) } }

    // MARK: What is kept

    /// Nil when there is no such file; a problem when nobody can know.
    func open(_ name: String) async throws -> (any FileContent)? {
        guard StoredFileName.isOne(name) else { return nil }
        do {
            return try await kept.open(name)
        } catch  where StorageFailure.isOne(error) {
            throw Problem.unavailable(cause: "\(error)")
        }
    }

    /// A link by which a client fetches a file without us, where there is one.
    func link(to name: String, headers: KeptFileHeaders, now: Timestamp) -> String? {
        StoredFileName.isOne(name) ? kept.link(to: name, headers: headers, now: now) : nil
    }

    /// The name of a file by its content.
    func name(ofFile path: String, suffix: String) async throws -> String {
        try await Disk.tryRun {
            guard let handle = FileHandle(forReadingAtPath: path) else { throw StorageFailure("open", path) }
            defer { try? handle.close() }
            var hash = SHA256()
            while let part = try handle.read(upToCount: 256 * 1024), !part.isEmpty { hash.update(data: part) }
            return StoredFileName.of(digest: hash.finalize(), suffix: suffix)
        }
    }

    /// Moves a file of a workplace to where it is kept. By the time this returns, it survives a loss of power.
    func put(_ source: String, as name: String) async throws { try await kept.put(source, as: name) }

    func remove(_ names: [String]) async { await kept.remove(names.filter(StoredFileName.isOne)) }

    // MARK: What is left over

    /// - Parameter prefix: the first two digits of their names.
    func names(beginning prefix: String) async throws -> [StoredEntry] { try await kept.names(beginning: prefix) }

    /// What came, by its id.
    func incoming() async -> [StoredEntry] { await Disk.run { Disk.entries("\(root)/incoming") } }

    func workplaces() async -> [StoredEntry] { await Disk.run { Disk.entries("\(root)/work") } }

    func clear(workplaceNamed name: String) async {
        guard !name.contains("/"), !name.hasPrefix(".") else { return }
        await clear(workplace: "\(root)/work/\(name)")
    }
}
