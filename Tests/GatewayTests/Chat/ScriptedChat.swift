// SPDX-License-Identifier: Apache-2.0
// A chat service in a few lines: channels, members and messages, and what gateways ask of it.

import Domain
import Events
import JSON
import NIOCore
import NIOHTTP1
import SocketIO
import Synchronization
import Views

@testable import GatewayService

final class ScriptedChat: Sendable {
    struct Message {
        let seq: Int64
        let account: Int64
        var text: String
        var change: Int64
    }

    struct Channel {
        var type = "public"
        var members: Set<Int64> = []
        var messages: [Message] = []
        var change: Int64 = 0
    }

    struct State {
        var channels: [Int64: Channel] = [:]
        var isAway = false
        /// Whether it is of the release before, which knows no messages that come together.
        var isOfBefore = false
        /// Whether it closes the connection over which messages of several come.
        var breaksBatches = false
        /// The next message waits until it is open.
        var gate: Gate?
        /// Where live updates go; to nobody while it is empty.
        var listeners: [@Sendable (ChatUpdate) -> Void] = []
    }

    let state = Mutex(State())

    init(_ channels: [Int64: Set<Int64>], direct: Set<Int64> = []) {
        state.withLock { state in
            for (id, members) in channels {
                state.channels[id] = Channel(type: direct.contains(id) ? "direct" : "public", members: members)
            }
        }
    }

