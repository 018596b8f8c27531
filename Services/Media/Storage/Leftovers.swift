// SPDX-License-Identifier: Apache-2.0
// What lies in the folder and belongs to nothing: found by walking it.

import Domain
import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Serving
import Web

/// What was found and removed.
struct Leftovers: Sendable {
    var uploads = 0
    var files = 0
    var bytes: Int64 = 0
    /// Files that no row named, after a restored backup perhaps.
    var strays = 0
    /// What came of uploads that nobody was told were taken.
    var remains = 0

    /// - Parameter looseness: how long a file must have belonged to nothing.
    static func run(_ dependencies: Dependencies, looseness: Duration = Sweeps.looseness) async throws -> Leftovers {
        var found = Leftovers()
        while case let count = try await Sweeps.unused(dependencies), count > 0 { found.uploads += count }
        while case let step = try await Sweeps.loose(dependencies, for: looseness), step.files > 0 {
            found.files += step.gone
            found.bytes += step.bytes
        }
        let moment = dependencies.now() - looseness
        found.strays = try await strays(before: moment, dependencies)
        found.remains = try await remains(before: moment, dependencies)
        return found
    }

    private static func strays(before moment: Timestamp, _ dependencies: Dependencies) async throws -> Int {
        var count = 0
        for first in 0..<256 {
            let digits = String(first, radix: 16)
            let entries = try await dependencies.storage.names(beginning: digits.count == 1 ? "0\(digits)" : digits)
            let old = entries.filter { $0.changed < moment && StoredFileName.isOne($0.name) }.map(\.name)
            guard !old.isEmpty else { continue }
            let known = Set(try await FileStore.known(old, in: dependencies.database))
            let strays = old.filter { !known.contains($0) }
            await dependencies.storage.remove(strays)
            count += strays.count
        }
        return count
    }

    private static func remains(before moment: Timestamp, _ dependencies: Dependencies) async throws -> Int {
        let came = await dependencies.storage.incoming().filter { $0.changed < moment }.compactMap { MediaID($0.name) }
        let needed = Set(try await UploadStore.needed(came, in: dependencies.database))
        let remains = came.filter { !needed.contains($0) }
        for id in remains { await dependencies.storage.forget(id) }
        let workplaces = await dependencies.storage.workplaces().filter { $0.changed < moment }
        for workplace in workplaces { await dependencies.storage.clear(workplaceNamed: workplace.name) }
        return remains.count + workplaces.count
    }
}

/// Walks the folder once a day.
struct DailyCollection: Service {
    let dependencies: Dependencies
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(24 * 3600))) != nil {
                do {
                    let found = try await Leftovers.run(dependencies)
                    logger.info("Collected", metadata: ["strays": "\(found.strays)", "remains": "\(found.remains)"])
                } catch {
                    logger.warning("what belongs to nothing stays for now", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}

extension MediaService {
    /// The command `gc`: removes what may go, and says what it was.
    static func collect(_ config: Config, _ logger: Logger) async throws {
        let database = Database(config.service.database, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            let dependencies = Dependencies(
                database: database,
                ids: IDGenerator(now: Timestamp.now, refused: { CancellationError() }),
                now: Timestamp.now,
                site: config.service.site,
                links: config.links,
                storage: try config.storage(now: Timestamp.now),
                makeRenditions: { _ in throw CancellationError() },
                limits: config.limits
            )
            let found = try await Leftovers.run(dependencies, looseness: .seconds(60))
            say("uploads that nobody shows  \(found.uploads)")
            say("files that went with them   \(found.files) (\(found.bytes) bytes)")
            say("files that no row named     \(found.strays)")
            say("remains of what was begun   \(found.remains)")
        }
    }
}
