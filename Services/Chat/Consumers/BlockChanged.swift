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
        let keep = BlockStore.keep(blocker, blocked, active: active, version: version, at: dependencies.now())
        guard try await !transaction.query(keep).isEmpty else { return }
        // Before it is asked what stands between the two: another change of it, at the same time, is waited for.
        transaction.enqueue(DirectChannelStore.hold(blocker, blocked, version: dependencies.nextNumber()))
        let isBlocked = try await !transaction.query(BlockStore.between(blocker, blocked)).isEmpty
        // The other one's block still holds: nothing opens.
        guard isBlocked == active else { return }
        for row in try await transaction.query(DirectChannelStore.between(blocker, blocked)) {
            var columns = row.columns
            let members: [AccountID] = try columns.next()
            let channel = try ChannelRow(columns: &columns)
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
