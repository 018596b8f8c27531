// SPDX-License-Identifier: Apache-2.0
// An upload is ready, or will never be.

import Domain
import Events
import MediaWork
import Outbox
import Postgres
import ServiceKit
import Web

enum EndJob {
    /// A file that was made, and where it is kept.
    private struct Kept: Sendable {
        let rendition: Made.Rendition
        let file: StoredFile

        var snapshot: RenditionSnapshot {
            RenditionSnapshot(url: file.name, width: rendition.width ?? 0, height: rendition.height ?? 0)
        }

        var suffix: String { EndJob.suffix(of: file.name) }
    }

    /// Puts the files that were made into their places and says so.
    static func finish(_ job: Job, _ made: Made, in workplace: String, _ dependencies: Dependencies) async throws {
        let storage = dependencies.storage
        var kept: [Kept] = []
        for rendition in made.renditions {
            guard !rendition.file.contains("/"), !rendition.file.hasPrefix(".") else { throw BadReport() }
            let path = "\(workplace)/\(rendition.file)"
            let name = try await storage.name(ofFile: path, suffix: suffix(of: rendition.file))
            guard StoredFileName.isOne(name) else { throw BadReport() }
            kept.append(Kept(rendition: rendition, file: StoredFile(name: name, bytes: rendition.bytes)))
        }
        guard let original = original(of: kept) else { throw BadReport() }
        let files = Array(Set(kept.map(\.file)))
        try await FileStore.announce(files, at: dependencies.now(), in: dependencies.database)
        // One file may be several sizes of a picture that is small itself.
        var placed: Set<String> = []
        for one in kept where placed.insert(one.rendition.file).inserted {
            try await storage.put("\(workplace)/\(one.rendition.file)", as: one.file.name)
        }
        let preview = preview(of: kept)
        let renditions = Dictionary(kept.map { ("\($0.rendition.name).\($0.suffix)", $0.snapshot) }) { first, _ in first
        }
        try await dependencies.database.transaction { transaction in
            // What the owner says may have changed meanwhile.
            guard let upload = try await JobStore.lock(job.upload.id, attempt: job.attempt, in: transaction) else {
                throw Lease.Lost()
            }
            let media = MediaProcessed(
                mediaID: upload.id,
                ownerID: upload.owner,
                type: MediaType(made.kind),
                original: original.snapshot,
                preview: preview?.snapshot,
                mimeType: original.rendition.mime,
                bytes: original.rendition.bytes,
                blurhash: made.blurhash,
                description: upload.text.description,
                subjectVersion: upload.version + 1,
                focus: upload.text.focus,
                colour: made.colour,
                duration: made.duration ?? original.rendition.duration,
                renditions: renditions
            )
            guard try await FileStore.keep(files, for: upload.id, in: transaction) == files.count else {
                throw BadReport()
            }
            try JobStore.finish(media, keptBytes: files.reduce(0) { $0 + $1.bytes }, in: transaction)
            try transaction.record(media)
        }
        await storage.forget(job.upload.id)
        dependencies.ended.ring()
    }

    static func fail(_ job: Job, _ reason: WorkReport.Refusal, _ dependencies: Dependencies) async throws {
        try await dependencies.database.transaction { transaction in
            guard let upload = try await JobStore.lock(job.upload.id, attempt: job.attempt, in: transaction) else {
                return
            }
            let failure = MediaFailed(
                mediaID: upload.id,
                ownerID: upload.owner,
                reason: reason.rawValue,
                subjectVersion: upload.version + 1
            )
            JobStore.fail(failure, in: transaction)
            try transaction.record(failure)
        }
        await dependencies.storage.forget(job.upload.id)
        dependencies.ended.ring()
    }

    /// The worker says what cannot be.
    struct BadReport: Error {}

    /// What every client can show comes before what only newer ones can.
    private static func original(of kept: [Kept]) -> Kept? {
        let originals = kept.filter { $0.rendition.name == "original" }
        return originals.first { $0.rendition.mime != "image/webp" } ?? originals.first
    }

    private static func preview(of kept: [Kept]) -> Kept? {
        for name in ["medium", "small", "large"] {
            let sizes = kept.filter { $0.rendition.name == name }
            if let old = sizes.first(where: { $0.rendition.mime != "image/webp" }) ?? sizes.first { return old }
        }
        return nil
    }

    static func suffix(of file: String) -> String {
        file.lastIndex(of: ".").map { String(file[file.index(after: $0)...]) } ?? ""
    }
}

extension MediaType {
    fileprivate init(_ kind: Made.Kind) {
        switch kind {
        case .image: self = .image
        case .gifv: self = .gifv
        case .video: self = .video
        case .audio: self = .audio
        }
    }
}
