// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy's channels of a workspace.

import GatewayService
import NIOHTTP1
import Surface
import Views

enum BuddyBuddyChannels {
    static func list(_ request: WorkRequest) async throws -> WorkAnswer {
        .tell(try await channels(request).map { BuddyBuddyChannel(channel: $0) })
    }

    static func mine(_ request: WorkRequest) async throws -> WorkAnswer {
        .tell(try await channels(request).filter { $0.member ?? true }.map { BuddyBuddyChannel(channel: $0) })
    }

    static func channels(_ request: WorkRequest) async throws -> [ChannelBody] {
        try await request.read(ServiceCall(.GET, .chat, "/api/v1/playgrounds/\(try request.id(0))/channels"))
    }

    /// {name, description, image}, as JSON or multipart.
    static func create(_ request: WorkRequest) async throws -> WorkAnswer {
        let path = "/api/v1/playgrounds/\(try request.id(0))/channels"
        let draft = try draft(request)
        let call = ServiceCall(.POST, .chat, path) { json in
            json.member("name", draft.name ?? "")
            json.member("description", draft.description ?? "")
            json.member("type", "public")
        }
        return try await one(call, request)
    }

    /// With everyone in it.
    static func show(_ request: WorkRequest) async throws -> WorkAnswer {
        let channel = try await channel(request)
        return .tell(BuddyBuddyChannel(channel: channel, members: try await members(of: channel, request)))
    }

    static func edit(_ request: WorkRequest) async throws -> WorkAnswer {
        let draft = try draft(request)
        let channel = try await channel(request)
        let call = ServiceCall(.PATCH, .chat, "/api/v1/channels/\(channel.id)") { json in
            if let name = draft.name { json.member("name", name) }
            if let description = draft.description { json.member("description", description) }
        }
        return try await one(call, request)
    }

    static func delete(_ request: WorkRequest) async throws -> WorkAnswer {
        let channel = try await channel(request)
        try await request.perform(ServiceCall(.DELETE, .chat, "/api/v1/channels/\(channel.id)"))
        return .done
    }

    static func members(_ request: WorkRequest) async throws -> WorkAnswer {
        let channel = try await channel(request)
        return .tell(try await members(of: channel, request).map { BuddyBuddyUser($0.person) })
    }

    /// The app leaves by a GET; it is told the channels that are left.
    static func exit(_ request: WorkRequest) async throws -> WorkAnswer {
        let channel = try await channel(request)
        try await request.perform(ServiceCall(.POST, .chat, "/api/v1/channels/\(channel.id)/leave") { _ in })
        return try await mine(request)
    }

    /// {owner_id}.
    static func transfer(_ request: WorkRequest) async throws -> WorkAnswer {
        let owner = try request.fields().text("owner_id") ?? ""
        let channel = try await channel(request)
        try await request.perform(
            ServiceCall(.POST, .chat, "/api/v1/channels/\(channel.id)/transfer") { $0.member("account_id", owner) }
        )
        return try await one(ServiceCall(.GET, .chat, "/api/v1/channels/\(channel.id)"), request)
    }

    /// The channel of the path, if it is one of the workspace of the path.
    static func channel(_ request: WorkRequest) async throws -> ChannelBody {
        let workspace = try request.id(0)
        let id = try request.id(1)
        let channel: ChannelBody = try await request.read(ServiceCall(.GET, .chat, "/api/v1/channels/\(id)"))
        guard channel.playgroundID == workspace, channel.type == "public" || channel.type == "private" else {
            throw BuddyBuddyFailure.notFound
        }
        return channel
    }

    private static func members(of channel: ChannelBody, _ request: WorkRequest) async throws -> [MemberBody] {
        try await request.read(ServiceCall(.GET, .chat, "/api/v1/channels/\(channel.id)/members?limit=200"))
    }

    private static func one(_ call: ServiceCall, _ request: WorkRequest) async throws -> WorkAnswer {
        .tell(BuddyBuddyChannel(channel: try await request.read(call)))
    }

    private static func draft(
        _ request: WorkRequest
    ) throws(BuddyBuddyFailure) -> (name: String?, description: String?) {
        let fields = try request.fields()
        try fields.refuseFiles("image")
        return (try fields.text("name"), try fields.text("description"))
    }
}
