// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy's workspaces: playgrounds of ours.

import NIOHTTP1
import Surface
import Views

enum BuddyBuddyWorkspaces {
    static func list(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        .read(.get(.chat, "/api/v1/playgrounds?limit=200"), [PlaygroundBody].self) {
            (found) throws(BuddyBuddyFailure) in
            .tell(found.map { BuddyBuddyWorkspace(playground: $0) })
        }
    }

    /// Multipart {name, description, image}.
    static func create(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try changed(request, { .send(.POST, .chat, "/api/v1/playgrounds", $0) })
    }

    static func show(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        one(.get(.chat, "/api/v1/playgrounds/\(try request.id(0))"))
    }

    static func edit(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let id = try request.id(0)
        return try changed(request, { .send(.PATCH, .chat, "/api/v1/playgrounds/\(id)", $0) })
    }

    static func delete(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let call = ServiceCall(service: .chat, method: .DELETE, path: "/api/v1/playgrounds/\(try request.id(0))")
        return .perform(call) { () throws(BuddyBuddyFailure) in .done }
    }

    static func members(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let path = "/api/v1/playgrounds/\(try request.id(0))/members?limit=200"
        return .read(.get(.chat, path), [MemberBody].self) { (members) throws(BuddyBuddyFailure) in
            .tell(members.map { BuddyBuddyUser($0.person) })
        }
    }

    /// {email}: nobody becomes a member unasked, and nobody is told whose address it is. Invitations are codes.
    static func invite(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        _ = try request.id(0)
        throw .badRequest(
            "mail-invitations-not-available",
            message: "This server invites by codes, not by addresses of mail."
        )
    }

    /// The app leaves by a GET; it is told what is left.
    static func exit(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let call = ServiceCall.send(.POST, .chat, "/api/v1/playgrounds/\(try request.id(0))/leave")
        return .perform(call) { () throws(BuddyBuddyFailure) in try list(request) }
    }

    /// {owner_id}.
    static func transfer(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let id = try request.id(0)
        let owner = try BuddyBuddyRequest.text("owner_id", in: request.fields()) ?? ""
        let call = ServiceCall.send(.POST, .chat, "/api/v1/playgrounds/\(id)/transfer") { json in
            json.member("account_id", owner)
        }
        return .perform(call) { () throws(BuddyBuddyFailure) in try show(request) }
    }

    /// `keyword` in the names of channels and members.
    static func search(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let id = try request.id(0)
        let keyword = ServiceCall.escaped(request.target.parameter("keyword") ?? "")
        return .read(.get(.chat, "/api/v1/playgrounds/\(id)"), PlaygroundBody.self) {
            (place) throws(BuddyBuddyFailure) in
            let search = ServiceCall.get(.chat, "/api/v1/playgrounds/\(id)/search?q=\(keyword)")
            return .read(search, SearchBody.self) { (found) throws(BuddyBuddyFailure) in
                .tell(BuddyBuddySearch(playground: place, found: found))
            }
        }
    }

    private static func one(_ call: ServiceCall) -> BuddyBuddyStep {
        .read(call, PlaygroundBody.self) { (playground) throws(BuddyBuddyFailure) in
            .tell(BuddyBuddyWorkspace(playground: playground))
        }
    }

    private static func changed(
        _ request: BuddyBuddyRequest,
        _ call: ((inout JSONWriter) -> Void) -> ServiceCall
    ) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let fields = try request.fields()
        try BuddyBuddyRequest.refuseFiles("image", in: fields)
        let name = try BuddyBuddyRequest.text("name", in: fields)
        let description = try BuddyBuddyRequest.text("description", in: fields)
        return one(
            call { json in
                if let name { json.member("name", name) }
                if let description { json.member("description", description) }
            }
        )
    }
}
