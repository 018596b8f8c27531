// SPDX-License-Identifier: Apache-2.0
// A channel that somebody sees, and what decides what they may say there.

import Events
import Postgres
import Web

/// What `Permission` asks of somebody who sees a channel.
struct ChannelAccess: Columned {
    let channel: ChannelSnapshot
    /// Direct messages that have yet to be accepted.
    let isRequested: Bool
    let ties: ChannelTies
    /// In direct messages between two people: whether one wants nothing to do with the other.
    let isBlocked: Bool

    /// Throws unless they may do this.
    func require(_ act: Permission.MessageAct) throws { try Permission.refusal(act, self)?.raise() }
}

extension ChannelAccess {
    /// The columns of `channel_standing(…) s` that `init(columns:)` reads.
    static let columns: SQL = """
        s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
        s.requested, s.role, s.playground_role, s.blocked
        """

    init(columns: inout Columns) throws {
        channel = try columns.read(ChannelSnapshot.init)
        isRequested = try columns.next()
        ties = ChannelTies(type: channel.type, role: try columns.next(), playgroundRole: try columns.next())
        isBlocked = try columns.next()
    }
}

extension Permission.Refusal {
    func raise() throws {
        switch self {
        case .unseen: throw Problem.notFound
        case .forbidden: throw Problem.forbidden
        case .notMember: throw Problem.notMember
        case .notAccepted: throw Problem.notAccepted
        case .blocked: throw Problem.blocked
        case .archived: throw Problem.archived
        }
    }
}
