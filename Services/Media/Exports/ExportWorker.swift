// SPDX-License-Identifier: Apache-2.0
// Writes archives of which everything is there, one at a time.

import Domain
import Events
import Logging
import Outbox
import Postgres
import ServiceKit
import ServiceLifecycle

/// Takes archives that wait. Every copy of the process takes part; what one leaves in the middle, another writes anew when its
/// lease ends.
struct ExportWorker: Service {
    let dependencies: Dependencies
    let metrics: Metrics
    let logger: Logger

    private static let pause = Duration.seconds(5)

    func run() async throws {
        await takeTurns(pausing: ExportWorker.pause, orSaying: "archives wait", to: logger) {
            try await ExportWorker.step(dependencies, metrics: metrics, logger: logger)
        }
    }

    /// Writes one archive.
    ///
    /// - Returns: whether there was one.
    static func step(_ dependencies: Dependencies, metrics: Metrics, logger: Logger) async throws -> Bool {
        let claimed = try await ExportStore.claim(
            at: dependencies.now(),
            lease: dependencies.exports.lease,
            in: dependencies.database
        )
        guard let export = claimed else { return false }
        let outcome: String
        do {
            // The attempt before was the last: nobody lived to say what came of it.
            guard export.attempt <= dependencies.exports.attempts else { throw TooOften() }
            let workplace = try await dependencies.storage.makeWorkplace(export.id.asUpload, attempt: export.attempt)
            do {
                try await export.lease(workplace, dependencies).hold {
                    try await write(export, in: workplace, dependencies)
                }
            } catch {
                await dependencies.storage.clear(workplace: workplace)
                throw error
            }
            await dependencies.storage.clear(workplace: workplace)
            outcome = "made"
        } catch is Lease.Lost {
            outcome = "lost"
        } catch is Lease.Stopping {
            let now = dependencies.now()
            try await ExportStore.putOff(export, until: now, counts: false, in: dependencies.database)
            outcome = "stopped"
        } catch let error as CancellationError {
            throw error
        } catch {
            logger.warning(
                "an archive could not be written",
                metadata: ["export": "\(export.id)", "attempt": "\(export.attempt)", "error": "\(error)"]
            )
            try await giveUp(export, after: error, dependencies)
            outcome = "failed"
        }
        metrics.count(
            "madang_media_exports_total",
            help: "Archives written, by what came of it.",
            labels: [("outcome", outcome)],
            by: 1
        )
        return true
    }

    /// Writes the archive, puts it into its place and says so.
    private static func write(_ export: Export, in workplace: String, _ dependencies: Dependencies) async throws {
        let (storage, path) = (dependencies.storage, "\(workplace)/archive.zip")
        try await WriteExport.run(export, at: path, dependencies)
        let file = StoredFile(
            name: try await storage.name(ofFile: path, suffix: "zip"),
            bytes: try await storage.size(ofFile: path)
        )
        try await FileStore.announce([file], at: dependencies.now(), in: dependencies.database)
        try await storage.put(path, as: file.name)
        Failpoint.reach("export.put")
        let now = dependencies.now()
        let end = now + dependencies.exports.lifetime
        try await dependencies.database.transaction { transaction in
            let isOurs = try await ExportStore.finish(export, file, at: now, until: end, in: transaction)
            guard isOurs else { throw Lease.Lost() }
            guard try await FileStore.keep([file], for: export.id.asUpload, in: transaction) == 1 else {
                throw FileIsGone()
            }
            ExportPartStore.forget(of: export.id, in: transaction)
            try transaction.record(ExportReady(exportID: export.id, accountID: export.account, expires: end))
        }
    }

    private struct TooOften: Error {}
    private struct FileIsGone: Error {}

    /// Tries again a little later, or no more.
    private static func giveUp(_ export: Export, after error: any Error, _ dependencies: Dependencies) async throws {
        // A database that is away says nothing of the archive, nor does a full disk, or a bucket that cannot be reached.
        if error is PostgresError { return }
        let canStore = await dependencies.storage.hasRoom() && !StorageFailure.isOne(error)
        let later = dependencies.now() + .seconds(10)
        guard canStore else {
            return try await ExportStore.putOff(export, until: later, counts: false, in: dependencies.database)
        }
        guard export.attempt < dependencies.exports.attempts else {
            return try await ExportStore.fail(export, .broken, in: dependencies.database)
        }
        try await ExportStore.putOff(export, until: later, counts: true, in: dependencies.database)
    }
}

extension Export {
    fileprivate func lease(_ workplace: String, _ dependencies: Dependencies) -> Lease {
        Lease(time: dependencies.exports.lease, now: dependencies.now) { end in
            await dependencies.storage.touch(workplace: workplace)
            return try await ExportStore.renew(self, until: end, in: dependencies.database)
        }
    }
}
