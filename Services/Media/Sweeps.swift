// SPDX-License-Identifier: Apache-2.0
// What media forgets.

import Domain
import Outbox
import Postgres
import Serving

/// Each table has its sweep here or its bound in the README.
enum Sweeps {
    /// How long a loose file stays: longer than it takes to put one into its place and to say so.
    static let looseness = Duration.seconds(3600)

    static func all(_ dependencies: Dependencies) -> [Sweep] {
        [
            Sweep("uploads") { _ in try await unused(dependencies) },
            Sweep("files") { _ in try await loose(dependencies).files },
            Sweep("links") { _ in try await forgottenLinks(dependencies) },
            LinkStore.agedMentions.sweep(after: dependencies.limits.lateness, now: dependencies.now),
            Sweep("covers") { _ in try await unseenCovers(dependencies) },
            Sweep("gifs", every: .seconds(900)) { database in
                // Nothing goes: one round is enough.
                let now = dependencies.now()
                let since = now - dependencies.gifs.lately
                _ = try await GifStore.recount(since: since, at: now, in: database)
                return 0
            },
            GifStore.agedTakings.sweep(after: dependencies.gifs.lately, now: dependencies.now),
            GifAnswerStore.aged.sweep(
                after: GifCall.serves,
                beyond: dependencies.gifs.answers,
                every: .seconds(60),
                now: dependencies.now
            ),
            Sweep("upstream_gifs") { _ in try await unkeptGifs(dependencies) },
            Sweep("subjects") { database in
                let oldest = dependencies.now() - dependencies.limits.lateness
                return try await UseStore.forgetSubjects(before: oldest, in: database)
            },
        ] + EndExports.sweeps(dependencies) + BlockListStore.sweeps(now: dependencies.now)
    }

    /// Removes some uploads that nobody shows, and some that stopped coming.
    ///
    /// - Returns: how many.
    static func unused(_ dependencies: Dependencies) async throws -> Int {
        let (now, limits) = (dependencies.now(), dependencies.limits)
        let gone = try await dependencies.database.transaction { transaction in
            let expired = try await UploadStore.expired(at: now, in: transaction)
            let unused = try await UploadStore.unused(since: now - limits.unused, in: transaction)
            let gone = expired + unused.filter { !expired.contains($0) }
            if !gone.isEmpty { try await EndUploads.run(gone, at: now, in: transaction) }
            return gone
        }
        for id in gone { await dependencies.storage.forget(id) }
        return gone.count
    }

    /// Removes some pages that nothing links to any more.
    ///
    /// - Returns: how many were looked at.
    static func forgottenLinks(_ dependencies: Dependencies) async throws -> Int {
        let now = dependencies.now()
        return try await dependencies.database.transaction { transaction in
            let old = try await LinkStore.old(before: now - dependencies.limits.unmentioned, in: transaction)
            guard !old.isEmpty else { return 0 }
            let images = try await LinkStore.settle(old, at: now, in: transaction)
            if !images.isEmpty { FileStore.loosen(filesOf: images, at: now, in: transaction) }
            return old.count
        }
    }

    /// Removes some covers at which nobody looks any more.
    ///
    /// - Returns: how many.
    static func unseenCovers(_ dependencies: Dependencies) async throws -> Int {
        let now = dependencies.now()
        return try await dependencies.database.transaction { transaction in
            let moment = now - dependencies.limits.unseen
            let gone = try await CoverStore.forget(before: moment, in: transaction)
            let images = gone.compactMap(\.self)
            if !images.isEmpty { FileStore.loosen(filesOf: images, at: now, in: transaction) }
            return gone.count
        }
    }

    /// Removes some GIFs of others that nobody keeps any more.
    ///
    /// - Returns: how many were looked at.
    static func unkeptGifs(_ dependencies: Dependencies) async throws -> Int {
        let now = dependencies.now()
        return try await dependencies.database.transaction { transaction in
            let moment = now - dependencies.gifs.unkept
            let old = try await UpstreamGifStore.old(before: moment, in: transaction)
            if !old.isEmpty { UpstreamGifStore.settle(old, at: now, in: transaction) }
            return old.count
        }
    }

    /// Removes some files of which nothing is made.
    ///
    /// - Returns: how many were looked at, what went of them, and how many bytes that were.
    static func loose(
        _ dependencies: Dependencies,
        for time: Duration = looseness
    ) async throws -> (files: Int, gone: Int, bytes: Int64) {
        let moment = dependencies.now() - time
        return try await dependencies.database.transaction { transaction in
            let names = try await FileStore.loose(before: moment, in: transaction)
            guard !names.isEmpty else { return (0, 0, 0) }
            let gone = try await FileStore.settle(names, in: transaction)
            // Before the commit: whoever makes the same file again meanwhile waits for it, and puts it there anew.
            await dependencies.storage.remove(gone.map(\.name))
            return (names.count, gone.count, gone.reduce(0) { $0 + $1.bytes })
        }
    }
}
