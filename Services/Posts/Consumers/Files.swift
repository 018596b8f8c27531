// SPDX-License-Identifier: Apache-2.0
// The queue posts.media: which files and which previews of links there are for posts to show.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// Keeps the newest that is said of each file and each link, in whatever order it comes, and however often.
enum Files {
    static let queue = EventQueue(
        "posts.media",
        rebuild: Rebuild(seen: seen, withdrawals: [MediaStore.untold, CardStore.untold]),
        [
            Reaction(to: MediaProcessed.self) { envelope, transaction in
                let media = envelope.data
                guard try await SaidOfFile.keep(media, again: envelope.isRetold, in: transaction) else { return }
                try await show(media, in: transaction)
            },
            Reaction(to: MediaFailed.self) { envelope, transaction in
                let failure = envelope.data
                guard try await MediaStore.keep(MediaNews(failure), repairing: envelope.isRetold, in: transaction)
                else { return }
                for picture in ProfilePicture.allCases {
                    let changed = try await PictureStore.withdraw(
                        failure.mediaID,
                        as: picture,
                        of: failure.ownerID,
                        in: transaction
                    )
                    if let changed { try transaction.record(ProfileUpdated(account: changed)) }
                }
            },
            Reaction(to: LinkPreviewReady.self) { envelope, transaction in
                let (news, again) = (CardNews(envelope.data), envelope.isRetold)
                let isNew = try await CardStore.keep(news, at: envelope.time, repairing: again, in: transaction)
                guard isNew, !again else { return }
                let first = PostID.first(at: envelope.time - CardNews.told)
                CardStore.tell(of: news.url, from: first, most: CardNews.most, in: transaction)
            },
        ]
    )

    /// Who is told of, so that a rebuild leaves them.
    @Sendable private static func seen(_ event: any Event) -> [Seen] {
        switch event {
        case let event as MediaProcessed: [Seen("media", event.mediaID.rawValue)]
        case let event as MediaFailed: [Seen("media", event.mediaID.rawValue)]
        case let event as LinkPreviewReady: [Seen("card", event.linkID.rawValue)]
        default: []
        }
    }

    /// Puts a picture onto the profile that awaits it.
    private static func show(_ media: MediaProcessed, in transaction: Transaction) async throws {
        for picture in ProfilePicture.allCases {
            guard let snapshot = picture.snapshot(of: media) else { continue }
            // Before it is seen whether anybody awaits it: whoever begins to at this moment is waited for.
            PictureStore.hold(media.ownerID, in: transaction)
            let changed = try await PictureStore.show(snapshot, as: picture, of: media.ownerID, in: transaction)
            if let changed { try transaction.record(ProfileUpdated(account: changed)) }
        }
    }
}
