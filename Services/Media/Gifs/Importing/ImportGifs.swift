// SPDX-License-Identifier: Apache-2.0
// `media import-gifs DIR`: a folder of files into the catalogue of GIFs.

import Crypto
import Domain
import Foundation
import Logging
import MediaWork
import Postgres
import ServiceKit
import Web

/// Imports files side by side, as many as the service works on at a time. What was imported before is passed over, by its bytes; so
/// it may be interrupted and called again.
struct ImportGifs: Sendable {
    /// Files that could not be imported were told: the others were.
    struct SomeFailed: Error, CustomStringConvertible {
        let count: Int
        var description: String { "\(count) could not be imported" }
    }

    enum Outcome: Equatable, Sendable {
        case imported
        /// From this file, or from one of the same bytes.
        case known
        case failed(String)
    }

    let dependencies: Dependencies
    let logger: Logger
    let folder: String
    /// What is said of files where the list does not say it.
    let usual: [(String, String)]

    private static let suffixes: Set<String> = [
        "gif", "webp", "png", "jpg", "jpeg", "heic", "avif", "mp4", "mov", "webm",
    ]

    /// The files that are looked at, by their paths in the folder.
    func files() -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            return !isHidden && ImportGifs.suffixes.contains((path as NSString).pathExtension.lowercased())
        }.sorted()
    }

    /// - Parameter tell: called once for each file, when it is done.
    func run(_ files: [String], tell: @escaping @Sendable (String, Outcome) -> Void) async throws {
        let list = try ImportList(in: folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, path) in files.enumerated() {
                if index >= dependencies.workers { try await group.next() }
                let text = Result { try list.text(of: path, usual: usual) }
                group.addTask { tell(path, try await outcome(path, text)) }
            }
            try await group.waitForAll()
        }
    }

    private func outcome(_ path: String, _ text: Result<GifText, any Error>) async throws -> Outcome {
        do {
            return try await add("\(folder)/\(path)", try text.get())
        } catch let problem as Problem {
            return .failed(problem.text(in: .english))
        } catch let failure as StorageFailure {
            return .failed("\(failure)")
        }
    }

    private func add(_ path: String, _ text: GifText) async throws -> Outcome {
        let head = try await dependencies.storage.head(of: path, Content.head)
        guard !head.isEmpty else { throw MediaAnswer.problem("empty") }
        let source = try await digest(of: path)
        if try await GifStore.isImported(source.digest, in: dependencies.database) { return .known }
        try await UploadCheck.require(path, length: source.length, dependencies)
        let upload = try await ready(path, length: source.length)
        guard upload.state == .ready else { throw MediaAnswer.problem(upload.failure ?? "") }
        return try await dependencies.database.transaction { transaction in
            let nobody = (importer: AccountID(0), name: String?.none)
            let now = dependencies.now()
            let isNew = try await AddGif.add(
                upload,
                text,
                by: nobody,
                source: source.digest,
                at: now,
                in: transaction
            )
            return isNew ? .imported : .known
        }
    }

    /// SHA-256 of a file, and its length.
    private func digest(of path: String) async throws -> (digest: String, length: Int) {
        try await Disk.tryRun {
            guard let handle = FileHandle(forReadingAtPath: path) else { throw StorageFailure("open", path) }
            defer { try? handle.close() }
            var (hash, length) = (SHA256(), 0)
            while let part = try handle.read(upToCount: 256 * 1024), !part.isEmpty {
                hash.update(data: part)
                length += part.count
            }
            return (hash.finalize().map { String(format: "%02x", $0) }.joined(), length)
        }
    }

    /// An upload of nobody's, once it has been worked on: here, or by the service where that runs.
    private func ready(_ path: String, length: Int) async throws -> Upload {
        let nobody = AccountID(0)
        let id: MediaID = try dependencies.ids.next()
        try await copy(path, to: dependencies.storage.receive(id), length: length)
        let new = NewUpload(
            id: id,
            owner: nobody,
            purpose: .gif,
            text: UploadText(),
            length: Int64(length),
            received: Int64(length),
            now: dependencies.now(),
            expires: nil
        )
        var upload = try await UploadStore.insert(new, in: dependencies.database).found()
        while upload.state == .processing {
            if try await !JobWorker.step(dependencies, metrics: Metrics(), logger: logger) {
                try await Task.sleep(for: .milliseconds(100))
            }
            upload = try await UploadStore.upload(id, of: nobody, in: dependencies.database).found()
        }
        return upload
    }

    private func copy(_ path: String, to file: IncomingFile, length: Int) async throws {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw StorageFailure("open", path) }
        defer { try? handle.close() }
        var offset = 0
        while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
            try await file.write(Array(part), at: offset)
            offset += part.count
        }
        try await file.finish(length: length)
    }
}
