// SPDX-License-Identifier: Apache-2.0
// A channel as its row and as somebody sees it.

import Domain
import Events
import Postgres
import Serving
import Views

/// A channel's row, with what is counted.
struct ChannelRow: Joined {
    let id: ChannelID
    let type: ChannelType
    let playgroundID: PlaygroundID?
    let name: String
    let description: String
    let ownerID: AccountID?
    let archivedAt: Timestamp?
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let version: Int64
    let lastSeq: Int64
    let lastChange: Int64
    /// Whether it is the channel that every member of the playground is in.
    let isDefault: Bool
    let membersCount: Int
    /// Everyone in direct messages, in the order of their ids; empty for a playground's channel.
    let people: [Person]

    /// The columns of `channel_entries e` that `init(columns:)` reads.
    static let list = ColumnList(
        "e",
        """
        id, type, playground_id, name, description, owner_id, archived_at, created_at, updated_at, version,
        last_seq, last_change, is_default, members_count, people
        """
    )

    init(columns: inout Columns) throws {
        id = try columns.next()
        type = try columns.next()
        playgroundID = try columns.next()
        name = try columns.next()
        description = try columns.next()
        ownerID = try columns.next()
        archivedAt = try columns.next()
        createdAt = try columns.next()
        updatedAt = try columns.next()
        version = try columns.next()
        lastSeq = try columns.next()
        lastChange = try columns.next()
        isDefault = try columns.next()
        membersCount = try columns.next()
        people = try columns.next(JSONB?.self)?.snapshot() ?? []
    }

    var snapshot: ChannelSnapshot {
        ChannelSnapshot(
            id: id,
            type: type,
            playgroundID: playgroundID,
            name: name,
            description: description,
            ownerID: ownerID,
            archivedAt: archivedAt,
            createdAt: createdAt,
            version: version
        )
    }
}

/// What somebody is in a channel.
struct ChannelMembership: Joined {
    let role: ChatRole
    /// Direct messages that have yet to be accepted.
    let requested: Bool
    let lastReadSeq: Int64
    let notify: NotifyLevel
    /// Whether they ever said so themselves.
    let isNotifyChosen: Bool
    let mutedUntil: Timestamp?
    let joinedAt: Timestamp
    let version: Int64

    /// The columns of `channel_members m` that `init(columns:)` reads.
    static let list = ColumnList(
        "m",
        "role, requested, last_read_seq, notify, notify_chosen, muted_until, joined_at, version"
    )

    init(columns: inout Columns) throws {
        role = try columns.next()
        requested = try columns.next()
        lastReadSeq = try columns.next()
        notify = try columns.next()
        isNotifyChosen = try columns.next()
        mutedUntil = try columns.next()
        joinedAt = try columns.next()
        version = try columns.next()
    }
}

/// A channel as clients see it.
struct ChannelView: ObjectView {
    enum Viewer: Sendable {
        /// For a message that many receive: without what differs from one to the other.
        case everyone
        /// Nil for somebody who sees a public channel without being in it.
        case member(ChannelMembership?)
    }

    let channel: ChannelRow
    let viewer: Viewer
    let site: Site

    init(_ channel: ChannelRow, viewer: Viewer = .everyone, site: Site) {
        self.channel = channel
        self.viewer = viewer
        self.site = site
    }

    init(_ seen: SeenChannel, site: Site) { self.init(seen.channel, viewer: .member(seen.membership), site: site) }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", channel.id)
        json.member("type", channel.type.rawValue)
        json.member("playground_id", channel.playgroundID)
        json.member("name", channel.name)
        json.member("description", channel.description)
        json.member("owner_id", channel.ownerID)
        json.member("default", channel.isDefault)
        if case .member(let membership) = viewer {
            json.member("member", membership?.requested == false)
            json.member("role", membership?.role.rawValue)
            json.member("requested", membership?.requested == true)
            json.member("notify", (membership?.notify ?? .all).rawValue)
            json.member("muted_until", membership?.mutedUntil)
        }
        json.member("members_count", channel.membersCount)
        json.member("members", channel.people.map { PersonView(person: $0, site: site) })
        json.member("last_seq", channel.lastSeq)
        json.member("last_change", channel.lastChange)
        if case .member(let membership) = viewer { json.member("last_read_seq", membership?.lastReadSeq ?? 0) }
        json.member("archived_at", channel.archivedAt)
        json.member("created_at", channel.createdAt)
        json.member("updated_at", channel.updatedAt)
    }
}
