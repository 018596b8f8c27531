// SPDX-License-Identifier: Apache-2.0
// The queue posts.media: which files there are for posts to show.

import Events
import Outbox
import Serving

/// Keeps the newest that is said of each file, in whatever order it comes, and however often.
enum Files {
    static let queue = EventQueue(
        // Without a rebuild: files are told again by nobody yet.
        "posts.media",
        [
            Reaction(to: MediaProcessed.self) { envelope, transaction in
                _ = try await MediaStore.keep(MediaNews(envelope.data), in: transaction)
            },
            Reaction(to: MediaFailed.self) { envelope, transaction in
                _ = try await MediaStore.keep(MediaNews(envelope.data), in: transaction)
            },
        ]
    )
}
