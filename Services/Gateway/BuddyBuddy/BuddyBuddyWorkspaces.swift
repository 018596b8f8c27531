// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy's workspaces: playgrounds of ours.

import Calls
import Domain
import GatewayService
import NIOHTTP1
import Surface
import Views

enum BuddyBuddyWorkspaces {
    static func list(_ request: WorkRequest) async throws -> WorkAnswer {
        let found: [PlaygroundBody] = try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/playgrounds?limit=200")
        )
        return .tell(found.map { BuddyBuddyWorkspace(playground: $0) })
    }

    /// Multipart {name, description, image}.
    static func create(_ request: WorkRequest) async throws -> WorkAnswer {
        try await change(.POST, "/api/v1/playgrounds", request)
    }

    /// With its channels and everyone in it.
    static func show(_ request: WorkRequest) async throws -> WorkAnswer {
        let playground: PlaygroundBody = try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/playgrounds/\(try request.id(0))")
        )
        // An outsider sees an open playground, but not what is in it.
        let isMember = playground.role != nil
        let content = ContentBody(
            channels: isMember ? try await BuddyBuddyChannels.channels(request) : [],
            members: isMember ? try await people(request) : []
        )
        return .tell(BuddyBuddyWorkspace(playground: playground, content: content))
    }

    static func edit(_ request: WorkRequest) async throws -> WorkAnswer {
        try await change(.PATCH, "/api/v1/playgrounds/\(try request.id(0))", request)
    }

    static func delete(_ request: WorkRequest) async throws -> WorkAnswer {
        try await request.perform(ServiceCall(.DELETE, .chat, "/api/v1/playgrounds/\(try request.id(0))"))
        return .done
    }

    static func members(_ request: WorkRequest) async throws -> WorkAnswer {
        .tell(try await people(request).map { BuddyBuddyUser($0.person) })
    }

    private static func people(_ request: WorkRequest) async throws -> [MemberBody] {
        try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/playgrounds/\(try request.id(0))/members?limit=200")
        )
    }

    /// {email}: nobody becomes a member unasked, and nobody is told whose address it is. Invitations are codes.
    static func invite(_ request: WorkRequest) async throws -> WorkAnswer {
        _ = try request.id(0)
        throw BuddyBuddyFailure.badRequest("mail-invitations-not-available")
    }

    /// The app leaves by a GET; it is told what is left.
    static func exit(_ request: WorkRequest) async throws -> WorkAnswer {
        try await request.perform(
            ServiceCall(.POST, .chat, "/api/v1/playgrounds/\(try request.id(0))/leave") { _ in }
        )
        return try await list(request)
    }

    /// {owner_id}.
    static func transfer(_ request: WorkRequest) async throws -> WorkAnswer {
        let id = try request.id(0)
        let owner = try request.fields().text("owner_id") ?? ""
        try await request.perform(
            ServiceCall(.POST, .chat, "/api/v1/playgrounds/\(id)/transfer") { $0.member("account_id", owner) }
        )
        return try await show(request)
    }

    /// `keyword` in channels and in the names of members.
    static func search(_ request: WorkRequest) async throws -> WorkAnswer {
        let id = try request.id(0)
        guard let playgroundID = PlaygroundID(id) else { throw BuddyBuddyFailure.notFound }
        let playground: PlaygroundBody = try await request.read(ServiceCall(.GET, .chat, "/api/v1/playgrounds/\(id)"))
        let keyword = request.parameter("keyword") ?? ""
        let found = try await request.find(keyword, [.channel, .account], in: playgroundID, limit: 50)
        return .tell(BuddyBuddyWorkspace(playground: playground, content: try found.answer.read(ContentBody.self)))
    }

    private static func one(_ call: ServiceCall, _ request: WorkRequest) async throws -> WorkAnswer {
        .tell(BuddyBuddyWorkspace(playground: try await request.read(call)))
    }

    private static func change(
        _ method: HTTPMethod,
        _ path: String,
        _ request: WorkRequest
    ) async throws -> WorkAnswer {
        let fields = try request.fields()
        let image = try fields.text("image") ?? ""
        let name = try fields.text("name")
        let description = try fields.text("description")
        let call = ServiceCall(method, .chat, path) { json in
            if let name { json.member("name", name) }
            if let description { json.member("description", description) }
            if !image.isEmpty { json.member("cover_id", image) }
        }
        return try await one(call, request)
    }
}
