// SPDX-License-Identifier: Apache-2.0
// What open connections are told of direct channels.

import Domain
import Events

enum DirectChannelUpdates {
    /// Somebody who has yet to accept is told that there is something, but not what.
    static func tellRequested(_ id: ChannelID, to accounts: [AccountID], in work: Work) async throws {
        guard let channel = try await ChannelStore.channel(id, in: work) else { return }
        try work.tell(.channel("requested", ChannelView(channel, site: work.site)), to: accounts)
    }

    /// Accepts on behalf of somebody who has yet to; gives false when there was nothing to accept.
    static func accept(_ seen: SeenChannel, by account: AccountID, in work: Work) async throws -> Bool {
        let number = work.nextNumber()
        guard let version = try await DirectChannelStore.accept(seen.id, by: account, version: number, in: work) else {
            return false
        }
        try await tellJoined(account, seen, version: version, in: work)
        return true
    }

    /// Somebody takes part from now on.
    static func tellJoined(
        _ account: AccountID,
        _ seen: SeenChannel,
        version: Int64,
        in work: Work
    ) async throws {
        guard let snapshot = try await AccountStore.snapshot(account, in: work) else { return }
        let place = MemberPlace.channel(seen.id, of: seen.channel.playgroundID)
        let stamp = Stamp(moment: work.now(), version: version)
        try Members.joined(snapshot, place, as: .member, at: stamp, in: work)
        let membership = ChatUpdate.Membership(channelID: seen.id, accountID: account)
        try Members.tell("joined", snapshot, place, as: .member, joined: [membership], in: work)
        try work.tell(.channel("opened", ChannelView(seen.channel, site: work.site)), to: [account])
    }
}
