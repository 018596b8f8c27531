// SPDX-License-Identifier: Apache-2.0
// Somebody comes into a playground, or goes out of it.

import Domain
import Events
import Web

enum PlaygroundMembers {
    /// Lets somebody into a playground whose row is held, and into the channel that everybody is in; tells it unless they
    /// are in already.
    static func admit(
        _ id: AccountID,
        to playground: PlaygroundRow,
        as role: ChatRole = .member,
        in work: Work
    ) async throws {
        let everyone = playground.defaultChannelID
        let place = MemberPlace.playground(playground.id, everyone: everyone)
        guard let account = try await AccountStore.snapshot(id, in: work),
            try await Members.insert(account, place, as: role, in: work)
        else { return }
        // What is said there while they come in is either read or unread to them, never both.
        PlaygroundStore.share(of: everyone, in: work)
        ChannelStore.hold(everyone, in: work)
        _ = try await Members.insert(account, .channel(everyone, of: playground.id), as: role, in: work)
        guard let seen = try await PlaygroundStore.seen(playground.id, by: id, in: work) else { return }
        let membership = ChatUpdate.Membership(channelID: everyone, accountID: id)
        try work.tell(.playground("joined", PlaygroundView(seen, site: work.site)), to: [id], joined: [membership])
        try Members.tell("joined", account, place, as: role, in: work)
    }

    /// Ends somebody's membership of a playground whose row is held, and all their memberships of its channels.
    static func expel(_ account: AccountID, in change: PlaygroundChange) async throws {
        let (work, actor) = (change.work, change.actor.id)
        guard try await ProjectRoomStore.leader(of: change.id, in: work) != account else {
            throw Problem.projectLeader
        }
        guard let snapshot = try await AccountStore.snapshot(account, in: work) else { return }
        MemberStore.delete(account, from: .playground(change.id), in: work)
        ChannelStore.holdAll(of: account, in: change.id, in: work)
        let ended = try await MemberStore.deleteAll(of: account, in: change.id, in: work)
        for channel in ended.map(\.channel) {
            try Members.left(account, .channel(channel, of: change.id), by: actor, in: work)
        }
        try Members.left(account, change.place, by: actor, in: work)
        try work.tell(.goneFrom("left", change.id), to: [account])
        let memberships = ended.map { ChatUpdate.Membership(channelID: $0.channel, accountID: account) }
        let parts = memberships.parts(of: Work.idsInUpdate)
        for (index, part) in parts.enumerated() {
            let action = account == actor ? "left" : "removed"
            // The others of the playground are told once.
            let isTold = index == parts.count - 1
            try Members.tell(action, snapshot, change.place, isTold: isTold, left: part, in: work)
        }
        for channel in ended where channel.role == .owner {
            try await Members.succeed(account, in: channel, of: change)
        }
        try await ProjectRooms.left(account, change.id, in: work)
    }

    /// Makes a member the owner of a playground whose row is held; who was it stays as an admin.
    static func transfer(
        _ place: MemberPlace,
        _ id: PlaygroundID,
        from owner: AccountID,
        to target: AccountID,
        in work: Work
    ) async throws {
        let stamp = work.stamp()
        MemberStore.setOwner(target, of: .playground(id), at: stamp, in: work)
        try Members.transferred(place, to: target, from: owner, version: stamp.version, in: work)
        // Never two owners, not even for a moment.
        try await Members.setRole(.admin, of: owner, place, by: owner, in: work)
        try await Members.setRole(.owner, of: target, place, by: owner, in: work)
        guard let seen = try await PlaygroundStore.seen(id, by: target, in: work) else { return }
        try work.tell(.playground("updated", PlaygroundView(seen.playground, site: work.site)), in: place.room)
    }
}
