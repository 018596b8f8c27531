// SPDX-License-Identifier: Apache-2.0
// Who may do what in a playground and in a channel: the only place that decides.

import Events

/// What somebody is to a channel.
struct ChannelTies: Hashable, Sendable {
    let type: ChannelType
    /// Nil for who is not in it.
    let role: ChatRole?
    /// Nil outside any playground, and for who is not in it.
    let playgroundRole: ChatRole?
}

/// Pure rules over roles; a table in the tests spells them out.
enum Permission {
    enum PlaygroundAct: Hashable, Sendable, CaseIterable {
        /// That it is there, and how it looks.
        case see
        /// Channels, members and what else is inside.
        case look
        case createPublicChannel
        case createPrivateChannel
        case edit
        case invite
        case removeMember
        case ban
        case changeRole
        case transfer
        case delete
    }

    enum ChannelAct: Hashable, Sendable, CaseIterable {
        /// That it is there, and what is said in it.
        case see
        case join
        case leave
        case invite
        case edit
        /// To make a public one private.
        case hide
        case archive
        case removeMember
        case changeRole
        case transfer
        case delete
        /// To choose what of it notifies oneself.
        case mute
    }

    enum MessageAct: Hashable, Sendable, CaseIterable {
        /// To say how far one has read, or to take back what one said with an emoji.
        case takePart
        /// To say something, or to change what was said.
        case speak
        /// To take away what others wrote.
        case moderate
    }

    /// Why somebody may not do something.
    enum Refusal: Hashable, Sendable {
        /// They may not know that it is there.
        case unseen
        case forbidden
        case notMember
        case notAccepted
        case blocked
        case archived
    }

    /// Nil for what may be done; `role` is nil for an outsider.
    static func refusal(_ act: PlaygroundAct, _ role: ChatRole?, isOpen: Bool = false) -> Refusal? {
        guard let role else { return !isOpen ? .unseen : act == .see ? nil : .forbidden }
        let isAllowed =
            switch act {
            case .see, .look, .createPublicChannel: true
            case .createPrivateChannel, .edit, .invite, .removeMember, .ban: role != .member
            case .changeRole, .transfer, .delete: role == .owner
            }
        return isAllowed ? nil : .forbidden
    }

    /// Nil for what may be done.
    static func refusal(_ act: ChannelAct, _ ties: ChannelTies) -> Refusal? {
        guard sees(ties) else { return .unseen }
        switch act {
        case .see: return nil
        case .mute: return ties.role == nil ? .notMember : nil
        // Who is not in it could not see what they did.
        case .hide where ties.role == nil: return .notMember
        case .leave where ties.type == .group: return nil
        // Direct messages have no roles: who is in them is decided when they are opened.
        default: return !ties.type.isDirect && allows(act, ties, rank: rank(ties)) ? nil : .forbidden
        }
    }

    private static func allows(_ act: ChannelAct, _ ties: ChannelTies, rank: ChatRole?) -> Bool {
        switch act {
        case .see, .mute, .join, .leave: true
        case .invite: ties.role != nil || rank != .member
        case .hide: refusal(.createPrivateChannel, ties.playgroundRole) == nil
        case .edit, .archive, .removeMember: rank == .owner || rank == .admin
        case .changeRole, .transfer, .delete: rank == .owner
        }
    }

    /// Nil for what somebody who sees the channel may do.
    static func refusal(_ act: MessageAct, _ access: ChannelAccess) -> Refusal? {
        let ties = access.ties
        if act == .moderate {
            let isAdmin = [ties.role, ties.playgroundRole].contains { $0 == .owner || $0 == .admin }
            return isAdmin && !ties.type.isDirect ? nil : .forbidden
        }
        if ties.role == nil { return .notMember }
        if access.isRequested { return .notAccepted }
        guard act == .speak else { return nil }
        if access.isBlocked { return .blocked }
        return access.channel.archivedAt == nil ? nil : .archived
    }

    /// Nobody acts upon their equals.
    static func outranks(_ actor: ChatRole, _ target: ChatRole) -> Bool {
        switch actor {
        case .owner: target != .owner
        case .admin: target == .member
        case .member: false
        }
    }

    /// Whether somebody sees that a channel is there, and reads it.
    ///
    /// The owner and the admins of a playground do not see a private channel that they are not in.
    static func sees(_ ties: ChannelTies) -> Bool {
        ties.role != nil || (ties.type == .public && ties.playgroundRole != nil)
    }

    /// What somebody counts as in a channel: in a public one, what they are in the playground if that is more.
    static func rank(_ ties: ChannelTies) -> ChatRole? {
        guard ties.type == .public, let playgroundRole = ties.playgroundRole else { return ties.role }
        if playgroundRole == .owner || ties.role == .owner { return .owner }
        return playgroundRole == .admin || ties.role == .admin ? .admin : .member
    }
}
