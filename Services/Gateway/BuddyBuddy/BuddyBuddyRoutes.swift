// SPDX-License-Identifier: Apache-2.0
// The paths of Buddy Buddy, each with its translation.

import NIOHTTP1
import Surface

/// One path of the app.
struct BuddyBuddyRoute: Sendable {
    typealias Translation = @Sendable (BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep

    let method: HTTPMethod
    /// With `:name` for a part that varies.
    let path: String
    let rate: RateClass
    let needsAccount: Bool
    let translate: Translation
}

enum BuddyBuddyRoutes {
    static let all: [BuddyBuddyRoute] = users + workspaces + channels + directMessages

    /// As lines of the public surface.
    static let surface: [PublicRoute] =
        all.enumerated().map { index, route in
            PublicRoute(method: route.method, path: route.path, destination: .buddyBuddy(index), rate: route.rate)
        } + [PublicRoute(method: .GET, path: "/v1/assets/:name", destination: .local(.asset), rate: .free)]

    static func owns(_ path: String) -> Bool {
        ["/v1/auth", "/v1/users", "/v1/workspaces"].contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    private static let users: [BuddyBuddyRoute] = [
        open(.GET, "/v1/auth/refresh", .signIn, BuddyBuddyUsers.refresh),
        open(.POST, "/v1/users/join", .signUp, BuddyBuddyUsers.join),
        open(.POST, "/v1/users/login", .signIn, BuddyBuddyUsers.signIn),
        open(.POST, "/v1/users/login/apple", .signIn, BuddyBuddyUsers.signInElsewhere),
        open(.POST, "/v1/users/login/kakao", .signIn, BuddyBuddyUsers.signInElsewhere),
        open(.POST, "/v1/users/validation/email", .signIn, BuddyBuddyUsers.validateEmail),
        open(.POST, "/v1/users/deviceToken", .read, BuddyBuddyUsers.deviceToken),
        open(.PUT, "/v1/users/deviceToken", .read, BuddyBuddyUsers.deviceToken),
        route(.GET, "/v1/users/logout", .write, BuddyBuddyUsers.signOut),
        route(.POST, "/v1/users/logout", .write, BuddyBuddyUsers.signOut),
        route(.GET, "/v1/users/me", .read, BuddyBuddyUsers.me),
        route(.PUT, "/v1/users/me", .write, BuddyBuddyUsers.editMe),
        route(.PUT, "/v1/users/me/image", .write, BuddyBuddyUsers.editImage),
        route(.GET, "/v1/users/:id", .poll, BuddyBuddyUsers.user),
    ]

    private static let workspaces: [BuddyBuddyRoute] = [
        route(.GET, "/v1/workspaces", .poll, BuddyBuddyWorkspaces.list),
        route(.POST, "/v1/workspaces", .write, BuddyBuddyWorkspaces.create),
        route(.GET, "/v1/workspaces/:w", .poll, BuddyBuddyWorkspaces.show),
        route(.PUT, "/v1/workspaces/:w", .write, BuddyBuddyWorkspaces.edit),
        route(.DELETE, "/v1/workspaces/:w", .delete, BuddyBuddyWorkspaces.delete),
        route(.GET, "/v1/workspaces/:w/members", .read, BuddyBuddyWorkspaces.members),
        route(.POST, "/v1/workspaces/:w/members", .write, BuddyBuddyWorkspaces.invite),
        route(.GET, "/v1/workspaces/:w/exit", .write, BuddyBuddyWorkspaces.exit),
        route(.PUT, "/v1/workspaces/:w/transfer/ownership", .write, BuddyBuddyWorkspaces.transfer),
        route(.GET, "/v1/workspaces/:w/search", .read, BuddyBuddyWorkspaces.search),
    ]

    private static let channels: [BuddyBuddyRoute] = [
        route(.GET, "/v1/workspaces/:w/my-channels", .poll, BuddyBuddyChannels.mine),
        route(.GET, "/v1/workspaces/:w/channels", .read, BuddyBuddyChannels.list),
        route(.POST, "/v1/workspaces/:w/channels", .write, BuddyBuddyChannels.create),
        route(.GET, "/v1/workspaces/:w/channels/:c", .read, BuddyBuddyChannels.show),
        route(.PUT, "/v1/workspaces/:w/channels/:c", .write, BuddyBuddyChannels.edit),
        route(.DELETE, "/v1/workspaces/:w/channels/:c", .delete, BuddyBuddyChannels.delete),
        route(.GET, "/v1/workspaces/:w/channels/:c/members", .read, BuddyBuddyChannels.members),
        route(.GET, "/v1/workspaces/:w/channels/:c/exit", .write, BuddyBuddyChannels.exit),
        route(.PUT, "/v1/workspaces/:w/channels/:c/transfer/ownership", .write, BuddyBuddyChannels.transfer),
        route(.GET, "/v1/workspaces/:w/channels/:c/chats", .poll, BuddyBuddyChats.channel),
        route(.POST, "/v1/workspaces/:w/channels/:c/chats", .write, BuddyBuddyChats.sendToChannel),
        route(.GET, "/v1/workspaces/:w/channels/:c/unreads", .poll, BuddyBuddyChats.unreadOfChannel),
    ]

    private static let directMessages: [BuddyBuddyRoute] = [
        route(.GET, "/v1/workspaces/:w/dms", .poll, BuddyBuddyChats.rooms),
        route(.POST, "/v1/workspaces/:w/dms", .write, BuddyBuddyChats.openRoom),
        route(.GET, "/v1/workspaces/:w/dms/:room/chats", .poll, BuddyBuddyChats.room),
        route(.POST, "/v1/workspaces/:w/dms/:room/chats", .write, BuddyBuddyChats.sendToRoom),
        route(.GET, "/v1/workspaces/:w/dms/:room/unreads", .poll, BuddyBuddyChats.unreadOfRoom),
    ]

    private static func route(
        _ method: HTTPMethod,
        _ path: String,
        _ rate: RateClass,
        _ translate: @escaping BuddyBuddyRoute.Translation
    ) -> BuddyBuddyRoute {
        BuddyBuddyRoute(method: method, path: path, rate: rate, needsAccount: true, translate: translate)
    }

    /// For whoever has no token yet; one that is sent along is not looked at.
    private static func open(
        _ method: HTTPMethod,
        _ path: String,
        _ rate: RateClass,
        _ translate: @escaping BuddyBuddyRoute.Translation
    ) -> BuddyBuddyRoute {
        BuddyBuddyRoute(method: method, path: path, rate: rate, needsAccount: false, translate: translate)
    }
}
