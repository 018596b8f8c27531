// SPDX-License-Identifier: Apache-2.0
// The command `import-gifs`, beside the processes that serve.

import Domain
import Foundation
import Logging
import MediaWork
import Outbox
import Postgres
import ServiceKit
import Serving
import Web

extension MediaService {
    private struct Usage: Error, CustomStringConvertible {
        let description =
            "usage: import-gifs DIR [--kind gif|sticker|text] [--category NAME] [--rating y|g|pg|pg-13|r] [--tags A,B]"
    }

    /// The command `import-gifs`: shows how far it is, tells which files it could not take, and what came of all.
    static func importGifs(
        _ config: Config,
        _ logger: Logger,
        _ arguments: [String],
        _ makeRenditions: @escaping @Sendable (WorkOrder) async throws -> WorkReport
    ) async throws {
        var rest = arguments[...]
        guard let folder = rest.popFirst(), !folder.hasPrefix("-") else { throw Usage() }
        var usual: [(String, String)] = []
        while let option = rest.popFirst() {
            guard ["--kind", "--category", "--rating", "--tags"].contains(option), let value = rest.popFirst() else {
                throw Usage()
            }
            usual.append((String(option.dropFirst(2)), value))
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw ImportList.Unreadable(description: "\(folder) is no folder")
        }
        let database = Database(config.service.database, logger: logger)
        let lease = IDLease(database, metrics: Metrics(), logger: logger)
        let chosen = usual
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            try await lease.acquire()
            group.addTask { try await lease.run() }
            let dependencies = Dependencies(
                database: database,
                ids: lease.ids,
                now: Timestamp.now,
                site: config.service.site,
                links: config.links,
                storage: try config.storage(now: Timestamp.now),
                makeRenditions: makeRenditions,
                limits: config.limits,
                workers: config.workers
            )
            let work = ImportGifs(dependencies: dependencies, logger: logger, folder: folder, usual: chosen)
            let files = work.files()
            let progress = ImportProgress(total: files.count)
            let result: Result<Void, any Error>
            do {
                try await work.run(files) { progress.note($0, $1) }
                result = .success(())
            } catch { result = .failure(error) }
            await lease.release()
            try result.get()
            let failed = progress.end()
            if failed > 0 { throw ImportGifs.SomeFailed(count: failed) }
        }
    }
}
