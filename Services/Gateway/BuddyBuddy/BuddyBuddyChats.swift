// SPDX-License-Identifier: Apache-2.0
// Messages of channels and of direct messages, as Buddy Buddy sends, lists and counts them.

import Domain
import NIOHTTP1
import Surface
import Views

enum BuddyBuddyChats {
    /// How many messages one answer holds at most.
    static let most = 200

    // MARK: Channels

    /// Opening a public channel is how the app joins it.
    static func channel(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try joined(request) { (channel) throws(BuddyBuddyFailure) in
            history(of: channel.id, request, channelName: channel.name ?? "")
        }
    }

    static func sendToChannel(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let content = try content(request)
        return try joined(request) { (channel) throws(BuddyBuddyFailure) in
            send(content, to: channel.id, channelName: channel.name ?? "")
        }
    }

    static func unreadOfChannel(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try BuddyBuddyChannels.within(request) { (channel) throws(BuddyBuddyFailure) in
            unread(of: channel.id, request, name: channel.name ?? "")
        }
    }

    private static func joined(
        _ request: BuddyBuddyRequest,
        then: @escaping (ChannelBody) throws(BuddyBuddyFailure) -> BuddyBuddyStep
    ) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try BuddyBuddyChannels.within(request) { (channel) throws(BuddyBuddyFailure) in
            guard channel.member == false, channel.type == "public" else { return try then(channel) }
            let join = ServiceCall.send(.POST, .chat, "/api/v1/channels/\(channel.id)/join")
            return .perform(join) { () throws(BuddyBuddyFailure) in try then(channel) }
        }
    }

    // MARK: Direct messages

    static func rooms(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let path = "/api/v1/direct_channels?playground_id=\(try request.id(0))&limit=200"
        let account = request.principal?.accountID?.description
        return .read(.get(.chat, path), [ChannelBody].self) { (channels) throws(BuddyBuddyFailure) in
            .tell(channels.compactMap { BuddyBuddyRoom($0, for: account) })
        }
    }

    /// {opponent_id}: the room with that person, the same every time.
    static func openRoom(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let workspace = try request.id(0)
        let opponent = try BuddyBuddyRequest.text("opponent_id", in: request.fields()) ?? ""
        let account = request.principal?.accountID?.description
        let call = ServiceCall.send(.POST, .chat, "/api/v1/direct_channels") { json in
            json.member("account_ids", [opponent])
            json.member("playground_id", workspace)
        }
        return .read(call, ChannelBody.self) { (channel) throws(BuddyBuddyFailure) in
            guard let room = BuddyBuddyRoom(channel, for: account) else { throw .broken }
            return .tell(room)
        }
    }

    static func room(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        _ = try request.id(0)
        return history(of: try request.id(1), request)
    }

    static func sendToRoom(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        _ = try request.id(0)
        return send(try content(request), to: try request.id(1))
    }

    static func unreadOfRoom(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        _ = try request.id(0)
        return unread(of: try request.id(1), request, name: nil)
    }

    // MARK: Both

    /// What came after `cursor_date`, oldest first, so that the app goes on where it stopped; without it the newest.
    private static func history(
        of id: String,
        _ request: BuddyBuddyRequest,
        channelName: String = ""
    ) -> BuddyBuddyStep {
        let cursor = request.moment("cursor_date")
        let range = cursor.map { "&after=\(ServiceCall.escaped($0))" } ?? ""
        let path = "/api/v1/channels/\(id)/messages?limit=\(most)\(range)"
        return .read(.get(.chat, path), [MessageBody].self) { (messages) throws(BuddyBuddyFailure) in
            let ordered = cursor == nil ? messages.reversed() : messages
            return .tell(ordered.map { BuddyBuddyMessage($0, channelName: channelName) })
        }
    }

    private static func send(_ content: String, to id: String, channelName: String = "") -> BuddyBuddyStep {
        let path = "/api/v1/channels/\(id)/messages"
        let call = ServiceCall.send(.POST, .chat, path, isKeyed: true) { $0.member("text", content) }
        return .read(call, MessageBody.self) { (message) throws(BuddyBuddyFailure) in
            .tell(BuddyBuddyMessage(message, channelName: channelName))
        }
    }

    private static func unread(of id: String, _ request: BuddyBuddyRequest, name: String?) -> BuddyBuddyStep {
        let range = request.moment("after").map { "?after=\(ServiceCall.escaped($0))" } ?? ""
        return .read(.get(.chat, "/api/v1/channels/\(id)/unread\(range)"), UnreadBody.self) {
            (unread) throws(BuddyBuddyFailure) in
            .tell(BuddyBuddyUnread(id: id, name: name, count: unread.count))
        }
    }

    /// Multipart {content, files…}.
    private static func content(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> String {
        let fields = try request.fields()
        try BuddyBuddyRequest.refuseFiles("files", "image", in: fields)
        return try BuddyBuddyRequest.text("content", in: fields) ?? ""
    }
}
