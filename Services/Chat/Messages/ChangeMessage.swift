// SPDX-License-Identifier: Apache-2.0
// What every change of a message has in common.

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
        record: @Sendable (MessageRow, Work) throws -> Void
    ) async throws -> (message: MessageRow, isChanged: Bool) {
        try await dependencies.transaction { try await apply(change, to: message, live: live, in: $0, record: record) }
    }

    /// The same in a transaction that is under way.
    static func apply(
        _ change: MessageChange,
        to message: MessageRow,
        live: String,
        in work: Work,
        record: @Sendable (MessageRow, Work) throws -> Void
    ) async throws -> (message: MessageRow, isChanged: Bool) {
        ChannelStore.hold(message.channelID, in: work)
        let isChanged = try await MessageChangeStore.apply(change, to: message.id, in: work)
        guard let changed = try await MessageStore.row(message.id, in: work) else { return (message, false) }
        if isChanged {
            try record(changed, work)
            if !live.isEmpty { try work.tell(.message(live, changed), of: changed) }
        }
        return (changed, isChanged)
    }
}
