// SPDX-License-Identifier: Apache-2.0
// The bodies of what the gateway asks chat for. Chat writes messages; the gateway leaves them as the bytes they came as.

public import Domain
public import Events
public import JSON
public import NIOCore
public import Views
public import Web

/// The newest number and change of a channel.
public struct ChannelHead: Equatable, Sendable {
    public let id: ChannelID
    public let lastSeq: Int64
    public let lastChange: Int64

    public init(_ id: ChannelID, lastSeq: Int64, lastChange: Int64) {
        (self.id, self.lastSeq, self.lastChange) = (id, lastSeq, lastChange)
    }

    /// - Parameter name: of the member that names the channel.
    init?(_ json: RawJSON, _ name: StaticString = "id") {
        guard let id = json.member(name)?.text.flatMap({ ChannelID($0) }), let last = json.member("last_seq")?.integer
        else { return nil }
        self.init(id, lastSeq: max(0, last), lastChange: max(0, json.member("last_change")?.integer ?? 0))
    }

    /// Writes members of the object that `json` is in.
    public func members(_ name: StaticString, to json: inout JSONWriter) {
        json.member(name, id)
        numbers(to: &json)
    }

    fileprivate func numbers(to json: inout JSONWriter) {
        json.member("last_seq", lastSeq)
        json.member("last_change", lastChange)
    }
}

/// A message as chat wrote it, of which only the numbers are read.
public struct RawMessage: Sendable {
    public let bytes: ByteBuffer
    public let seq: Int64
    public let change: Int64
    public let isDeleted: Bool

    public init?(_ json: RawJSON) {
        guard let seq = json.member("seq")?.integer else { return nil }
        bytes = json.bytes
        self.seq = seq
        change = json.member("change")?.integer ?? 0
        isDeleted = json.member("deleted_at").map { !$0.isNull } ?? false
    }

    static func list(_ json: RawJSON?) -> [RawMessage] { json?.elements?.compactMap { RawMessage($0) } ?? [] }
}

// MARK: getRooms

/// What `ChatCall.getRooms` is answered: where somebody belongs.
public struct RoomList: ObjectView {
    /// A channel that they take part in.
    public struct Room: ObjectView {
        public let head: ChannelHead
        public let type: ChannelType?
        public let playgroundID: PlaygroundID?

        public init(_ head: ChannelHead, type: ChannelType?, playgroundID: PlaygroundID?) {
            (self.head, self.type, self.playgroundID) = (head, type, playgroundID)
        }

        public func writeMembers(to json: inout JSONWriter) {
            json.member("channel_id", head.id)
            json.member("type", type?.rawValue)
            json.member("playground_id", playgroundID)
            head.numbers(to: &json)
        }
    }

    public let rooms: [Room]
    public let playgrounds: [PlaygroundID]

    public init(rooms: [Room], playgrounds: [PlaygroundID]) { (self.rooms, self.playgrounds) = (rooms, playgrounds) }

    /// Nil for what is no such answer.
    public init?(answer: ByteBuffer) {
        let json = RawJSON(answer)
        guard let rooms = json.member("rooms")?.elements else { return nil }
        self.rooms = rooms.compactMap { room in
            ChannelHead(room, "channel_id").map { head in
                Room(
                    head,
                    type: room.member("type")?.text.flatMap { ChannelType(rawValue: $0) },
                    playgroundID: room.member("playground_id")?.text.flatMap { PlaygroundID($0) }
                )
            }
        }
        playgrounds = json.member("playground_ids")?.elements?.compactMap { $0.text.flatMap { PlaygroundID($0) } } ?? []
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("rooms", rooms)
        json.member("playground_ids", playgrounds.map(\.description))
    }
}

// MARK: getMissed

/// What a connection has of a channel.
public struct KnownChannel: ObjectView {
    public let id: ChannelID
    public let seq: Int64
    /// Nil when it does not ask for changes.
    public let change: Int64?

    public init(_ id: ChannelID, seq: Int64, change: Int64?) { (self.id, self.seq, self.change) = (id, seq, change) }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("seq", seq)
        if let change { json.member("change", change) }
    }
}

/// What `ChatCall.getMissed` is asked.
public struct MissedQuestion: CallBody {
    private static let mostChannels = 2000

    public let channels: [KnownChannel]
    /// More new messages of one channel are too much; 500 at most.
    public let limit: Int

    public init(_ channels: [KnownChannel], limit: Int) { (self.channels, self.limit) = (channels, limit) }

