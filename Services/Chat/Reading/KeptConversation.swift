// SPDX-License-Identifier: Apache-2.0
// Conversations as the overview shows them, kept between overviews.

import Domain
import Events
import Serving
import Views

/// A conversation as it was read last by one of those who take part in it.
struct KeptConversation: View, ShownPart {
    let id: Int64
    let subjects: [Int64]?
    /// When something was said last; where nothing was, when the channel was made.
    let heardAt: Timestamp
    let playgroundID: PlaygroundID?
    let isDirect: Bool
    let unread: Int64
    let mentions: Int64
    private let json: [UInt8]

    init(_ conversation: Conversation, lastMessage: KeptMessage?, site: Site, now: Timestamp) {
        let channel = conversation.seen.channel
        let isMuted = conversation.seen.membership?.mutedUntil.map { $0 > now } ?? false
        id = channel.id.rawValue
        heardAt = conversation.lastMessage?.createdAt ?? channel.createdAt
        playgroundID = channel.playgroundID
        isDirect = channel.type.isDirect
        unread = conversation.unread
        mentions = conversation.mentions
        json = JSONWriter.object { json in
            ChannelView(conversation.seen, site: site).writeMembers(to: &json)
            json.member("last_message", lastMessage)
            json.member("unread_count", conversation.unread)
            json.member("mentions_count", conversation.mentions)
            json.member("muted", isMuted)
        }
        let said = lastMessage.map(\.subjects) ?? []
        // A mute ends by itself.
        subjects =
            isMuted
            ? nil
            : said.map { said in
                [channel.id.rawValue] + [channel.playgroundID?.rawValue].compactMap(\.self)
                    + channel.people.map(\.id.rawValue) + said
            }
    }

    var size: Int { json.count }

    func write(to json: inout JSONWriter) { json.raw(self.json) }
}
