// SPDX-License-Identifier: Apache-2.0
// The public surface as the gateway routes by it. Nothing else is reachable.

import HTTPTypes
import NIOHTTP1
import Surface
import Web

/// Who answers.
enum Destination: Sendable, Hashable {
    case service(ServiceName)
    case local(LocalRoute)
    case stream(StreamRoute)
    /// Several services, asked one after the other.
    case joined(JoinedEndpoint)
    /// Work of a dialect, by its place in `Dialects.lines`.
    case dialect(Int)
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
    /// Whether the service reads the body while it comes, however long it is.
    var takesUpload = false
    /// Nil where the body is no form with files.
    var form: FormRule?
}

/// A form whose files media takes before the rest of it goes on.
struct FormRule: Sendable {
    let fields: [FileField]
    /// Who may send it: a file of anybody else is not even begun.
    let access: Access

    /// Octets of the form.
    func most(_ limits: GatewayLimits) -> Int {
        fields.reduce(MediaLimits.form) { $0 + $1.most * limits.picture }
    }
}

extension PublicRoute {
    init(_ endpoint: Endpoint, to destination: Destination) {
        self.init(
            method: HTTPMethod(rawValue: endpoint.method.rawValue),
            path: endpoint.path,
            destination: destination,
            rate: endpoint.rate,
            isPage: endpoint.isPage,
            isKeyed: endpoint.isKeyed,
            isCostly: endpoint.isCostly,
            takesUpload: endpoint.body == .upload,
            form: endpoint.fileFields.isEmpty
                ? nil : FormRule(fields: endpoint.fileFields, access: endpoint.access)
        )
    }
}

enum PublicSurface {
    /// What is there whatever dialects are spoken besides.
    static let all: [PublicRoute] = own + joined + services

    private static let own = GatewayEndpoint.allCases.map { PublicRoute($0.endpoint, to: destination($0)) }

    private static let joined = JoinedEndpoint.allCases.map { PublicRoute($0.endpoint, to: .joined($0)) }

    private static let services = Surface.all.compactMap { line in
        line.endpoint.isInternal ? nil : line.service.map { PublicRoute(line.endpoint, to: .service($0)) }
    }

    static func destination(_ endpoint: GatewayEndpoint) -> Destination {
        switch endpoint {
        case .landing: .local(.page(.landing))
        case .rulesPage: .local(.page(.rules))
        case .privacyPage: .local(.page(.privacy))
        case .termsPage: .local(.page(.terms))
        case .health, .liveness, .streamingHealth: .local(.health)
        case .readiness: .local(.ready)
        case .robots: .local(.robots)
        case .nodeInfoLinks: .local(.nodeInfoLinks)
        case .nodeInfo, .nodeInfoFile: .local(.nodeInfo)
        case .asset: .local(.asset)
        case .instance: .local(.instanceV2)
        case .instanceV1: .local(.instanceV1)
        case .rules: .local(.rules)
        case .peers, .domainBlocks: .local(.emptyList)
        case .activity: .local(.activity)
        case .extendedDescription: .local(.extendedDescription)
        case .privacyPolicy: .local(.privacyPolicy)
        case .translationLanguages: .local(.emptyObject)
        case .webSocket: .stream(.webSocket)
        case .userStream: .stream(.events("user"))
        case .notificationStream: .stream(.events("user:notification"))
        case .publicStream: .stream(.events("public"))
        case .localStream: .stream(.events("public:local"))
        case .remoteStream: .stream(.events("public:remote"))
        case .hashtagStream: .stream(.events("hashtag"))
        case .localHashtagStream: .stream(.events("hashtag:local"))
        case .directStream: .stream(.events("direct"))
        case .openSocketIO, .sendSocketIO: .socketIO
        }
    }
}
