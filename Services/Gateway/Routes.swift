// SPDX-License-Identifier: Apache-2.0
// The public surface: every path that a client may ask for, who answers it and what it costs. Nothing else is reachable.

import NIOHTTP1

/// The services behind the gateway.
enum ServiceName: String, CaseIterable, Sendable {
    case auth, posts, chat, notifications

    var index: Int {
        switch self {
        case .auth: 0
        case .posts: 1
        case .chat: 2
        case .notifications: 3
        }
    }
}

/// Which budgets a request is taken from.
enum RateClass: String, Sendable {
    /// None: probes and files that cost nothing.
    case free
    case read, write
    /// Reading as apps do that ask every second instead of holding a stream.
    case poll
    /// Also from the budget of deletions.
    case delete
    /// Also from the budget of sign-ups.
    case signUp
    /// Sign-in and tokens: always from the address's budget.
    case signIn
    /// From the address's budget of connections alone.
    case connection
}

/// Who answers.
enum Destination: Sendable, Hashable {
    case service(ServiceName)
    case local(LocalRoute)
    case stream(StreamRoute)
    /// A translation, by its place in the list of Buddy Buddy's routes.
    case buddyBuddy(Int)
    case socketIO
}

/// One line of the public surface.
struct PublicRoute: Sendable {
    let method: HTTPMethod
    /// With `:name` for a part that varies.
    let path: String
    let destination: Destination
    let rate: RateClass
    /// Pages for people carry no CORS headers.
    var isPage = false
    /// Whether the service keeps the `Idempotency-Key`, so that the gateway may repeat the request.
    var isKeyed = false
    /// Whether it may cost a service much: an account has only so many of them at a time.
    var isCostly = false
}

enum PublicSurface {
    static let all: [PublicRoute] =
        local + streaming + socketIO + auth + posts + chat + notifications + BuddyBuddyRoutes.surface

    static let local: [PublicRoute] = [
        get("/", .local(.landing), .free, isPage: true),
        get("/health", .local(.health), .free),
        get("/health/live", .local(.health), .free),
        get("/health/ready", .local(.ready), .free),
        get("/robots.txt", .local(.robots), .free),
        get("/.well-known/nodeinfo", .local(.nodeInfoLinks), .free),
        get("/nodeinfo/2.0", .local(.nodeInfo), .free),
        get("/assets/:name", .local(.asset), .free),
        get("/api/v1/instance", .local(.instanceV1), .free),
        get("/api/v2/instance", .local(.instanceV2), .free),
        get("/api/v1/instance/rules", .local(.emptyList), .free),
        get("/api/v1/instance/peers", .local(.emptyList), .free),
        get("/api/v1/instance/activity", .local(.activity), .free),
        get("/api/v1/instance/domain_blocks", .local(.emptyList), .free),
        get("/api/v1/instance/extended_description", .local(.extendedDescription), .free),
        get("/api/v1/instance/privacy_policy", .local(.privacyPolicy), .free),
        get("/api/v1/instance/translation_languages", .local(.emptyObject), .free),
        get("/api/v1/streaming/health", .local(.health), .free),
    ]

    static let streaming: [PublicRoute] = [
        get("/api/v1/streaming", .stream(.webSocket), .read),
        get("/api/v1/streaming/user", .stream(.events("user")), .read),
        get("/api/v1/streaming/user/notification", .stream(.events("user:notification")), .read),
        get("/api/v1/streaming/public", .stream(.events("public")), .read),
        get("/api/v1/streaming/public/local", .stream(.events("public:local")), .read),
        get("/api/v1/streaming/public/remote", .stream(.events("public:remote")), .read),
        get("/api/v1/streaming/hashtag", .stream(.events("hashtag")), .read),
        get("/api/v1/streaming/hashtag/local", .stream(.events("hashtag:local")), .read),
        get("/api/v1/streaming/direct", .stream(.events("direct")), .read),
    ]

    /// With a slash behind it, too.
    static let socketIO: [PublicRoute] = [
        get("/socket.io", .socketIO, .connection),
        post("/socket.io", .socketIO, .connection),
    ]

