// SPDX-License-Identifier: Apache-2.0
// What chat answers to the gateway, with messages left as the bytes they came as.

import Domain
import NIOCore

/// A channel as `GET /internal/rooms` tells it.
struct RoomStanding: Equatable {
    let channelID: ChannelID
    let isDirect: Bool
    let playgroundID: PlaygroundID?
    let last: Int64
    let change: Int64
}

/// Where somebody belongs.
struct RoomList {
    let rooms: [RoomStanding]
    let playgrounds: [PlaygroundID]

    init?(_ answer: ByteBuffer) {
        let json = RawJSON(answer)
        guard let rooms = json.member("rooms")?.elements else { return nil }
        self.rooms = rooms.compactMap { room in
            guard let id = room.member("channel_id")?.text.flatMap({ ChannelID($0) }),
                let last = room.member("last_seq")?.integer
            else { return nil }
            let type = room.member("type")?.text
            return RoomStanding(
                channelID: id,
                isDirect: type == "direct" || type == "group",
                playgroundID: room.member("playground_id")?.text.flatMap { PlaygroundID($0) },
                last: max(0, last),
                change: max(0, room.member("last_change")?.integer ?? 0)
            )
        }
        playgrounds = json.member("playground_ids")?.elements?.compactMap { $0.text.flatMap { PlaygroundID($0) } } ?? []
    }
}

/// A message as chat writes it, of which only the numbers are read.
struct RawMessage {
    let bytes: ByteBuffer
    let seq: Int64
    let change: Int64
    let isDeleted: Bool

    init?(_ json: RawJSON) {
        guard let seq = json.member("seq")?.integer else { return nil }
        bytes = json.bytes
        self.seq = seq
        change = json.member("change")?.integer ?? 0
        isDeleted = json.member("deleted_at").map { !$0.isNull } ?? false
    }

    /// The messages of an answer, which is an array or has one in `messages`.
    static func list(_ answer: ByteBuffer) -> [RawMessage]? {
        let json = RawJSON(answer)
        return (json.elements ?? json.member("messages")?.elements)?.compactMap { RawMessage($0) }
    }
}

/// What a connection missed of one channel.
struct MissedChannel {
    let channelID: ChannelID
    let messages: [RawMessage]
    let changed: [RawMessage]
    let last: Int64
    let change: Int64
    let needsResync: Bool

    /// The channels of `POST /internal/missed`.
    static func list(_ answer: ByteBuffer) -> [MissedChannel]? {
        RawJSON(answer).member("channels")?.elements?.compactMap { channel in
            guard let id = channel.member("id")?.text.flatMap({ ChannelID($0) }),
                let last = channel.member("last_seq")?.integer
            else { return nil }
            return MissedChannel(
                channelID: id,
                messages: channel.member("messages")?.elements?.compactMap { RawMessage($0) } ?? [],
                changed: channel.member("changed")?.elements?.compactMap { RawMessage($0) } ?? [],
                last: max(0, last),
                change: max(0, channel.member("last_change")?.integer ?? 0),
                needsResync: channel.member("resync")?.boolean ?? false
            )
        }
    }
}

/// Where a channel stands, of `POST /internal/positions`.
struct ChannelStanding {
    let channelID: ChannelID
    let last: Int64
    let change: Int64

    static func list(_ answer: ByteBuffer) -> [ChannelStanding]? {
        RawJSON(answer).member("positions")?.elements?.compactMap { position in
            guard let id = position.member("id")?.text.flatMap({ ChannelID($0) }),
                let last = position.member("last_seq")?.integer
            else { return nil }
            return ChannelStanding(
                channelID: id,
                last: max(0, last),
                change: max(0, position.member("last_change")?.integer ?? 0)
            )
        }
    }
}