    public init(_ parameters: Parameters) throws {
        limit = try parameters.limit(default: 500, maximum: 500)
        channels = try (parameters.list("channels") ?? []).map { channel in
            guard let id: ChannelID = try channel.id("id"), let seq = try channel.seq("seq") else {
                throw Problem.invalid("channels", "invalid")
            }
            return KnownChannel(id, seq: seq, change: try channel.seq("change"))
        }
        guard channels.count <= MissedQuestion.mostChannels else { throw Problem.invalid("channels", "too_many") }
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("channels", channels)
        json.member("limit", limit)
    }
}

/// What was missed of one channel.
public struct MissedChannel<Message: Sendable>: Sendable {
    public let head: ChannelHead
    /// Whether it is too much, so that the client must load anew.
    public let resync: Bool
    public var messages: [Message] = []
    public var changed: [Message] = []

    public init(_ head: ChannelHead, resync: Bool, messages: [Message] = [], changed: [Message] = []) {
        (self.head, self.resync, self.messages, self.changed) = (head, resync, messages, changed)
    }

    public func map<Other>(_ transform: (Message) -> Other) -> MissedChannel<Other> {
        MissedChannel<Other>(head, resync: resync, messages: messages.map(transform), changed: changed.map(transform))
    }
}

extension MissedChannel: ObjectView, View where Message: View {
    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", head.id)
        json.member("messages", messages)
        json.member("changed", changed)
        head.numbers(to: &json)
        json.member("resync", resync)
    }
}

/// What `ChatCall.getMissed` is answered.
public enum MissedAnswer {
    public static func write(_ channels: [MissedChannel<some View>], to json: inout JSONWriter) {
        json.member("channels", channels)
    }

    /// The channels as they came; nil for what is no such answer.
    public static func bytes(_ answer: ByteBuffer) -> ByteBuffer? { RawJSON(answer).member("channels")?.bytes }

    /// The channels; nil for what is no such answer.
    public static func channels(_ answer: ByteBuffer) -> [MissedChannel<RawMessage>]? {
        RawJSON(answer).member("channels")?.elements?.compactMap { channel in
            ChannelHead(channel).map { head in
                MissedChannel(
                    head,
                    resync: channel.member("resync")?.boolean ?? false,
                    messages: RawMessage.list(channel.member("messages")),
                    changed: RawMessage.list(channel.member("changed"))
                )
            }
        }
    }
}

// MARK: sendMessages

/// What `ChatCall.sendMessages` is asked: what one connection says in one channel, in its order.
public enum MessagesQuestion {
    /// Messages of one call.
    public static let most = 16

    /// - Parameter messages: each as the client wrote it, an object of JSON.
    public static func json(_ messages: [ByteBuffer]) -> [UInt8] {
        JSONWriter.object { json in
            json.array("messages") { json in for message in messages { json.raw(message.readableBytesView) } }
        }
    }

    public static func messages(_ parameters: Parameters) throws -> [Parameters] {
        let messages = try parameters.list("messages") ?? []
        guard !messages.isEmpty else { throw Problem.invalid("messages", "blank") }
        guard messages.count <= most else { throw Problem.invalid("messages", "too_many") }
        return messages
    }
}

/// What `ChatCall.sendMessages` and `ChatCall.sendBatch` are answered: of each message what it would have been answered alone.
public enum MessagesAnswer {
    public static func write(_ answers: [(status: Int, body: [UInt8])], to json: inout JSONWriter) {
        json.array("answers") { json in
            for answer in answers {
                json.object { json in
                    json.member("status", answer.status)
                    json.name("body")
                    json.raw(answer.body)
                }
            }
        }
    }

    /// Nil for what is no such answer.
    public static func answers(_ answer: ByteBuffer) -> [(status: Int, body: ByteBuffer)]? {
        RawJSON(answer).member("answers")?.elements?.compactMap { one in
            guard let status = one.member("status")?.integer, let body = one.member("body")?.bytes else { return nil }
            return (Int(clamping: status), body)
        }
    }
}

// MARK: sendBatch

/// What somebody says in a channel, in a call with others.
public struct SaidMessage<Message: Sendable>: Sendable {
    /// Who says it, as auth signed it: the value of `X-Madang-Principal`.
    public let principal: String
    public let channel: ChannelID
    /// The client's `Accept-Language`.
    public let language: String?
    /// An object of JSON, as the client wrote it.
    public let message: Message

