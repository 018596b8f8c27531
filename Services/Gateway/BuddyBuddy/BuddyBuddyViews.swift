// SPDX-License-Identifier: Apache-2.0
// What Buddy Buddy decodes; members that it cannot do without are always there.

import Calls
import Domain
import Views

struct BuddyBuddyWorkspace: ObjectView {
    let playground: PlaygroundBody
    /// What is in it, or was found there; the app cannot read a single workspace without.
    var content: ContentBody?

    func writeMembers(to json: inout JSONWriter) {
        json.member("workspace_id", playground.id)
        json.member("name", playground.name)
        json.member("description", playground.description)
        json.member("coverImage", playground.cover?.url.map(BuddyBuddyPath.of) ?? BuddyBuddyPath.cover)
        json.member("owner_id", playground.ownerID ?? "")
        json.member("createdAt", playground.createdAt)
        guard let content else { return }
        json.member("channels", content.channels.map { BuddyBuddyChannel(channel: $0) })
        json.member("workspaceMembers", content.members.map { BuddyBuddyUser($0.person) })
    }
}

struct BuddyBuddyChannel: ObjectView {
    let channel: ChannelBody
    var members: [MemberBody]?

    func writeMembers(to json: inout JSONWriter) {
        json.member("channel_id", channel.id)
        json.member("name", channel.name ?? "")
        json.member("description", channel.description)
        json.member("coverImage", BuddyBuddyPath.cover)
        json.member("owner_id", channel.ownerID ?? "")
        json.member("createdAt", channel.createdAt)
        if let members { json.member("channelMembers", members.map { BuddyBuddyUser($0.person) }) }
    }
}

/// Direct messages with one person.
struct BuddyBuddyRoom: ObjectView {
    let channel: ChannelBody
    let other: PersonBody

    /// Nil for a channel that is not one of two people.
    init?(_ channel: ChannelBody, for account: String?) {
        guard channel.type == "direct", let people = channel.members,
            let other = people.first(where: { $0.id != account }) ?? people.first
        else { return nil }
        self.channel = channel
        self.other = other
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("room_id", channel.id)
        json.member("createdAt", channel.createdAt)
        json.member("user", BuddyBuddyUser(other))
    }
}

/// How much of a channel or a room is unread.
struct BuddyBuddyUnread: ObjectView {
    let id: String
    /// Of channels.
    let name: String?
    let count: Int

    func writeMembers(to json: inout JSONWriter) {
        json.member(name == nil ? "room_id" : "channel_id", id)
        if let name { json.member("name", name) }
        json.member("count", count)
    }
}

/// Oneself: the only one whose address of mail is told, to oneself.
struct BuddyBuddySelf: ObjectView {
    let identity: Identity
    var nickname: String?
    var avatar: String?
    /// After signing in or up.
    var session: KeptSession?

    func writeMembers(to json: inout JSONWriter) {
        json.member("user_id", identity.id)
        json.member("email", identity.email ?? "")
        json.member("nickname", nickname ?? identity.username.text)
        json.member("profileImage", avatar.map(BuddyBuddyPath.of) ?? BuddyBuddyPath.avatar)
        // Madang asks nobody for a telephone number, and has no coins.
        json.member("phone", "")
        json.null("provider")
        json.member("sesacCoin", 0)
        json.member("createdAt", identity.created)
        guard let session else { return }
        json.object("token") { json in
            json.member("accessToken", session.accessToken)
            json.member("refreshToken", session.refreshToken)
        }
    }
}
