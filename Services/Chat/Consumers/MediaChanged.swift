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
        _ keep: SQL,
        _ media: MediaID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard try await !transaction.query(keep).isEmpty else { return }
        let carrying = try await transaction.query(MediaStore.messages(with: media, most: most)).map { row in
            var columns = row.columns
            return (message: try columns.next(MessageID.self), channel: try columns.next(ChannelID.self))
        }
        for (message, channel) in carrying {
            transaction.enqueue(MessageChangeStore.lock(channel))
            guard try await !transaction.query(MessageChangeStore.touch(message)).isEmpty,
                let row = try await transaction.query(MessageStore.row(message)).messages().first
            else { continue }
            try ChangeMessage.tell(row, as: "message:edited", dependencies, transaction)
        }
    }
}
