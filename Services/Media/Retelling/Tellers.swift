// SPDX-License-Identifier: Apache-2.0
// What media tells again to whoever rebuilds a projection of it.

import Domain
import Events
import Outbox
import Serving

enum Tellers {
    static let all = [uploads, links]

    private static let uploads = Teller("uploads", tells: [MediaProcessed.self, MediaFailed.self]) {
        place,
        transaction in
        let rows = try await RetoldStore.uploads(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.id.rawValue] }) { row in
            let moment = row.id.timestamp
            if let media = row.media { return [Teller.Fact(media, at: moment)] }
            let failure = MediaFailed(
                mediaID: row.id,
                ownerID: row.owner,
                reason: row.failure ?? "",
                subjectVersion: row.version
            )
            return [Teller.Fact(failure, at: moment)]
        }
    }

    /// Of a page that shows nothing nobody keeps anything.
    private static let links = Teller("links", tells: [LinkPreviewReady.self]) { place, transaction in
        let rows = try await RetoldStore.links(after: place, in: transaction)
        return Teller.Step(rows, limit: place.limit, key: { [$0.id.rawValue] }) { row in
            let news = LinkPreviewReady(
                linkID: row.id,
                url: row.url,
                card: row.card,
                subjectVersion: row.version
            )
            return [Teller.Fact(news, at: row.fetchedAt ?? row.id.timestamp)]
        }
    }
}
