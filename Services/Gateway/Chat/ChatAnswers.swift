// SPDX-License-Identifier: Apache-2.0
// What chat answers to the gateway, with messages left as the bytes they came as.

import Domain
import NIOCore
import SocketIO
import Views

/// The newest number and change of a channel.
struct ChannelStanding: Equatable {
    let channelID: ChannelID
    let last: Int64
    let change: Int64

    /// - Parameter name: of the member that names the channel.
    init?(_ json: RawJSON, _ name: StaticString = "id") {
        guard let id = json.member(name)?.text.flatMap({ ChannelID($0) }), let last = json.member("last_seq")?.integer
        else { return nil }
        channelID = id
        self.last = max(0, last)
        change = max(0, json.member("last_change")?.integer ?? 0)
    }

    init(_ channel: ChannelID, last: Int64, change: Int64) {
        (channelID, self.last, self.change) = (channel, last, change)
    }

    /// As clients are told it.
    func write(to json: inout JSONWriter) {
        json.member("channel_id", channelID)
        json.member("last_seq", last)
        json.member("last_change", change)
    }

    /// Those of `POST /internal/positions`.
    static func list(_ answer: ByteBuffer) -> [ChannelStanding]? {
        RawJSON(answer).member("positions")?.elements?.compactMap { ChannelStanding($0) }
    }
}

/// Where somebody belongs, as `GET /internal/rooms` tells it.
struct RoomList {
    let rooms: [(standing: ChannelStanding, room: ChatAccount.Room)]
    let playgrounds: [PlaygroundID]

    init?(_ answer: ByteBuffer) {
        let json = RawJSON(answer)
        guard let rooms = json.member("rooms")?.elements else { return nil }
        self.rooms = rooms.compactMap { room in
            let type = room.member("type")?.text
            let playground = room.member("playground_id")?.text.flatMap { PlaygroundID($0) }
            return ChannelStanding(room, "channel_id").map {
                ($0, ChatAccount.Room(isDirect: type == "direct" || type == "group", playgroundID: playground))
            }
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
    let standing: ChannelStanding
    let messages: [RawMessage]
    let changed: [RawMessage]
    let needsResync: Bool

    /// The channels of `POST /internal/missed`.
    static func list(_ answer: ByteBuffer) -> [MissedChannel]? {
        RawJSON(answer).member("channels")?.elements?.compactMap { channel in
            ChannelStanding(channel).map { standing in
                MissedChannel(
                    standing: standing,
                    messages: channel.member("messages")?.elements?.compactMap { RawMessage($0) } ?? [],
                    changed: channel.member("changed")?.elements?.compactMap { RawMessage($0) } ?? [],
                    needsResync: channel.member("resync")?.boolean ?? false
                )
            }
        }
    }
}
