// SPDX-License-Identifier: Apache-2.0
// The paths of Buddy Buddy, each with its translation.

import GatewayService
import NIOHTTP1
import Surface

enum BuddyBuddyRoutes {
    static let all: [DialectRoute] =
        users + workspaces + channels + directMessages + files
        + [DialectRoute(.GET, "/v1/assets/:name", own: .asset)]

    private static let users: [DialectRoute] = [
        open(.GET, "/v1/auth/refresh", .signIn, BuddyBuddyUsers.refresh),
        open(.POST, "/v1/users/join", .signUp, BuddyBuddyUsers.join),
        open(.POST, "/v1/users/login", .signIn, BuddyBuddyUsers.signIn),
        open(.POST, "/v1/users/login/apple", .signIn, BuddyBuddyUsers.signInWithApple),
        open(.POST, "/v1/users/login/kakao", .signIn, BuddyBuddyUsers.signInWithKakao),
        open(.POST, "/v1/users/validation/email", .signIn, BuddyBuddyUsers.validateEmail),
        DialectRoute(.POST, "/v1/users/deviceToken", .write, BuddyBuddyUsers.deviceToken),
        DialectRoute(.PUT, "/v1/users/deviceToken", .write, BuddyBuddyUsers.deviceToken),
        DialectRoute(.GET, "/v1/users/logout", .write, BuddyBuddyUsers.signOut),
        DialectRoute(.POST, "/v1/users/logout", .write, BuddyBuddyUsers.signOut),
        DialectRoute(.GET, "/v1/users/me", .read, BuddyBuddyUsers.me),
        DialectRoute(.PUT, "/v1/users/me", .write, BuddyBuddyUsers.editMe),
        DialectRoute(
            .PUT,
            "/v1/users/me/image",
            .write,
            files: [FileField("image", .avatar)],
            BuddyBuddyUsers.editImage
        ),
        DialectRoute(.GET, "/v1/users/:id", .poll, BuddyBuddyUsers.user),
    ]

    private static let workspaces: [DialectRoute] = [
        DialectRoute(.GET, "/v1/workspaces", .poll, BuddyBuddyWorkspaces.list),
        DialectRoute(.POST, "/v1/workspaces", .write, files: [cover], BuddyBuddyWorkspaces.create),
        DialectRoute(.GET, "/v1/workspaces/:w", .poll, BuddyBuddyWorkspaces.show),
        DialectRoute(.PUT, "/v1/workspaces/:w", .write, files: [cover], BuddyBuddyWorkspaces.edit),
        DialectRoute(.DELETE, "/v1/workspaces/:w", .delete, BuddyBuddyWorkspaces.delete),
        DialectRoute(.GET, "/v1/workspaces/:w/members", .read, BuddyBuddyWorkspaces.members),
        DialectRoute(.POST, "/v1/workspaces/:w/members", .write, BuddyBuddyWorkspaces.invite),
        DialectRoute(.GET, "/v1/workspaces/:w/exit", .write, BuddyBuddyWorkspaces.exit),
        DialectRoute(.PUT, "/v1/workspaces/:w/transfer/ownership", .write, BuddyBuddyWorkspaces.transfer),
        DialectRoute(.GET, "/v1/workspaces/:w/search", .read, BuddyBuddyWorkspaces.search),
    ]

    private static let channels: [DialectRoute] = [
        DialectRoute(.GET, "/v1/workspaces/:w/my-channels", .poll, BuddyBuddyChannels.mine),
        DialectRoute(.GET, "/v1/workspaces/:w/channels", .read, BuddyBuddyChannels.list),
        DialectRoute(.POST, "/v1/workspaces/:w/channels", .write, BuddyBuddyChannels.create),
        DialectRoute(.GET, "/v1/workspaces/:w/channels/:c", .read, BuddyBuddyChannels.show),
        DialectRoute(.PUT, "/v1/workspaces/:w/channels/:c", .write, BuddyBuddyChannels.edit),
        DialectRoute(.DELETE, "/v1/workspaces/:w/channels/:c", .delete, BuddyBuddyChannels.delete),
        DialectRoute(.GET, "/v1/workspaces/:w/channels/:c/members", .read, BuddyBuddyChannels.members),
        DialectRoute(.GET, "/v1/workspaces/:w/channels/:c/exit", .write, BuddyBuddyChannels.exit),
        DialectRoute(.PUT, "/v1/workspaces/:w/channels/:c/transfer/ownership", .write, BuddyBuddyChannels.transfer),
        DialectRoute(.GET, "/v1/workspaces/:w/channels/:c/chats", .poll, BuddyBuddyChats.channel),
        DialectRoute(
            .POST,
            "/v1/workspaces/:w/channels/:c/chats",
            .write,
            files: [attachments],
            BuddyBuddyChats.sendToChannel
        ),
        DialectRoute(.GET, "/v1/workspaces/:w/channels/:c/unreads", .poll, BuddyBuddyChats.unreadOfChannel),
    ]

    private static let directMessages: [DialectRoute] = [
        DialectRoute(.GET, "/v1/workspaces/:w/dms", .poll, BuddyBuddyChats.rooms),
        DialectRoute(.POST, "/v1/workspaces/:w/dms", .write, BuddyBuddyChats.openRoom),
        DialectRoute(.GET, "/v1/workspaces/:w/dms/:room/exit", .write, BuddyBuddyChats.exitRoom),
        DialectRoute(.GET, "/v1/workspaces/:w/dms/:room/chats", .poll, BuddyBuddyChats.room),
        DialectRoute(
            .POST,
            "/v1/workspaces/:w/dms/:room/chats",
            .write,
            files: [attachments],
            BuddyBuddyChats.sendToRoom
        ),
        DialectRoute(.GET, "/v1/workspaces/:w/dms/:room/unreads", .poll, BuddyBuddyChats.unreadOfRoom),
    ]

    private static let files: [DialectRoute] = [
        DialectRoute(
            .GET,
            "/v1/media/messages/:message/:file",
            .poll,
            takesRefreshTokens: true,
            BuddyBuddyFiles.ofMessage
        ),
        open(.GET, "/v1/media/o/:code/:name", .free, BuddyBuddyFiles.ofEverybody),
    ]

    private static let cover = FileField("image", .attachment)
    private static let attachments = FileField("files", .attachment, most: 5)

    /// For whoever has no token yet; one that is sent along is not looked at.
    private static func open(
        _ method: HTTPMethod,
        _ path: String,
        _ rate: RateClass,
        _ work: @escaping DialectRoute.Work
    ) -> DialectRoute {
        DialectRoute(method, path, rate, needsAccount: false, work)
    }
}
