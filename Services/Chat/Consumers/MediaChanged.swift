// SPDX-License-Identifier: Apache-2.0
// A file is ready or will never be: what that means for the messages that carry it.

import Serving

/// Keeps what is said of the file and tells those who see it in a message.
enum MediaChanged {
    /// Messages that carry one file; it is somebody's mistake or mischief beyond that.
    private static let most = 100

    static func react(_ news: MediaNews, again: Bool = false, in work: Work) async throws {
        let isKept = try await MediaStore.keep(news, repairing: again, in: work)
        guard isKept, !again else { return }
        for message in try await MediaStore.messages(with: news.id, most: most, in: work) {
            ChannelStore.hold(message.channel, in: work)
            guard try await MessageChangeStore.apply(.attachmentChanged, to: message.id, in: work),
                let row = try await MessageStore.row(message.id, in: work)
            else { continue }
            try work.tell(.message("message:edited", row), of: row)
        }
    }
}
