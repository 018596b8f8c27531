// SPDX-License-Identifier: Apache-2.0
// A file is ready or will never be: what that means for the messages that carry it.

import Domain
import Events
import Outbox
import Postgres

/// Keeps what is said of the file and tells those who see it in a message.
enum MediaChanged {
    /// Messages that carry one file; it is somebody's mistake or mischief beyond that.
    private static let most = 100

    static func react(
        _ news: MediaNews,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard try await MediaStore.keep(news, in: transaction) else { return }
        for message in try await MediaStore.messages(with: news.id, most: most, in: transaction) {
            ChannelStore.hold(message.channel, in: transaction)
            guard try await MessageChangeStore.apply(.attachmentChanged, to: message.id, in: transaction),
                let row = try await MessageStore.row(message.id, in: transaction)
            else { continue }
            try ChangeMessage.tell(row, as: "message:edited", dependencies, transaction)
        }
    }
}