    public init(_ message: Message, in channel: ChannelID, as principal: String, language: String?) {
        (self.message, self.channel, self.principal, self.language) = (message, channel, principal, language)
    }
}

/// What `ChatCall.sendBatch` is asked: what several connections say at the same time.
public enum BatchQuestion {
    /// Messages of one call.
    public static let most = 64

    public static func json(_ said: [SaidMessage<ByteBuffer>]) -> [UInt8] {
        let size = said.reduce(64) { $0 + $1.message.readableBytes + $1.principal.utf8.count + 128 }
        return JSONWriter.object(capacity: size) { json in
            json.array("messages") { json in
                for one in said {
                    json.object { json in
                        json.member("principal", one.principal)
                        json.member("channel_id", one.channel)
                        json.member("language", one.language)
                        json.name("message")
                        json.raw(one.message.readableBytesView)
                    }
                }
            }
        }
    }

    public static func messages(_ parameters: Parameters) throws -> [SaidMessage<Parameters>] {
        let messages = try (parameters.list("messages") ?? []).map { one in
            guard let principal = try one.string("principal"), let channel: ChannelID = try one.id("channel_id"),
                let message = try one.nested("message")
            else { throw Problem.invalid("messages", "invalid") }
            return SaidMessage(message, in: channel, as: principal, language: try one.string("language"))
        }
        guard !messages.isEmpty else { throw Problem.invalid("messages", "blank") }
        guard messages.count <= most else { throw Problem.invalid("messages", "too_many") }
        return messages
    }
}

// MARK: fillGap

/// After what a gateway asks for messages.
public enum GapStart: Sendable {
    /// New messages after this number.
    case seq(Int64)
    /// The same for changes, new messages among them.
    case change(Int64)
}

/// What `ChatCall.fillGap` is asked, in its query.
public struct GapQuestion: Sendable {
    public let start: GapStart
    /// Messages; 500 at most.
    public let limit: Int

    public init(_ start: GapStart, limit: Int) { (self.start, self.limit) = (start, limit) }

    public init(_ parameters: Parameters) throws {
        limit = try parameters.limit(default: 200, maximum: 500)
        start =
            if let change = try parameters.seq("after_change") {
                .change(change)
            } else {
                .seq(try parameters.seq("after_seq") ?? 0)
            }
    }

    public var query: String {
        switch start {
        case .seq(let seq): "after_seq=\(seq)&limit=\(limit)"
        case .change(let change): "after_change=\(change)&limit=\(limit)"
        }
    }
}

/// What `ChatCall.fillGap` is answered: messages of a channel after a point.
public struct Gap<Message: Sendable>: Sendable {
    public let head: ChannelHead
    public let messages: [Message]

    public init(_ head: ChannelHead, _ messages: [Message]) { (self.head, self.messages) = (head, messages) }
}

extension Gap: ObjectView, View where Message: View {
    public func writeMembers(to json: inout JSONWriter) {
        json.member("messages", messages)
        head.numbers(to: &json)
    }
}

extension Gap where Message == RawMessage {
    /// Nil for what is no such answer.
    public static func messages(_ answer: ByteBuffer) -> [RawMessage]? {
        guard let messages = RawJSON(answer).member("messages"), messages.elements != nil else { return nil }
        return RawMessage.list(messages)
    }
}

// MARK: getPositions

/// What `ChatCall.getPositions` is asked.
public struct PositionsQuestion: CallBody {
    private static let most = 10_000

    public let channels: [ChannelID]

    public init(_ channels: [ChannelID]) { self.channels = channels }

    public init(_ parameters: Parameters) throws {
        channels = try parameters.ids("channel_ids") ?? []
        guard channels.count <= PositionsQuestion.most else { throw Problem.invalid("channel_ids", "too_many") }
    }

    public func writeMembers(to json: inout JSONWriter) { json.member("channel_ids", channels.map(\.description)) }
}

/// What `ChatCall.getPositions` is answered: how far each channel is.
public struct Positions: ObjectView {
    public let heads: [ChannelHead]

    public init(_ heads: [ChannelHead]) { self.heads = heads }

    /// Nil for what is no such answer.
    public init?(answer: ByteBuffer) {
        guard let positions = RawJSON(answer).member("positions")?.elements else { return nil }
        heads = positions.compactMap { ChannelHead($0) }
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.array("positions") { json in for head in heads { json.object { head.members("id", to: &$0) } } }
    }
}
