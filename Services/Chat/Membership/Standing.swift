// SPDX-License-Identifier: Apache-2.0
// What somebody is to a channel, and what that allows.

import Domain
import Events
import Postgres
import Web

/// What somebody who sees a channel may do there.
struct Standing: Sendable {
    let channel: ChannelSnapshot
    let isMember: Bool
    /// Direct messages that have yet to be accepted.
    let isRequested: Bool
    let role: ChatRole?
    let playgroundRole: ChatRole?
    let isBlocked: Bool

    /// Reads the columns of channel_standing in their order, wherever they stand in a row.
    init(columns: inout Columns) throws {
        channel = ChannelSnapshot(
            id: try columns.next(),
            type: try columns.next(),
            playgroundID: try columns.next(),
            name: try columns.next(),
            description: try columns.next(),
            ownerID: try columns.next(),
            archivedAt: try columns.next(),
            createdAt: try columns.next(),
            version: try columns.next()
        )
        isMember = try columns.next()
        isRequested = try columns.next()
        role = try columns.next()
        playgroundRole = try columns.next()
        isBlocked = try columns.next()
    }

    /// Throws unless they take part in the channel.
    func requireMember() throws {
        guard isMember else { throw Problem.notMember }
        guard !isRequested else { throw Problem.notAccepted }
    }

    /// Throws unless they may say something, or change what was said.
    func requireVoice() throws {
        try requireMember()
        guard !isBlocked else { throw Problem.blocked }
        guard channel.archivedAt == nil else { throw Problem.archived }
    }

    /// Whether they may take away what others wrote.
    var moderates: Bool {
        if channel.type.isDirect { return false }
        return [role, playgroundRole].contains { $0 == .owner || $0 == .admin }
    }
}
