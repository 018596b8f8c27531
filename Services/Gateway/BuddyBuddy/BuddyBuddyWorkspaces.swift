// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy's workspaces: playgrounds of ours.

import GatewayService
import NIOHTTP1
import Surface
import Views

enum BuddyBuddyWorkspaces {
    static func list(_ request: DialectRequest) async throws -> DialectAnswer {
        let found: [PlaygroundBody] = try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/playgrounds?limit=200")
        )
        return .tell(found.map { BuddyBuddyWorkspace(playground: $0) })
    }

    /// Multipart {name, description, image}.
    static func create(_ request: DialectRequest) async throws -> DialectAnswer {
        try await change(.POST, "/api/v1/playgrounds", request)
    }

    /// With its channels and everyone in it.
    static func show(_ request: DialectRequest) async throws -> DialectAnswer {
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

    static func edit(_ request: DialectRequest) async throws -> DialectAnswer {
        try await change(.PATCH, "/api/v1/playgrounds/\(try request.id(0))", request)
    }

    static func delete(_ request: DialectRequest) async throws -> DialectAnswer {
        try await request.perform(ServiceCall(.DELETE, .chat, "/api/v1/playgrounds/\(try request.id(0))"))
        return .done
    }

    static func members(_ request: DialectRequest) async throws -> DialectAnswer {
        .tell(try await people(request).map { BuddyBuddyUser($0.person) })
    }

    private static func people(_ request: DialectRequest) async throws -> [MemberBody] {
        try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/playgrounds/\(try request.id(0))/members?limit=200")
        )
    }

    /// {email}: nobody becomes a member unasked, and nobody is told whose address it is. Invitations are codes.
    static func invite(_ request: DialectRequest) async throws -> DialectAnswer {
        _ = try request.id(0)
        throw BuddyBuddyFailure.badRequest("mail-invitations-not-available")
    }

    /// The app leaves by a GET; it is told what is left.
    static func exit(_ request: DialectRequest) async throws -> DialectAnswer {
        try await request.perform(
            ServiceCall(.POST, .chat, "/api/v1/playgrounds/\(try request.id(0))/leave") { _ in }
        )
        return try await list(request)
    }

    /// {owner_id}.
    static func transfer(_ request: DialectRequest) async throws -> DialectAnswer {
        let id = try request.id(0)
        let owner = try request.fields().text("owner_id") ?? ""
        try await request.perform(
            ServiceCall(.POST, .chat, "/api/v1/playgrounds/\(id)/transfer") { $0.member("account_id", owner) }
        )
        return try await show(request)
    }

    /// `keyword` in the names of channels and members.
    static func search(_ request: DialectRequest) async throws -> DialectAnswer {
        let id = try request.id(0)
        let keyword = ServiceCall.escaped(request.parameter("keyword") ?? "")
        let playground: PlaygroundBody = try await request.read(ServiceCall(.GET, .chat, "/api/v1/playgrounds/\(id)"))
        let found: ContentBody = try await request.read(
            ServiceCall(.GET, .chat, "/api/v1/playgrounds/\(id)/search?q=\(keyword)")
        )
        return .tell(BuddyBuddyWorkspace(playground: playground, content: found))
    }

    private static func one(_ call: ServiceCall, _ request: DialectRequest) async throws -> DialectAnswer {
        .tell(BuddyBuddyWorkspace(playground: try await request.read(call)))
    }

    private static func change(
        _ method: HTTPMethod,
        _ path: String,
        _ request: DialectRequest
    ) async throws -> DialectAnswer {
        let fields = try request.fields()
        try fields.refuseFiles("image")
        let name = try fields.text("name")
        let description = try fields.text("description")
        let call = ServiceCall(method, .chat, path) { json in
            if let name { json.member("name", name) }
            if let description { json.member("description", description) }
        }
        return try await one(call, request)
    }
}
