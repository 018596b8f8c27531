// SPDX-License-Identifier: Apache-2.0
// What every change of a message has in common.

import Domain
import Events
import Outbox
import Postgres
import Views

/// Changes one message in one transaction and tells those who see it.
enum ChangeMessage {
    /// Applies a change and gives the message as it is then, with whether there was anything to change.
    ///
    /// - Parameter record: tells other services; called only when something changed.
    static func apply(
        _ change: MessageChange,
        to message: MessageRow,
        live: String = "message:edited",
        _ dependencies: Dependencies,
        record: @Sendable (MessageRow, Transaction) throws -> Void
    ) async throws -> (message: MessageRow, isChanged: Bool) {
        try await dependencies.database.transaction { transaction in
            ChannelStore.hold(message.channelID, in: transaction)
            let isChanged = try await MessageChangeStore.apply(change, to: message.id, in: transaction)
            guard let changed = try await MessageStore.row(message.id, in: transaction) else { return (message, false) }
            if isChanged {
                try record(changed, transaction)
                if !live.isEmpty { try tell(changed, as: live, dependencies, transaction) }
            }
            return (changed, isChanged)
        }
    }

    /// Tells the channel's open connections how a message is now.
    static func tell(
        _ message: MessageRow,
        as event: String,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) throws {
        try transaction.record(
            ChatUpdated(
                update: ChatUpdate(
                    channelID: message.channelID,
                    event: event,
                    payload: MessageView(message, site: dependencies.site).json(),
                    seq: message.seq,
                    change: message.change
                ),
                subjectVersion: message.change
            )
        )
    }
}
