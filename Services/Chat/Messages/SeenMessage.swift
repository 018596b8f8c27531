// SPDX-License-Identifier: Apache-2.0
// A message as somebody sees it.

import Domain
import Events
import Postgres
import Web

/// A message, and what somebody is to its channel.
struct SeenMessage: Columned {
    let access: ChannelAccess
    let author: AccountSnapshot
    let message: MessageRow

    /// Those of the channel, of the author's `accounts a`, and of the message.
    static let columns: SQL = "\(ChannelAccess.columns), a.snapshot, \(MessageRow.columns)"

    init(columns: inout Columns) throws {
        access = try columns.next()
        let author: AccountSnapshot? = try columns.next()
        message = try columns.next()
        self.author = author ?? AccountSnapshot(message.author)
    }

    /// Throws notFound for a message that they may not see.
    static func find(_ id: MessageID, viewer: AccountID, _ dependencies: Dependencies) async throws -> SeenMessage {
        return try await MessageStore.seen(id, by: viewer, in: dependencies.database).found()
    }
}

extension AccountSnapshot {
    /// Of somebody of whom no more is known: the same whichever of what tells of them comes first.
    init(id: AccountID, username: Username, displayName: String = "") {
        self.init(id: id, username: username, displayName: displayName, createdAt: id.timestamp, version: 0)
    }

    init(_ person: Person) {
        self.init(id: person.id, username: person.username, displayName: person.displayName)
    }
}
