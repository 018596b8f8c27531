// SPDX-License-Identifier: Apache-2.0
// Somebody wants nothing to do with somebody else any more, or does again: what that means for their direct messages.

import Domain
import Events

/// Keeps the block and closes or opens the room of the two for their connections. Both keep what was said.
enum BlockChanged {
    static func react<Deed>(
        _ pair: PairEvent<Deed>,
        active: Bool,
        again: Bool = false,
        in work: Work
    ) async throws {
        let (blocker, blocked, version) = (pair.actorID, pair.targetID, pair.subjectVersion)
        let now = work.now()
        // What is told again is kept; the room of the two was closed for their connections when it happened.
        if again {
            return BlockStore.repair(blocker, blocked, version: version, at: now, in: work)
        }
        guard try await BlockStore.keep(blocker, blocked, active: active, version: version, at: now, in: work) else {
            return
        }
        // Before it is asked what stands between the two: another change of it, at the same time, is waited for.
        DirectChannelStore.hold(blocker, blocked, version: work.nextNumber(), in: work)
        let isBlocked = try await BlockStore.exists(between: blocker, blocked, in: work)
        // The other one's block still holds: nothing opens.
        guard isBlocked == active else { return }
        for direct in try await DirectChannelStore.between(blocker, blocked, in: work) {
            let (members, id) = (direct.members, direct.channel.id)
            try work.tell(
                .channel("updated", ChannelView(direct.channel, site: work.site)),
                in: isBlocked ? id : nil,
                to: members,
                joined: isBlocked ? [] : members.map { ChatUpdate.Membership(channelID: id, accountID: $0) },
                closed: isBlocked ? [id] : []
            )
        }
    }
}
