// SPDX-License-Identifier: Apache-2.0
// Somebody comes into a playground or a channel, goes out of it, or may do more or less in it.

import Domain
import Events
import Web

/// Where somebody's membership changes: a row that is held, and who hears of it.
struct MemberPlace: Sendable {
    let place: Place
    let playground: PlaygroundID?
    /// Whose members are told.
    let room: ChannelID

    /// Nil for a playground as a whole.
    var channel: ChannelID? { if case .channel(let id) = place { id } else { nil } }

    static func channel(_ id: ChannelID, of playground: PlaygroundID?) -> MemberPlace {
        MemberPlace(place: .channel(id), playground: playground, room: id)
    }

    static func playground(_ id: PlaygroundID, everyone: ChannelID) -> MemberPlace {
        MemberPlace(place: .playground(id), playground: id, room: everyone)
    }
}

/// What changes of memberships have in common, whoever asks for them.
enum Members {
    /// What somebody is in a place; throws notFound for who is not in it, and for its owner.
    static func present(_ account: AccountID, in place: Place, _ work: Work) async throws -> ChatRole {
        guard let role = try await MemberStore.role(of: account, in: place, in: work) else { throw Problem.notFound }
        guard role != .owner else { throw Problem.ownerMustTransfer }
        return role
    }

    /// Lets somebody in, and tells other services; false for who is in already.
    static func insert(
        _ account: AccountSnapshot,
        _ place: MemberPlace,
        as role: ChatRole,
        in work: Work
    ) async throws -> Bool {
        let stamp = work.stamp()
        guard try await MemberStore.insert(account.id, into: place.place, role: role, at: stamp, in: work) else {
            return false
        }
        try joined(account, place, as: role, at: stamp, in: work)
        return true
    }

    static func joined(
        _ account: AccountSnapshot,
        _ place: MemberPlace,
        as role: ChatRole,
        at stamp: Stamp,
        in work: Work
    ) throws {
        try work.record(
            MemberJoined(
                playgroundID: place.playground,
                channelID: place.channel,
                account: account,
                role: role,
                joinedAt: stamp.moment,
                subjectVersion: stamp.version
            )
        )
    }

    /// Tells open connections of somebody's membership.
    static func tell(
        _ action: String,
        _ account: AccountSnapshot,
        _ place: MemberPlace,
        as role: ChatRole? = nil,
        isTold: Bool = true,
        joined: [ChatUpdate.Membership] = [],
        left: [ChatUpdate.Membership] = [],
        in work: Work
    ) throws {
        try work.tell(
            .member(action, Person(account), role, place.playground, place.channel),
            in: isTold ? place.room : nil,
            joined: joined,
            left: left
        )
    }

    /// Lets somebody into a channel whose row is held; tells it unless they are in already.
    static func enter(
        _ channel: MemberPlace,
        _ account: AccountSnapshot,
        as role: ChatRole = .member,
        in work: Work
    ) async throws {
        guard try await insert(account, channel, as: role, in: work),
            let seen = try await ChannelStore.seen(channel.room, by: account.id, in: work)
        else { return }
        let membership = ChatUpdate.Membership(channelID: channel.room, accountID: account.id)
        try work.tell(.channel("opened", ChannelView(seen, site: work.site)), to: [account.id], joined: [membership])
        try tell("joined", account, channel, as: role, in: work)
    }

    /// Gives a member of a place whose row is held another role, and tells it.
    static func setRole(
        _ role: ChatRole,
        of account: AccountID,
        _ place: MemberPlace,
        by actor: AccountID,
        in work: Work
    ) async throws {
        let version = work.nextNumber()
        MemberStore.setRole(role, of: account, in: place.place, version: version, in: work)
        try work.record(
            RoleChanged(
                playgroundID: place.playground,
                channelID: place.channel,
                accountID: account,
                role: role,
                actorID: actor,
                subjectVersion: version
            )
        )
        guard let snapshot = try await AccountStore.snapshot(account, in: work) else { return }
        try tell("role", snapshot, place, as: role, in: work)
    }

