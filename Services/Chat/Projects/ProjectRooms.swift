// SPDX-License-Identifier: Apache-2.0
// The playgrounds of projects: who is in a project is let into its playground, and who goes out of one goes out of the other.

import Domain
import Events
import Web

/// Brings playgrounds into line with lists of members, and tells posts who went out here.
///
/// A list is a whole: whatever came before it may be missing, late or twice. Who came into a playground by another way, such
/// as an invitation, is a guest, of whom lists say nothing.
enum ProjectRooms {
    /// Makes the playground what the newest list of members says; an older one is passed over.
    static func follow(_ list: ProjectMembersChanged, in work: Work) async throws {
        let id = list.projectID
        ProjectRoomStore.open(id, of: list.leaderID, in: work)
        guard let room = try await ProjectRoomStore.hold(id, in: work), room.version < list.subjectVersion,
            !room.hasEnded
        else { return }
        try await know(list.members, in: work)
        let found = try await playground(room, list, in: work)
        let next = ProjectRoom(
            version: list.subjectVersion,
            leaderID: list.leaderID,
            playgroundID: found.playground?.id,
            told: found.isNew ? max(room.told &+ 1, work.nextNumber()) : room.told,
            hasEnded: false
        )
        ProjectRoomStore.save(next, of: id, in: work)
        guard let playground = found.playground else { return }
        if found.isNew {
            try work.record(
                ProjectRoomChanged(
                    projectID: id,
                    playgroundID: playground.id,
                    channelID: playground.defaultChannelID,
                    subjectVersion: next.told
                )
            )
        }
        let known = try await ProjectRoomStore.members(of: id, in: work)
        try await admit(list, known, to: playground, in: work)
        let leaving = known.filter { one in !list.members.contains { $0.accountID == one.accountID } }
        try await settleOwner(of: playground, list, former: room.leaderID, leaving: leaving, in: work)
        try await expel(leaving, of: id, from: playground.id, in: work)
    }

    /// Makes rows for those of whom nothing was heard yet.
    private static func know(_ members: [ProjectMemberSnapshot], in work: Work) async throws {
        let known = try await AccountStore.existing(members.map(\.accountID), in: work)
        for member in members where !known.contains(member.accountID) {
            try AccountStore.keep(AccountSnapshot(id: member.accountID, username: member.username), in: work)
        }
    }

    /// The playground of the project, which is made when there is somebody to talk to.
    private static func playground(
        _ room: ProjectRoom,
        _ list: ProjectMembersChanged,
        in work: Work
    ) async throws -> (playground: PlaygroundRow?, isNew: Bool) {
        if let id = room.playgroundID, let seen = try await PlaygroundStore.seen(id, by: nil, in: work) {
            return (seen.playground, false)
        }
        guard list.members.count > 1 else { return (nil, false) }
        let name = String(list.title.prefix(work.limits.name))
        let draft = PlaygroundDraft(name: name, description: nil, isOpen: false, cover: nil)
        let language = Language(rawValue: String(list.language?.prefix(2) ?? "")) ?? .english
        return (try await CreatePlayground.make(draft, of: list.leaderID, language, in: work).playground, true)
    }

    /// Lets those in who came into the project, unless they are banned: who leads it is let in all the same.
    private static func admit(
        _ list: ProjectMembersChanged,
        _ known: [RoomMember],
        to playground: PlaygroundRow,
        in work: Work
    ) async throws {
        let accounts = list.members.map(\.accountID)
        let present = try await MemberStore.members(among: accounts, of: playground.id, in: work)
        for member in list.members {
            let earlier = known.first { $0.accountID == member.accountID && $0.since == member.since }
            // Posts has yet to hear that they went; who leads it cannot.
            if earlier?.isGone == true, member.accountID != list.leaderID { continue }
            var isRefused = false
            if !present.contains(member.accountID) {
                let isBanned = try await BanStore.exists(member.accountID, in: playground.id, in: work)
                isRefused = isBanned && member.accountID != list.leaderID
                if isBanned, !isRefused { BanStore.delete(member.accountID, in: playground.id, in: work) }
                if !isRefused { try await PlaygroundMembers.admit(member.accountID, to: playground, in: work) }
            }
            guard earlier?.isGone != false || isRefused else { continue }
            let kept = RoomMember(accountID: member.accountID, since: member.since, isGone: isRefused)
            ProjectRoomStore.keep(kept, of: list.projectID, in: work)
            if isRefused { try tellLeft(member.accountID, since: member.since, list.projectID, in: work) }
        }
    }

    /// A playground goes with the project to another leader, and to the leader when its owner is to go.
    private static func settleOwner(
        of playground: PlaygroundRow,
        _ list: ProjectMembersChanged,
        former: AccountID,
        leaving: [RoomMember],
        in work: Work
    ) async throws {
        let owner = playground.ownerID
        guard owner != list.leaderID, owner == former || leaving.contains(where: { $0.accountID == owner }) else {
            return
        }
        let place = MemberPlace.playground(playground.id, everyone: playground.defaultChannelID)
        try await PlaygroundMembers.transfer(place, playground.id, from: owner, to: list.leaderID, in: work)
    }

    private static func expel(
        _ leaving: [RoomMember],
        of project: ProjectID,
        from playground: PlaygroundID,
        in work: Work
    ) async throws {
        for member in leaving {
            // First, so that it is not told back.
            ProjectRoomStore.forget(member.accountID, of: project, in: work)
            guard !member.isGone,
                let seen = try await PlaygroundStore.seen(playground, by: member.accountID, in: work),
                let role = seen.role,
                let account = try await AccountStore.snapshot(member.accountID, in: work)
            else { continue }
            let change = PlaygroundChange(
                actor: Principal.Account(id: account.id, username: account.username),
                role: role,
                playground: seen.playground,
                work: work
            )
            try await PlaygroundMembers.expel(account.id, in: change)
        }
    }

    /// Somebody went out of a playground, or was sent out.
    static func left(_ account: AccountID, _ playground: PlaygroundID, in work: Work) async throws {
        guard let ended = try await ProjectRoomStore.leave(account, from: playground, in: work) else { return }
        try tellLeft(account, since: ended.since, ended.project, in: work)
    }

    private static func tellLeft(
        _ account: AccountID,
        since: Int64,
        _ project: ProjectID,
        in work: Work
    ) throws {
        try work.record(
            ProjectMemberLeft(
                projectID: project,
                accountID: account,
                since: since,
                subjectVersion: work.nextNumber()
            )
        )
    }

    /// A playground is deleted: its project has none until somebody comes or goes.
    static func closed(_ playground: PlaygroundID, in work: Work) async throws {
        let number = work.nextNumber()
        guard let closed = try await ProjectRoomStore.close(playground, telling: number, in: work) else { return }
        try work.record(
            ProjectRoomChanged(
                projectID: closed.project,
                playgroundID: nil,
                channelID: nil,
                subjectVersion: closed.told
            )
        )
    }
}