    static let auth: [PublicRoute] = [
        get("/.well-known/oauth-authorization-server", .service(.auth)),
        post("/api/v1/apps", .service(.auth), .write),
        get("/api/v1/apps/verify_credentials", .service(.auth)),
        get("/oauth/authorize", .service(.auth), .read, isPage: true),
        post("/oauth/authorize", .service(.auth), .signIn, isPage: true),
        get("/oauth/authorize/native", .service(.auth), .read, isPage: true),
        post("/oauth/token", .service(.auth), .signIn),
        post("/oauth/revoke", .service(.auth), .signIn),
        get("/oauth/userinfo", .service(.auth)),
        post("/oauth/userinfo", .service(.auth), .read),
        post("/api/v1/accounts", .service(.auth), .signUp),
        post("/api/v1/accounts/change_password", .service(.auth), .signIn),
        get("/api/v1/sessions", .service(.auth)),
        post("/api/v1/sessions", .service(.auth), .signIn),
        post("/api/v1/sessions/refresh", .service(.auth), .signIn),
        delete("/api/v1/sessions", .service(.auth), .write),
        delete("/api/v1/sessions/:id", .service(.auth), .write),
        get("/auth/sign_in", .service(.auth), .read, isPage: true),
        post("/auth/sign_in", .service(.auth), .signIn, isPage: true),
        get("/auth/sign_up", .service(.auth), .read, isPage: true),
        post("/auth/sign_up", .service(.auth), .signUp, isPage: true),
        post("/auth/sign_out", .service(.auth), .write, isPage: true),
    ]

    static let posts: [PublicRoute] = accounts + graph + statuses + timelines + emptyLists

    private static let accounts: [PublicRoute] = [
        get("/api/v1/accounts/verify_credentials", .service(.posts)),
        patch("/api/v1/accounts/update_credentials", .service(.posts)),
        get("/api/v1/preferences", .service(.posts)),
        get("/api/v1/accounts", .service(.posts)),
        get("/api/v1/accounts/lookup", .service(.posts)),
        get("/api/v1/accounts/search", .service(.posts), isCostly: true),
        get("/api/v1/accounts/:id", .service(.posts)),
    ]

    private static let graph: [PublicRoute] = [
        get("/api/v1/accounts/relationships", .service(.posts)),
        get("/api/v1/accounts/familiar_followers", .service(.posts), isCostly: true),
        get("/api/v1/accounts/:id/followers", .service(.posts)),
        get("/api/v1/accounts/:id/following", .service(.posts)),
        post("/api/v1/accounts/:id/follow", .service(.posts), .write),
        post("/api/v1/accounts/:id/unfollow", .service(.posts), .write),
        post("/api/v1/accounts/:id/remove_from_followers", .service(.posts), .write),
        post("/api/v1/accounts/:id/block", .service(.posts), .write),
        post("/api/v1/accounts/:id/unblock", .service(.posts), .write),
        post("/api/v1/accounts/:id/mute", .service(.posts), .write),
        post("/api/v1/accounts/:id/unmute", .service(.posts), .write),
        post("/api/v1/accounts/:id/note", .service(.posts), .write),
        get("/api/v1/blocks", .service(.posts)),
        get("/api/v1/mutes", .service(.posts)),
        get("/api/v1/follow_requests", .service(.posts)),
        post("/api/v1/follow_requests/:id/authorize", .service(.posts), .write),
        post("/api/v1/follow_requests/:id/reject", .service(.posts), .write),
    ]

    private static let statuses: [PublicRoute] = [
        post("/api/v1/statuses", .service(.posts), .write, isKeyed: true),
        get("/api/v1/statuses", .service(.posts)),
        get("/api/v1/statuses/:id", .service(.posts)),
        put("/api/v1/statuses/:id", .service(.posts)),
        delete("/api/v1/statuses/:id", .service(.posts), .delete),
        get("/api/v1/statuses/:id/context", .service(.posts), isCostly: true),
        get("/api/v1/statuses/:id/history", .service(.posts), isCostly: true),
        get("/api/v1/statuses/:id/source", .service(.posts)),
        get("/api/v1/statuses/:id/favourited_by", .service(.posts)),
        get("/api/v1/statuses/:id/reblogged_by", .service(.posts)),
        post("/api/v1/statuses/:id/favourite", .service(.posts), .write),
        post("/api/v1/statuses/:id/unfavourite", .service(.posts), .write),
        post("/api/v1/statuses/:id/reblog", .service(.posts), .write),
        post("/api/v1/statuses/:id/unreblog", .service(.posts), .delete),
        post("/api/v1/statuses/:id/bookmark", .service(.posts), .write),
        post("/api/v1/statuses/:id/unbookmark", .service(.posts), .write),
        post("/api/v1/statuses/:id/mute", .service(.posts), .write),
        post("/api/v1/statuses/:id/unmute", .service(.posts), .write),
        post("/api/v1/statuses/:id/pin", .service(.posts), .write),
        post("/api/v1/statuses/:id/unpin", .service(.posts), .write),
    ]