    /// Tells other services that somebody went out.
    static func left(_ account: AccountID, _ place: MemberPlace, by actor: AccountID, in work: Work) throws {
        try work.record(
            MemberLeft(
                playgroundID: place.playground,
                channelID: place.channel,
                accountID: account,
                actorID: actor,
                subjectVersion: work.nextNumber()
            )
        )
    }

    /// Tells other services that a place has another owner.
    static func transferred(
        _ place: MemberPlace,
        to owner: AccountID,
        from former: AccountID,
        version: Int64,
        in work: Work
    ) throws {
        try work.record(
            OwnershipTransferred(
                playgroundID: place.playground,
                channelID: place.channel,
                ownerID: owner,
                formerOwnerID: former,
                subjectVersion: version
            )
        )
    }

    /// Makes a member the owner of a channel whose row is held, and tells it. Nobody else may be its owner any more.
    static func own(
        _ channel: MemberPlace,
        _ owner: AccountID,
        after former: AccountID,
        in work: Work
    ) async throws {
        let stamp = work.stamp()
        MemberStore.setOwner(owner, of: channel.place, at: stamp, in: work)
        try transferred(channel, to: owner, from: former, version: stamp.version, in: work)
        try await setRole(.owner, of: owner, channel, by: former, in: work)
        try await work.tell("updated", of: channel.room)
    }

    /// A channel whose owner went out goes to whoever comes next. A private one that nobody is left in is gone: nobody
    /// could ever see it again.
    static func succeed(_ former: AccountID, in ended: EndedMembership, of change: PlaygroundChange) async throws {
        let work = change.work
        if let next = try await MemberStore.successor(in: ended.channel, in: work) {
            try await own(.channel(ended.channel, of: change.id), next, after: former, in: work)
        } else if ended.type == .private {
            try remove(ended.channel, of: change.id, by: change.actor.id, in: work)
        } else {
            MemberStore.setOwner(nil, of: .channel(ended.channel), at: work.stamp(), in: work)
            if let seen = try await ChannelStore.seen(ended.channel, by: change.actor.id, in: work) {
                try work.record(ChannelUpdated(channel: seen.channel.snapshot))
            }
        }
    }

    /// Ends somebody's membership of a channel whose row is held, if there is one, and tells it. A group that nobody is
    /// left in is gone.
    static func leave(_ account: AccountID, in change: ChannelChange) async throws {
        let (work, place) = (change.work, change.place)
        guard let role = try await MemberStore.role(of: account, in: .channel(change.id), in: work) else { return }
        guard !change.channel.isDefault else { throw Problem.defaultChannel }
        guard role != .owner else { throw Problem.ownerMustTransfer }
        guard let snapshot = try await AccountStore.snapshot(account, in: work) else { return }
        MemberStore.delete(account, from: .channel(change.id), in: work)
        try left(account, place, by: change.actor.id, in: work)
        let membership = ChatUpdate.Membership(channelID: change.id, accountID: account)
        let action = account == change.actor.id ? "left" : "removed"
        try tell(action, snapshot, place, left: [membership], in: work)
        guard change.channel.type == .group else { return }
        DirectChannelStore.dissolve(change.id, in: work)
        guard try await MemberStore.successor(in: change.id, in: work) == nil else { return }
        try remove(change.id, of: change.channel.playgroundID, by: change.actor.id, in: work)
    }

    /// Takes a channel from everybody, and tells other services.
    static func remove(
        _ channel: ChannelID,
        of playground: PlaygroundID?,
        by actor: AccountID,
        in work: Work
    ) throws {
        try work.record(
            ChannelDeleted(
                channelID: channel,
                playgroundID: playground,
                actorID: actor,
                subjectVersion: work.nextNumber()
            )
        )
        ChannelStore.delete([channel], at: work.now(), in: work)
    }
}
