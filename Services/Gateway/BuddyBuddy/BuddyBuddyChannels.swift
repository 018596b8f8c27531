// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy's channels of a workspace.

import NIOHTTP1
import Surface
import Views

enum BuddyBuddyChannels {
    static func list(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try listed(request) { _ in true }
    }

    static func mine(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try listed(request) { $0.member ?? true }
    }

    private static func listed(
        _ request: BuddyBuddyRequest,
        _ isWanted: @escaping (ChannelBody) -> Bool
    ) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let path = "/api/v1/playgrounds/\(try request.id(0))/channels"
        return .read(.get(.chat, path), [ChannelBody].self) { (channels) throws(BuddyBuddyFailure) in
            .tell(channels.filter(isWanted).map { BuddyBuddyChannel(channel: $0) })
        }
    }

    /// {name, description, image}, as JSON or multipart.
    static func create(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let path = "/api/v1/playgrounds/\(try request.id(0))/channels"
        let draft = try draft(request)
        let call = ServiceCall.send(.POST, .chat, path) { json in
            json.member("name", draft.name ?? "")
            json.member("description", draft.description ?? "")
            json.member("type", "public")
        }
        return one(call)
    }

    /// With everyone in it.
    static func show(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try within(request) { (channel) throws(BuddyBuddyFailure) in
            .read(membersOf(channel.id), [MemberBody].self) { (members) throws(BuddyBuddyFailure) in
                .tell(BuddyBuddyChannel(channel: channel, members: members))
            }
        }
    }

    static func edit(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let draft = try draft(request)
        return try within(request) { (channel) throws(BuddyBuddyFailure) in
            one(
                .send(.PATCH, .chat, "/api/v1/channels/\(channel.id)") { json in
                    if let name = draft.name { json.member("name", name) }
                    if let description = draft.description { json.member("description", description) }
                }
            )
        }
    }

    static func delete(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try within(request) { (channel) throws(BuddyBuddyFailure) in
            let call = ServiceCall(service: .chat, method: .DELETE, path: "/api/v1/channels/\(channel.id)")
            return .perform(call) { () throws(BuddyBuddyFailure) in .done }
        }
    }

    static func members(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try within(request) { (channel) throws(BuddyBuddyFailure) in
            .read(membersOf(channel.id), [MemberBody].self) { (members) throws(BuddyBuddyFailure) in
                .tell(members.map { BuddyBuddyUser($0.person) })
            }
        }
    }

    /// The app leaves by a GET; it is told the channels that are left.
    static func exit(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try within(request) { (channel) throws(BuddyBuddyFailure) in
            let call = ServiceCall.send(.POST, .chat, "/api/v1/channels/\(channel.id)/leave")
            return .perform(call) { () throws(BuddyBuddyFailure) in try mine(request) }
        }
    }

    /// {owner_id}.
    static func transfer(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let owner = try BuddyBuddyRequest.text("owner_id", in: request.fields()) ?? ""
        return try within(request) { (channel) throws(BuddyBuddyFailure) in
            let call = ServiceCall.send(.POST, .chat, "/api/v1/channels/\(channel.id)/transfer") { json in
                json.member("account_id", owner)
            }
            return .perform(call) { () throws(BuddyBuddyFailure) in
                one(.get(.chat, "/api/v1/channels/\(channel.id)"))
            }
        }
    }

    /// Goes on with the channel of the path, if it is one of the workspace of the path.
    static func within(
        _ request: BuddyBuddyRequest,
        then: @escaping (ChannelBody) throws(BuddyBuddyFailure) -> BuddyBuddyStep
    ) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let workspace = try request.id(0)
        let id = try request.id(1)
        return .read(.get(.chat, "/api/v1/channels/\(id)"), ChannelBody.self) { (channel) throws(BuddyBuddyFailure) in
            guard channel.playgroundID == workspace, channel.type == "public" || channel.type == "private" else {
                throw .notFound
            }
            return try then(channel)
        }
    }

    private static func membersOf(_ id: String) -> ServiceCall {
        .get(.chat, "/api/v1/channels/\(id)/members?limit=200")
    }

    private static func one(_ call: ServiceCall) -> BuddyBuddyStep {
        .read(call, ChannelBody.self) { (channel) throws(BuddyBuddyFailure) in
            .tell(BuddyBuddyChannel(channel: channel))
        }
    }

    private static func draft(
        _ request: BuddyBuddyRequest
    ) throws(BuddyBuddyFailure) -> (name: String?, description: String?) {
        let fields = try request.fields()
        try BuddyBuddyRequest.refuseFiles("image", in: fields)
        return (
            try BuddyBuddyRequest.text("name", in: fields), try BuddyBuddyRequest.text("description", in: fields)
        )
    }
}