    func listen(_ listener: @escaping @Sendable (ChatUpdate) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    func listen(_ feed: LiveFeed) { listen { feed.take($0) } }

    private func tell(_ update: ChatUpdate) {
        for listener in state.withLock({ $0.listeners }) { listener(update) }
    }

    private func tell(_ event: String, _ json: String, seq: Int64, change: Int64, in channel: Int64) {
        tell(
            ChatUpdate(
                channelID: ChannelID(channel),
                event: event,
                payload: Array(json.utf8),
                seq: seq,
                change: change
            )
        )
    }

    // MARK: What happens

    /// - Parameter isTold: whether the broker brings it.
    @discardableResult func say(_ text: String, in channel: Int64, by account: Int64, isTold: Bool = true) -> String {
        let (json, seq, change) = state.withLock { state in
            var place = state.channels[channel] ?? Channel()
            place.change += 1
            let message = Message(
                seq: Int64(place.messages.count) + 1,
                account: account,
                text: text,
                change: place.change
            )
            place.messages.append(message)
            state.channels[channel] = place
            return (ScriptedChat.json(message, channel, place.type), message.seq, message.change)
        }
        if isTold { tell("message", json, seq: seq, change: change, in: channel) }
        return json
    }

    func edit(_ seq: Int64, in channel: Int64, to text: String, isTold: Bool = true) {
        let edited = state.withLock { state -> (String, Int64)? in
            guard var place = state.channels[channel], let index = place.messages.firstIndex(where: { $0.seq == seq })
            else { return nil }
            place.change += 1
            place.messages[index].text = text
            place.messages[index].change = place.change
            state.channels[channel] = place
            return (ScriptedChat.json(place.messages[index], channel, place.type), place.change)
        }
        guard let (json, change) = edited, isTold else { return }
        tell("message:edited", json, seq: seq, change: change, in: channel)
    }

    func move(_ account: Int64, _ channel: Int64, isMember: Bool, isTold: Bool = true) {
        state.withLock { state in
            if isMember {
                state.channels[channel, default: Channel()].members.insert(account)
            } else {
                state.channels[channel]?.members.remove(account)
            }
        }
        guard isTold else { return }
        let membership = ChatUpdate.Membership(channelID: ChannelID(channel), accountID: AccountID(account))
        tell(
            ChatUpdate(
                channelID: ChannelID(channel),
                event: "member",
                payload: Array(#"{"account":\#(account),"joined":\#(isMember)}"#.utf8),
                joined: isMember ? [membership] : [],
                left: isMember ? [] : [membership]
            )
        )
    }

    // MARK: What is answered

    var answer: @Sendable (FakeService.Asked) -> FakeService.Behaviour {
        { [self] asked in
            guard !state.withLock({ $0.isAway }) else { return .answer(.serviceUnavailable, [], "{}") }
            let parts = asked.head.uri.split(separator: "?")
            let path = parts.first.map(String.init) ?? ""
            let query = parts.count > 1 ? String(parts[1]) : ""
            let account = asked.head.headers.first(name: "x-madang-principal").flatMap { Int64($0.dropFirst(7)) } ?? 0
            let body = RawJSON(ByteBuffer(string: asked.body))
            let isInternal = asked.head.headers.first(name: "x-madang-internal") == "inner"
            switch path {
            case "/internal/rooms": return rooms(account)
            case "/internal/missed": return missed(account, body)
            case "/internal/positions" where isInternal: return positions()
            case "/internal/messages" where state.withLock({ $0.breaksBatches }): return .close
            case "/internal/messages" where isInternal:
                guard !state.withLock({ $0.isOfBefore }) else { return .answer(.notFound, [], "{}") }
                let answers = (body.member("messages")?.elements ?? []).map { said in
                    let account = (said.member("principal")?.text).flatMap { Int64($0.dropFirst(7)) } ?? 0
                    let channel = (said.member("channel_id")?.text).flatMap { Int64($0) } ?? 0
                    guard let message = said.member("message"),
                        case .answer(let status, _, let text) = send(account, channel, message)
                    else { return "" }
                    return #"{"status":\#(status.code),"body":\#(text)}"#
                }
                return .answer(.ok, [], #"{"answers":[\#(answers.joined(separator: ","))]}"#)
            case _ where path.hasPrefix("/internal/channels/") && asked.head.method == .POST:
                guard !state.withLock({ $0.isOfBefore }) else { return .answer(.notFound, [], "{}") }
                let channel = Int64(path.split(separator: "/").dropFirst(2).first ?? "") ?? 0
                let answers = (body.member("messages")?.elements ?? []).map { message in
                    guard case .answer(let status, _, let text) = send(account, channel, message) else { return "" }
                    return #"{"status":\#(status.code),"body":\#(text)}"#
                }
                return .answer(.ok, [], #"{"answers":[\#(answers.joined(separator: ","))]}"#)
            case _ where path.hasPrefix("/internal/channels/") && isInternal:
                return page(Int64(path.split(separator: "/").dropFirst(2).first ?? "") ?? 0, query)
            case _ where path.hasSuffix("/messages"):
                let answer = send(account, Int64(path.split(separator: "/").dropFirst(3).first ?? "") ?? 0, body)
                let gate = state.withLock { state in
                    defer { state.gate = nil }
                    return state.gate
                }
                return gate.map { .held($0, answer) } ?? answer
            case _ where path.hasSuffix("/read"): return .answer(.ok, [], #"{"last_read_seq":1}"#)
            default: return .answer(.notFound, [], #"{"error":"not found"}"#)
            }
        }
    }

    private func rooms(_ account: Int64) -> FakeService.Behaviour {
        state.withLock { state in
            let rooms = state.channels.filter { $0.value.members.contains(account) }.map { id, channel in
                #"{"channel_id":"\#(id)","type":"\#(channel.type)","playground_id":"1","#
                    + #""last_seq":\#(channel.messages.count),"last_change":\#(channel.change)}"#
            }
            let playgrounds = rooms.isEmpty ? "" : #""1""#
            return .answer(
                .ok,
                [],
                #"{"rooms":[\#(rooms.joined(separator: ","))],"playground_ids":[\#(playgrounds)]}"#
            )
        }
    }

    private func missed(_ account: Int64, _ body: RawJSON) -> FakeService.Behaviour {
        state.withLock { state in
            let asked = body.member("channels")?.elements ?? []
            let channels = asked.compactMap { asked -> String? in
                guard let id = asked.member("id")?.text.flatMap({ Int64($0) }), let channel = state.channels[id],
                    channel.members.contains(account), let seq = asked.member("seq")?.integer
                else { return nil }
                let new = channel.messages.filter { $0.seq > seq }
                let change = asked.member("change")?.integer
                let changed = channel.messages.filter { message in
                    change.map { message.seq <= seq && message.change > $0 } ?? false
                }
                let isTooMuch = new.count > 500
                func list(_ messages: [Message]) -> String {
                    isTooMuch ? "" : messages.map { ScriptedChat.json($0, id, channel.type) }.joined(separator: ",")
                }
                return #"{"id":"\#(id)","messages":[\#(list(new))],"changed":[\#(list(changed))],"#
                    + #""last_seq":\#(channel.messages.count),"last_change":\#(channel.change),"resync":\#(isTooMuch)}"#
            }
            return .answer(.ok, [], #"{"channels":[\#(channels.joined(separator: ","))]}"#)
        }
    }

    private func positions() -> FakeService.Behaviour {
        state.withLock { state in
            let all = state.channels.map { id, channel in
                #"{"id":"\#(id)","last_seq":\#(channel.messages.count),"last_change":\#(channel.change)}"#
            }
            return .answer(.ok, [], #"{"positions":[\#(all.joined(separator: ","))]}"#)
        }
    }

    private func page(_ id: Int64, _ query: String) -> FakeService.Behaviour {
        state.withLock { state in
            guard let channel = state.channels[id] else { return .answer(.notFound, [], "{}") }
            var seq: Int64?
            var change: Int64?
            for pair in query.split(separator: "&") {
                let parts = pair.split(separator: "=")
                if parts.first == "after_seq" { seq = Int64(parts.last ?? "") }
                if parts.first == "after_change" { change = Int64(parts.last ?? "") }
            }
            let found =
                if let change {
                    channel.messages.filter { $0.change > change }.sorted { $0.change < $1.change }
                } else {
                    channel.messages.filter { $0.seq > seq ?? 0 }
                }
            let list = found.prefix(200).map { ScriptedChat.json($0, id, channel.type) }
            return .answer(.ok, [], #"{"messages":[\#(list.joined(separator: ","))]}"#)
        }
    }

    private func send(_ account: Int64, _ id: Int64, _ body: RawJSON) -> FakeService.Behaviour {
        let isMember = state.withLock { $0.channels[id]?.members.contains(account) ?? false }
        guard isMember else { return .answer(.notFound, [], #"{"error":"Not found","code":"not-found"}"#) }
        guard let text = body.member("text")?.text, !text.isEmpty else {
            return .answer(
                .unprocessableEntity,
                [],
                #"{"error":"Invalid","code":"invalid","fields":[{"name":"text","code":"blank"}]}"#
            )
        }
        return .answer(.created, [], say(text, in: id, by: account))
    }

    private static func json(_ message: Message, _ channel: Int64, _ type: String) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("id", "\(channel)\(message.seq)")
            json.member("channel_id", "\(channel)")
            json.member("channel_type", type)
            json.member("seq", message.seq)
            json.member("change", message.change)
            json.name("account")
            json.object { json in
                json.member("id", "\(message.account)")
                json.member("username", "mina")
                json.member("display_name", "Mina")
                json.member("avatar", "http://localhost:3000/assets/avatar.png")
            }
            json.member("text", message.text)
            json.member("created_at", "2026-01-01T00:00:00.000Z")
            json.null("deleted_at")
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
