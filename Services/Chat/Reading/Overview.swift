// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/conversations-overview: every place where somebody talks, with what is new there.

import Domain
import Events
import Views
import Web

/// Playgrounds, channels and direct messages with their last message and exact counts, in one statement.
enum Overview {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reader = try request.requireAccount().id
        let rows = try await OverviewStore.rows(of: reader, in: dependencies.database)
        let playgrounds = rows.compactMap(\.playground)
        var channels = rows.compactMap(\.conversation)
        channels.sort { ($0.lastMoment, $0.seen.id) > ($1.lastMoment, $1.seen.id) }
        return .json(
            OverviewView(
                playgrounds: playgrounds.sorted { $0.id < $1.id },
                channels: channels,
                site: dependencies.site,
                now: dependencies.now()
            )
        )
    }
}

/// A channel that somebody takes part in, and what is new there.
struct Conversation: Sendable {
    let seen: SeenChannel
    let unread: Int64
    let mentions: Int64
    let lastMessage: MessageRow?

    var lastMoment: Timestamp { lastMessage?.createdAt ?? seen.channel.createdAt }
}

private struct OverviewView: ObjectView {
    let playgrounds: [SeenPlayground]
    let channels: [Conversation]
    let site: Site
    let now: Timestamp

    func writeMembers(to json: inout JSONWriter) {
        json.array("playgrounds") { json in for place in playgrounds { write(place, to: &json) } }
        json.array("channels") { json in
            for one in channels where !one.seen.channel.type.isDirect { write(one, to: &json) }
        }
        json.array("direct_channels") { json in
            for one in channels where one.seen.channel.type.isDirect { write(one, to: &json) }
        }
    }

    private func write(_ playground: SeenPlayground, to json: inout JSONWriter) {
        let inside = channels.filter { one in
            one.seen.channel.playgroundID == playground.id && !one.seen.channel.type.isDirect
        }
        json.object { json in
            PlaygroundView(playground, site: site).writeMembers(to: &json)
            json.member("unread_count", inside.reduce(0) { $0 + $1.unread })
            json.member("mentions_count", inside.reduce(0) { $0 + $1.mentions })
        }
    }

    private func write(_ conversation: Conversation, to json: inout JSONWriter) {
        let mutedUntil = conversation.seen.membership?.mutedUntil
        json.object { json in
            ChannelView(conversation.seen, site: site).writeMembers(to: &json)
            json.member("last_message", conversation.lastMessage.map { MessageView(message: $0, site: site) })
            json.member("unread_count", conversation.unread)
            json.member("mentions_count", conversation.mentions)
            json.member("muted", mutedUntil.map { $0 > now } ?? false)
        }
    }
}
