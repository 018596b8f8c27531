// SPDX-License-Identifier: Apache-2.0
// Covers of books: fetched once when somebody looks, made anew, and kept as every file is.

import Crypto
import Domain
import Logging
import Outbound
import Postgres
import ServiceKit
import Views
import Web

/// Pictures that are asked for. Other processes are kept apart by rows of `covers`.
final class Covers: Sendable {
    private let upstreams: Upstreams<CoverQuestion.Name>

    /// - Parameter patience: how long somebody waits for a picture; the gateway gives up a little later.
    init(
        patience: Duration = .seconds(4),
        metrics: Metrics = Metrics(),
        logger: Logger = Logger(label: "media")
    ) {
        upstreams = Upstreams(
            patience: patience,
            telling: .init(
                warning: "a cover could not be asked for",
                metric: "madang_media_cover_asks_total",
                help: "Covers of books that were asked for outside.",
                metrics: metrics,
                logger: logger
            )
        )
    }

    /// The stored file of a picture; throws `notFound` where there is none to be had.
    func file(of url: String, _ dependencies: Dependencies) async throws -> String {
        let question = CoverQuestion(url: url, dependencies: dependencies)
        let kept = try await question.kept()
        if let kept, kept.isFresh { return try kept.file.found() }
        guard dependencies.previews.areOn else { return try (kept?.file).found() }
        await upstreams.fly(question, until: upstreams.end, now: dependencies.now)
        guard let kept = try await question.kept() else { throw Problem.unavailable(cause: "a cover is on its way") }
        return try kept.file.found()
    }
}

/// A picture that is wanted.
struct CoverQuestion: UpstreamQuestion {
    /// Whoever has them: that one server does not answer says nothing of another.
    enum Name: Hashable, Sendable { case covers }

    let url: String
    let hash: [UInt8]
    let dependencies: Dependencies

    init(url: String, dependencies: Dependencies) {
        self.url = url
        hash = Array(SHA256.hash(data: Array(url.utf8)))
        self.dependencies = dependencies
    }

    var name: Name { .covers }

    /// What is known of it. That somebody looked is noted once a day.
    func kept() async throws -> KeptCover? {
        let now = dependencies.now()
        let kept = try await CoverStore.cover(hash, at: now, in: dependencies.database)
        if let kept, kept.touchedAt < now - .seconds(86_400) {
            try await CoverStore.touch(hash, at: now, in: dependencies.database)
        }
        return kept
    }

    func isAnswered() async throws -> Bool {
        try await CoverStore.cover(hash, at: dependencies.now(), in: dependencies.database)?.isFresh == true
    }

    func claim(at now: Timestamp, until lease: Timestamp) async throws -> Bool {
        try await dependencies.database.transaction { transaction in
            CoverStore.hold(in: transaction)
            return try await CoverStore.claim(
                hash,
                of: LinkURL.host(of: url),
                atOnce: dependencies.limits.coversOfHost,
                at: now,
                until: lease,
                in: transaction
            )
        }
    }

    func ask(within time: Duration) async throws {
        let (url, dependencies) = (url, dependencies)
        let picture = try? await withDeadline(time) { await CardPicture.fetch(url, dependencies) }
        try await end(picture)
    }

    func release() async throws { try await CoverStore.release(hash, in: dependencies.database) }

    /// Keeps the picture; where none came, the one that is there.
    private func end(_ picture: KeptPicture?) async throws {
        let (now, limits) = (dependencies.now(), dependencies.limits)
        try await dependencies.database.transaction { transaction in
            guard let before = try await CoverStore.lock(hash, in: transaction) else { return }
            guard let picture else {
                return CoverStore.leave(hash, until: now + limits.fetchAgain, in: transaction)
            }
            // Its file may have gone since it was announced, if that was long ago.
            guard try await FileStore.keep([picture.file], for: picture.id, in: transaction) == 1 else {
                throw FileIsGone()
            }
            if let image = before.image { FileStore.loosen(filesOf: [image], at: now, in: transaction) }
            CoverStore.keep(
                hash,
                file: picture.file.name,
                as: picture.id,
                until: now + limits.coverLifetime,
                in: transaction
            )
        }
    }

    private struct FileIsGone: Error {}
}
