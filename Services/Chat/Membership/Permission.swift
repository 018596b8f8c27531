// SPDX-License-Identifier: Apache-2.0
// Who may do what in a playground and in a channel: the only place that decides.

import Events

/// Pure rules over roles; a table in the tests spells them out.
enum Permission {
    enum PlaygroundAct: Hashable, Sendable, CaseIterable {
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
        case join
        case leave
        case invite
        case edit
        case archive
        case removeMember
        case changeRole
        case transfer
        case delete
    }

    static func allows(_ act: PlaygroundAct, _ role: ChatRole?) -> Bool {
        guard let role else { return false }
        return switch act {
        case .look, .createPublicChannel: true
        case .createPrivateChannel, .edit, .invite, .removeMember, .ban: role != .member
        case .changeRole, .transfer, .delete: role == .owner
        }
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
    static func sees(_ type: ChannelType, role: ChatRole?, playgroundRole: ChatRole?) -> Bool {
        role != nil || (type == .public && playgroundRole != nil)
    }

    /// What somebody counts as in a channel: in a public one, what they are in the playground if that is more.
    static func rank(in type: ChannelType, role: ChatRole?, playgroundRole: ChatRole?) -> ChatRole? {
        guard type == .public, let playgroundRole else { return role }
        if playgroundRole == .owner || role == .owner { return .owner }
        return playgroundRole == .admin || role == .admin ? .admin : .member
    }

    /// Whether somebody who sees a channel may do this to it; `role` is nil for who is not in it.
    static func allows(
        _ act: ChannelAct,
        in type: ChannelType,
        role: ChatRole?,
        playgroundRole: ChatRole?
    ) -> Bool {
        // Direct messages have no roles: who is in them is decided when they are opened.
        guard !type.isDirect, sees(type, role: role, playgroundRole: playgroundRole) else { return false }
        let rank = rank(in: type, role: role, playgroundRole: playgroundRole)
        return switch act {
        case .join, .leave: true
        case .invite: role != nil || rank != .member
        case .edit, .archive, .removeMember: rank == .owner || rank == .admin
        case .changeRole, .transfer, .delete: rank == .owner
        }
    }
}
