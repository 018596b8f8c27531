// SPDX-License-Identifier: Apache-2.0
// What the gateway answers itself: pages about the server, probes, streams.

import Domain

/// What the gateway answers itself: pages about the server, probes, streams.
public enum GatewayEndpoint: String, EndpointGroup {
    case landing, rulesPage, privacyPage, health, liveness, readiness, robots, nodeInfoLinks, nodeInfo, nodeInfoFile,
        asset
    case instance, instanceV1, rules, peers, activity, domainBlocks, extendedDescription, privacyPolicy
    case translationLanguages, streamingHealth
    case webSocket, userStream, notificationStream, publicStream, localStream, remoteStream, hashtagStream
    case localHashtagStream, directStream
    case openSocketIO, sendSocketIO
    case termsPage

    public static var service: ServiceName? { nil }

    public var endpoint: Endpoint {
        switch self {
        case .landing: .get("/", .anyone, rate: .free, isPage: true)
        case .rulesPage: .get("/rules", .anyone, rate: .free, isPage: true)
        case .privacyPage: .get("/privacy-policy", .anyone, rate: .free, isPage: true)
        case .health: .get("/health", .anyone, rate: .free)
        case .liveness: .get("/health/live", .anyone, rate: .free)
        case .readiness: .get("/health/ready", .anyone, rate: .free)
        case .robots: .get("/robots.txt", .anyone, rate: .free)
        case .nodeInfoLinks: .get("/.well-known/nodeinfo", .anyone, rate: .free)
        case .nodeInfo: .get("/nodeinfo/2.0", .anyone, rate: .free)
        // Where Pleroma-FE looks for it.
        case .nodeInfoFile: .get("/nodeinfo/2.0.json", .anyone, rate: .free)
        case .asset: .get("/assets/:name", .anyone, rate: .free)
        case .instance: .get("/api/v2/instance", .anyone, rate: .free, answer: "Instance")
        case .instanceV1: .get("/api/v1/instance", .anyone, rate: .free, answer: "OldInstance")
        case .rules: .get("/api/v1/instance/rules", .anyone, rate: .free, answer: "[Rule]")
        case .peers: .get("/api/v1/instance/peers", .anyone, rate: .free, answer: "[any]")
        case .activity: .get("/api/v1/instance/activity", .anyone, rate: .free, answer: "[any]")
        case .domainBlocks: .get("/api/v1/instance/domain_blocks", .anyone, rate: .free, answer: "[any]")
        case .extendedDescription:
            .get("/api/v1/instance/extended_description", .anyone, rate: .free, answer: "ExtendedDescription")
        case .privacyPolicy:
            .get("/api/v1/instance/privacy_policy", .anyone, rate: .free, answer: "ExtendedDescription")
        case .translationLanguages:
            .get("/api/v1/instance/translation_languages", .anyone, rate: .free, answer: "any")
        case .streamingHealth: .get("/api/v1/streaming/health", .anyone, rate: .free)
        case .webSocket: .get("/api/v1/streaming", .anyone)
        case .userStream: .get("/api/v1/streaming/user", .account("read:statuses"))
        case .notificationStream: .get("/api/v1/streaming/user/notification", .account("read:notifications"))
        case .publicStream: .get("/api/v1/streaming/public", .app("read:statuses"))
        case .localStream: .get("/api/v1/streaming/public/local", .app("read:statuses"))
        case .remoteStream: .get("/api/v1/streaming/public/remote", .app("read:statuses"))
        case .hashtagStream: .get("/api/v1/streaming/hashtag", .app("read:statuses"))
        case .localHashtagStream: .get("/api/v1/streaming/hashtag/local", .app("read:statuses"))
        case .directStream: .get("/api/v1/streaming/direct", .account("read:statuses"))
        // With a slash behind it, too.
        case .openSocketIO: .get("/socket.io", .anyone, rate: .connection)
        case .sendSocketIO: .post("/socket.io", .anyone, rate: .connection)
        case .termsPage: .get("/terms-of-service", .anyone, rate: .free, isPage: true)
        }
    }
}
