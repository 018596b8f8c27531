// SPDX-License-Identifier: Apache-2.0
// A page was fetched, or nobody answered.

import Domain
import Events
import Outbox
import Postgres

/// What a page shows, and the picture of it that is kept.
struct Preview: Sendable {
    var card: CardSnapshot
    var picture: Picture?

    struct Picture: Sendable {
        let id: MediaID
        let file: StoredFile
    }
}

enum EndFetch {
    /// Keeps what the page shows and says so; also when it shows nothing and did before.
    static func finish(_ link: DueLink, _ preview: Preview?, _ dependencies: Dependencies) async throws {
        let now = dependencies.now()
        let limits = dependencies.limits
        try await dependencies.database.transaction { transaction in
            guard let before = try await LinkStore.lock(link, in: transaction) else { return }
            if let picture = preview?.picture {
                // Its file may have gone since it was announced, if that was long ago.
                guard try await FileStore.keep([picture.file], for: picture.id, in: transaction) == 1 else {
                    throw FileIsGone()
                }
            }
            if let image = before.image { FileStore.loosen(filesOf: [image], at: now, in: transaction) }
            let news = LinkPreviewReady(
                linkID: link.id,
                url: link.url,
                card: preview?.card,
                // A page that was forgotten and is known again is told anew to those who did not forget it.
                subjectVersion: max(before.version + 1, now.milliseconds)
            )
            try LinkStore.finish(
                news,
                image: preview?.picture?.id,
                at: now,
                fresh: now + (preview == nil ? limits.fetchAgainForNothing : limits.cardLifetime),
                in: transaction
            )
            if preview != nil || before.isReady { try transaction.record(news) }
        }
    }

    /// What was known before stays.
    static func leave(_ link: DueLink, _ dependencies: Dependencies) async throws {
        let now = dependencies.now()
        let fresh = now + dependencies.limits.fetchAgainForNothing
        try await dependencies.database.transaction { transaction in
            guard try await LinkStore.lock(link, in: transaction) != nil else { return }
            LinkStore.leave(link.id, at: now, fresh: fresh, in: transaction)
        }
    }

    private struct FileIsGone: Error {}
}
