// SPDX-License-Identifier: Apache-2.0
// Somebody wants nothing to do with somebody else any more, or does again: what that means for their direct messages.

import Domain
import Events
import Postgres

/// Keeps the block and closes or opens the room of the two for their connections. Both keep what was said.
enum BlockChanged {
    static func react(
        _ blocker: AccountID,
        _ blocked: AccountID,
        active: Bool,
        version: Int64,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let isNews = try await BlockStore.keep(
            blocker,
            blocked,
            active: active,
            version: version,
            at: dependencies.now(),
            in: transaction
        )
        guard isNews else { return }
        // Before it is asked what stands between the two: another change of it, at the same time, is waited for.
        DirectChannelStore.hold(blocker, blocked, version: dependencies.nextNumber(), in: transaction)
        let isBlocked = try await BlockStore.exists(between: blocker, blocked, in: transaction)
        // The other one's block still holds: nothing opens.
        guard isBlocked == active else { return }
        for direct in try await DirectChannelStore.between(blocker, blocked, in: transaction) {
            let (members, channel) = (direct.members, direct.channel)
            let payload = dependencies.news("updated", ChannelView(channel, site: dependencies.site))
            let joined = members.map { ChatUpdate.Membership(channelID: channel.id, accountID: $0) }
            try dependencies.announce(
                ChatUpdate(
                    channelID: isBlocked ? channel.id : nil,
                    accountIDs: members,
                    event: "channel",
                    payload: payload,
                    joined: isBlocked ? [] : joined,
                    closed: isBlocked ? [channel.id] : []
                ),
                in: transaction
            )
        }
    }
}