    private static let timelines: [PublicRoute] = [
        get("/api/v1/timelines/home", .service(.posts)),
        get("/api/v1/timelines/public", .service(.posts)),
        get("/api/v1/timelines/tag/:hashtag", .service(.posts), isCostly: true),
        get("/api/v1/accounts/:id/statuses", .service(.posts)),
        get("/api/v1/favourites", .service(.posts)),
        get("/api/v1/bookmarks", .service(.posts)),
    ]

    /// What clients ask for at their start and posts answers with nothing.
    private static let emptyLists: [PublicRoute] = [
        get("/api/v1/lists", .service(.posts)),
        get("/api/v1/accounts/:id/lists", .service(.posts)),
        get("/api/v1/accounts/:id/endorsements", .service(.posts)),
        get("/api/v1/domain_blocks", .service(.posts)),
        get("/api/v1/scheduled_statuses", .service(.posts)),
        get("/api/v1/filters", .service(.posts)),
        get("/api/v2/filters", .service(.posts)),
        get("/api/v1/custom_emojis", .service(.posts)),
        get("/api/v1/announcements", .service(.posts)),
        get("/api/v1/followed_tags", .service(.posts)),
        get("/api/v1/endorsements", .service(.posts)),
        get("/api/v1/featured_tags", .service(.posts)),
        get("/api/v1/accounts/:id/featured_tags", .service(.posts)),
        get("/api/v1/trends", .service(.posts)),
        get("/api/v1/trends/tags", .service(.posts)),
        get("/api/v1/trends/statuses", .service(.posts)),
        get("/api/v1/trends/links", .service(.posts)),
        get("/api/v1/suggestions", .service(.posts)),
        get("/api/v2/suggestions", .service(.posts)),
        get("/api/v1/conversations", .service(.posts)),
    ]

    static let chat: [PublicRoute] = playgrounds + channels + directChannels + messages + reading

    private static let playgrounds: [PublicRoute] = [
        get("/api/v1/playgrounds", .service(.chat)),
        post("/api/v1/playgrounds", .service(.chat), .write),
        get("/api/v1/playgrounds/:id", .service(.chat)),
        patch("/api/v1/playgrounds/:id", .service(.chat)),
        delete("/api/v1/playgrounds/:id", .service(.chat), .delete),
        post("/api/v1/playgrounds/:id/join", .service(.chat), .write),
        post("/api/v1/playgrounds/:id/leave", .service(.chat), .write),
        get("/api/v1/playgrounds/:id/members", .service(.chat)),
        put("/api/v1/playgrounds/:id/members/:account_id", .service(.chat)),
        delete("/api/v1/playgrounds/:id/members/:account_id", .service(.chat), .write),
        post("/api/v1/playgrounds/:id/transfer", .service(.chat), .write),
        get("/api/v1/playgrounds/:id/bans", .service(.chat)),
        post("/api/v1/playgrounds/:id/bans", .service(.chat), .write),
        delete("/api/v1/playgrounds/:id/bans/:account_id", .service(.chat), .write),
        get("/api/v1/playgrounds/:id/invites", .service(.chat)),
        post("/api/v1/playgrounds/:id/invites", .service(.chat), .write),
        delete("/api/v1/playgrounds/:id/invites/:code", .service(.chat), .write),
        get("/api/v1/invites/:code", .service(.chat)),
        post("/api/v1/invites/:code/accept", .service(.chat), .write),
        get("/api/v1/playgrounds/:id/search", .service(.chat), isCostly: true),
    ]

