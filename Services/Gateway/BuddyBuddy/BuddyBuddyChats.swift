// SPDX-License-Identifier: Apache-2.0
// Messages of channels and of direct messages, as Buddy Buddy sends, lists and counts them.

import Domain
import GatewayService
import NIOHTTP1
import Surface
import Views

enum BuddyBuddyChats {
    /// How many messages one answer holds at most.
    static let most = 200

    // MARK: Channels

    /// Opening a public channel is how the app joins it.
    static func channel(_ request: WorkRequest) async throws -> WorkAnswer {
        let channel = try await joined(request)
        return try await history(of: channel.id, request, channelName: channel.name ?? "")
    }

    static func sendToChannel(_ request: WorkRequest) async throws -> WorkAnswer {
        let draft = try draft(request)
        let channel = try await joined(request)
        return try await send(draft, to: channel.id, request, channelName: channel.name ?? "")
    }

    static func unreadOfChannel(_ request: WorkRequest) async throws -> WorkAnswer {
        let channel = try await BuddyBuddyChannels.channel(request)
        return try await unread(of: channel.id, request, name: channel.name ?? "")
    }

    private static func joined(_ request: WorkRequest) async throws -> ChannelBody {
        let channel = try await BuddyBuddyChannels.channel(request)
        if channel.member == false, channel.type == "public" {
            try await request.perform(ServiceCall(.POST, .chat, "/api/v1/channels/\(channel.id)/join") { _ in })
        }
        return channel
    }

    // MARK: Direct messages

    static func rooms(_ request: WorkRequest) async throws -> WorkAnswer {
        let account = request.accountID?.description
        let channels: [ChannelBody] = try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/direct_channels?playground_id=\(try request.id(0))&limit=200")
        )
        return .tell(channels.compactMap { BuddyBuddyRoom($0, for: account) })
    }

    /// {opponent_id}: the room with that person, the same every time.
    static func openRoom(_ request: WorkRequest) async throws -> WorkAnswer {
        let workspace = try request.id(0)
        let opponent = try request.fields().text("opponent_id") ?? ""
        let channel: ChannelBody = try await request.read(
            ServiceCall(.POST, .chat, "/api/v1/direct_channels") { json in
                json.member("account_ids", [opponent])
                json.member("playground_id", workspace)
            }
        )
        guard let room = BuddyBuddyRoom(channel, for: request.accountID?.description) else {
            throw BuddyBuddyFailure.broken
        }
        return .tell(room)
    }

    /// Leaves a group, and is told the rooms that are left; what two people say to each other stays.
    static func exitRoom(_ request: WorkRequest) async throws -> WorkAnswer {
        _ = try request.id(0)
        try await request.perform(
            ServiceCall(.POST, .chat, "/api/v1/channels/\(try request.id(1))/leave") { _ in }
        )
        return try await rooms(request)
    }

    static func room(_ request: WorkRequest) async throws -> WorkAnswer {
        _ = try request.id(0)
        return try await history(of: try request.id(1), request)
    }

    static func sendToRoom(_ request: WorkRequest) async throws -> WorkAnswer {
        _ = try request.id(0)
        return try await send(try draft(request), to: try request.id(1), request)
    }

    static func unreadOfRoom(_ request: WorkRequest) async throws -> WorkAnswer {
        _ = try request.id(0)
        return try await unread(of: try request.id(1), request, name: nil)
    }

    // MARK: Both

    /// What came after `cursor_date`, oldest first, so that the app goes on where it stopped; without it the newest.
    private static func history(
        of id: String,
        _ request: WorkRequest,
        channelName: String = ""
    ) async throws -> WorkAnswer {
        let cursor = request.moment("cursor_date")
        let range = cursor.map { "&after=\($0.percentEncoded)" } ?? ""
        let messages: [MessageBody] = try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/channels/\(id)/messages?limit=\(most)\(range)")
        )
        let ordered = cursor == nil ? messages.reversed() : messages
        return .tell(ordered.map { BuddyBuddyMessage($0, channelName: channelName) })
    }

    private static func send(
        _ draft: (content: String, files: [String]),
        to id: String,
        _ request: WorkRequest,
        channelName: String = ""
    ) async throws -> WorkAnswer {
        let message: MessageBody = try await request.read(
            ServiceCall(.POST, .chat, "/api/v1/channels/\(id)/messages", isKeyed: true) { json in
                json.member("text", draft.content)
                if !draft.files.isEmpty { json.member("attachment_ids", draft.files) }
            }
        )
        return .tell(BuddyBuddyMessage(message, channelName: channelName))
    }

    private static func unread(
        of id: String,
        _ request: WorkRequest,
        name: String?
    ) async throws -> WorkAnswer {
        let range = request.moment("after").map { "?after=\($0.percentEncoded)" } ?? ""
        let unread: UnreadBody = try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/channels/\(id)/unread\(range)")
        )
        return .tell(BuddyBuddyUnread(id: id, name: name, count: unread.count))
    }

    /// Multipart {content, files…}.
    private static func draft(
        _ request: WorkRequest
    ) throws(BuddyBuddyFailure) -> (content: String, files: [String]) {
        let fields = try request.fields()
        return (try fields.text("content") ?? "", try fields.uploads("files"))
    }
}
