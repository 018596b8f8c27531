// SPDX-License-Identifier: Apache-2.0
// A channel as somebody sees it.

import Domain
import Events
import Postgres
import Web

/// A channel, and what somebody is in it and in its playground.
struct SeenChannel: Joined {
    let channel: ChannelRow
    let membership: ChannelMembership?
    /// Nil for direct messages outside any playground, and for an outsider.
    let playgroundRole: ChatRole?

    /// Those of the channel, of the membership, and of the viewer's `playground_members p`.
    static let list = ChannelRow.list + ChannelMembership.list + ColumnList("p", "role")

    init(columns: inout Columns) throws {
        channel = try columns.next()
        membership = try columns.next()
        playgroundRole = try columns.next()
    }

    var id: ChannelID { channel.id }

    /// Throws unless the asking person may do this: 404 for a channel that one may not know of.
    func require(_ act: Permission.ChannelAct) throws { try Permission.refusal(act, ties)?.raise() }

    var ties: ChannelTies {
        ChannelTies(type: channel.type, role: membership?.role, playgroundRole: playgroundRole)
    }
}

extension SeenChannel {
    /// The channel of the path; throws 404 for one that the asking person may not see.
    static func find(_ request: Request, _ dependencies: Dependencies) async throws -> SeenChannel {
        let viewer = try request.requireAccount().id
        let seen = try await ChannelStore.seen(try request.id(), by: viewer, in: dependencies.database).found()
        try seen.require(.see)
        return seen
    }

    /// A channel, held against every other change of it, its members and its messages until the end of the transaction,
    /// whether or not the viewer may see it. Its playground is held before it: who is being removed from that is waited
    /// for.
    static func hold(_ id: ChannelID, by viewer: AccountID, in work: Work) async throws -> SeenChannel {
        PlaygroundStore.share(of: id, in: work)
        ChannelStore.hold(id, in: work)
        guard let seen = try await ChannelStore.seen(id, by: viewer, in: work) else { throw Problem.notFound }
        return seen
    }
}