    private static let channels: [PublicRoute] = [
        get("/api/v1/playgrounds/:id/channels", .service(.chat)),
        post("/api/v1/playgrounds/:id/channels", .service(.chat), .write),
        get("/api/v1/channels/:id", .service(.chat)),
        patch("/api/v1/channels/:id", .service(.chat)),
        delete("/api/v1/channels/:id", .service(.chat), .delete),
        post("/api/v1/channels/:id/archive", .service(.chat), .write),
        post("/api/v1/channels/:id/unarchive", .service(.chat), .write),
        post("/api/v1/channels/:id/join", .service(.chat), .write),
        post("/api/v1/channels/:id/leave", .service(.chat), .write),
        get("/api/v1/channels/:id/members", .service(.chat)),
        post("/api/v1/channels/:id/members", .service(.chat), .write),
        put("/api/v1/channels/:id/members/:account_id", .service(.chat)),
        delete("/api/v1/channels/:id/members/:account_id", .service(.chat), .write),
        post("/api/v1/channels/:id/transfer", .service(.chat), .write),
        put("/api/v1/channels/:id/notifications", .service(.chat)),
    ]

    private static let directChannels: [PublicRoute] = [
        get("/api/v1/direct_channels", .service(.chat)),
        post("/api/v1/direct_channels", .service(.chat), .write),
        get("/api/v1/direct_channels/requests", .service(.chat)),
        post("/api/v1/channels/:id/accept", .service(.chat), .write),
        post("/api/v1/channels/:id/decline", .service(.chat), .write),
    ]

    private static let messages: [PublicRoute] = [
        get("/api/v1/channels/:id/messages", .service(.chat)),
        post("/api/v1/channels/:id/messages", .service(.chat), .write, isKeyed: true),
        get("/api/v1/channels/:id/pins", .service(.chat)),
        get("/api/v1/messages/:id", .service(.chat)),
        patch("/api/v1/messages/:id", .service(.chat)),
        delete("/api/v1/messages/:id", .service(.chat), .write),
        get("/api/v1/messages/:id/thread", .service(.chat), isCostly: true),
        get("/api/v1/messages/:id/reactions", .service(.chat)),
        put("/api/v1/messages/:id/reactions/:emoji", .service(.chat)),
        delete("/api/v1/messages/:id/reactions/:emoji", .service(.chat), .write),
        post("/api/v1/messages/:id/pin", .service(.chat), .write),
        post("/api/v1/messages/:id/unpin", .service(.chat), .write),
    ]

    private static let reading: [PublicRoute] = [
        post("/api/v1/channels/:id/read", .service(.chat), .write),
        post("/api/v1/channels/:id/unread", .service(.chat), .write),
        get("/api/v1/channels/:id/unread", .service(.chat)),
        get("/api/v1/conversations-overview", .service(.chat)),
    ]

    static let notifications: [PublicRoute] = [
        get("/api/v1/notifications", .service(.notifications)),
        get("/api/v1/notifications/unread_count", .service(.notifications)),
        post("/api/v1/notifications/clear", .service(.notifications), .write),
        get("/api/v1/notifications/:id", .service(.notifications)),
        post("/api/v1/notifications/:id/dismiss", .service(.notifications), .write),
        get("/api/v1/markers", .service(.notifications)),
        post("/api/v1/markers", .service(.notifications), .write),
    ]

    private static func get(
        _ path: String,
        _ destination: Destination,
        _ rate: RateClass = .read,
        isPage: Bool = false,
        isCostly: Bool = false
    ) -> PublicRoute {
        PublicRoute(
            method: .GET,
            path: path,
            destination: destination,
            rate: rate,
            isPage: isPage,
            isCostly: isCostly
        )
    }

    private static func post(
        _ path: String,
        _ destination: Destination,
        _ rate: RateClass,
        isPage: Bool = false,
        isKeyed: Bool = false
    ) -> PublicRoute {
        PublicRoute(
            method: .POST,
            path: path,
            destination: destination,
            rate: rate,
            isPage: isPage,
            isKeyed: isKeyed
        )
    }

    private static func put(_ path: String, _ destination: Destination) -> PublicRoute {
        PublicRoute(method: .PUT, path: path, destination: destination, rate: .write)
    }

    private static func patch(_ path: String, _ destination: Destination) -> PublicRoute {
        PublicRoute(method: .PATCH, path: path, destination: destination, rate: .write)
    }

    private static func delete(_ path: String, _ destination: Destination, _ rate: RateClass) -> PublicRoute {
        PublicRoute(method: .DELETE, path: path, destination: destination, rate: rate)
    }
}
