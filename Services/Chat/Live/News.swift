// SPDX-License-Identifier: Apache-2.0
// What open connections are told.

import Domain
import Events
import Postgres
import Views

/// An event of chat's sockets with its payload.
enum News {
    case playground(String, PlaygroundView)
    /// Of a playground that is no more, or is none of the reader's any more.
    case goneFrom(String, PlaygroundID)
    case channel(String, ChannelView)
    /// For those who may know no more of a channel than its id.
    case gone(ChannelID, from: PlaygroundID?)
    /// Without a channel it is about the playground and all channels in it.
    case member(String, Person, ChatRole?, PlaygroundID?, ChannelID?)
    case message(String, MessageRow)
    case reaction(MessageRow, emoji: String, by: AccountID, isAdded: Bool)
    case read(Position)

    var event: String {
        switch self {
        case .playground, .goneFrom: "playground"
        case .channel, .gone: "channel"
        case .member: "member"
        case .message(let event, _): event
        case .reaction: "reaction"
        case .read: "read"
        }
    }

    func payload(_ site: Site) -> [UInt8] {
        switch self {
        case .message(_, let message): return MessageView(message: message, site: site).json()
        case .read(let position): return PositionView(position: position, isAnswer: false).json()
        default: break
        }
        return JSONWriter.object { write(to: &$0, site) }
    }

    private func write(to json: inout JSONWriter, _ site: Site) {
        switch self {
        case .playground(let action, let view):
            json.member("action", action)
            json.member("playground", view)
        case .goneFrom(let action, let playground):
            json.member("action", action)
            json.object("playground") { json in json.member("id", playground) }
        case .channel(let action, let view):
            json.member("action", action)
            json.member("channel", view)
        case .gone(let channel, let playground):
            json.member("action", "deleted")
            json.object("channel") { json in
                json.member("id", channel)
                json.member("playground_id", playground)
            }
        case .member(let action, let person, let role, let playground, let channel):
            json.member("playground_id", playground)
            json.member("channel_id", channel)
            json.member("account", PersonView(person: person, site: site))
            json.member("action", action)
            json.member("role", role?.rawValue)
        case .reaction(let message, let emoji, let actor, let isAdded):
            json.member("channel_id", message.channelID)
            json.member("message_id", message.id)
            json.member("seq", message.seq)
            json.member("change", message.change)
            json.member("emoji", emoji)
            json.member("account_id", actor)
            json.member("added", isAdded)
            json.member("reactions", written: message.reactions?.json, absent: "[]")
        case .message, .read: break
        }
    }
}
