// SPDX-License-Identifier: Apache-2.0
// Every setting of the gateway.

import Domain
import Messaging
import ServiceKit
import SocketIO
import Surface
import Web

/// What the gateway is told by its environment.
struct GatewayConfig: Sendable {
    enum Registrations: String, CaseIterable, Sendable {
        case open, closed
    }

    var host: String
    var port: Int
    /// Where metrics are shown; nowhere when nil, and never to the public.
    var admin: UpstreamAddress?
    var site: Site
    var upstreams: [ServiceName: UpstreamAddress]
    var broker: BrokerConfiguration?
    /// What opens the `/internal` routes of each service that has such.
    var internalSecrets: [ServiceName: String]
    var registrations: Registrations
    var rateLimits: RateLimits
    var connectionLimits: ConnectionLimits
    var trustedProxies: TrustedProxies
    var socketIO: SocketIOSettings
    var title: String
    var description: String
    var contact: String
    /// What people agree to when they sign up, and what is kept of them.
    var rules: SiteTexts
    var privacyPolicy: SiteTexts
    /// When all this was read.
    var read = Timestamp.now()
    var logsAccess: Bool
    var mediaLimits: MediaLimits
    /// The public key by which services of Web Push know this Madang; nil without one.
    var vapidKey: String?
    /// With whom apps are registered for push whose dialect does not say it.
    var appleEnvironment: AppleEnvironment
    var limits = GatewayLimits()
    let eventLoops: Int

    init(_ settings: inout Settings) {
        site = settings.site()
        (host, port) = settings.address("MADANG_LISTEN", default: "127.0.0.1:3000", meaning: "where clients connect")
        eventLoops = settings.eventLoops()
        if let text = settings.optional("MADANG_ADMIN_LISTEN", meaning: "host:port of /metrics; not served without it")
        {
            admin = UpstreamAddress(hostAndPort: text)
            if admin == nil {
                _ = settings.address("MADANG_ADMIN_LISTEN", meaning: "host:port of /metrics")
            }
        } else {
            admin = nil
        }
        upstreams = [:]
        for service in ServiceName.allCases {
            upstreams[service] = settings.parsed(
                "MADANG_\(service.rawValue.uppercased())_URL",
                expected: "http://host:port, or several separated by commas",
                meaning: "where the processes of the service listen"
            ) {
                UpstreamAddress(urls: $0)
            }
        }
        broker = settings.parsed(
            "MADANG_AMQP",
            secret: true,
            expected: "amqp://user:password@host:port/vhost",
            meaning: "the broker"
        ) { BrokerConfiguration(uri: $0, connectionName: "gateway") }
        internalSecrets = GatewayConfig.internalSecrets(&settings)
        registrations = settings.choice("MADANG_REGISTRATIONS", default: .open, meaning: "whether anybody may sign up")
        func most(_ name: String, _ default: Int, _ what: String) -> Int {
            settings.integer(name, default: `default`, in: 0...1_000_000_000, meaning: "\(what), 0 unlimited")
        }
        rateLimits = RateLimits(
            account: most("MADANG_RATE_LIMIT_ACCOUNT", 300, "requests of an account in 5 minutes"),
            address: most("MADANG_RATE_LIMIT_ADDRESS", 300, "requests without an account from an address in 5 minutes"),
            signUp: most("MADANG_RATE_LIMIT_SIGN_UP", 5, "sign-ups from an address in 30 minutes"),
            delete: most("MADANG_RATE_LIMIT_DELETE", 30, "deletions of an account in 30 minutes"),
            connections: most(
                "MADANG_RATE_LIMIT_CONNECTIONS",
                300,
                "Socket.IO connections opened from an address in 5 minutes"
            )
        )
        connectionLimits = ConnectionLimits(
            total: most("MADANG_CONNECTIONS", 20_000, "connections held at a time"),
            address: most(
                "MADANG_CONNECTIONS_ADDRESS",
                2000,
                "connections of an address, and streams of one, held at a time"
            ),
            account: most(
                "MADANG_CONNECTIONS_ACCOUNT",
                100,
                "streams and Socket.IO connections of an account held at a time"
            )
        )
        trustedProxies =
            settings.parsed(
                "MADANG_TRUSTED_PROXIES",
                default: "",
                expected: "addresses or networks separated by commas, such as 10.0.0.0/8",
                meaning: "whose X-Forwarded-For is believed"
            ) { TrustedProxies($0) } ?? TrustedProxies()
        socketIO = GatewayConfig.socketIO(&settings)
        title = settings.string("MADANG_TITLE", default: "Madang", meaning: "the instance's name")
        description = settings.string(
            "MADANG_DESCRIPTION",
            default: "A yard where people meet.",
            meaning: "the instance's description"
        )
        contact = settings.string("MADANG_CONTACT", default: "", meaning: "mail address for questions")
        rules = SiteTexts(
            &settings,
            "MADANG_RULES",
            meaning: "the rules, as plain text with `- ` before each",
            standard: StandardTexts.rules
        )
        privacyPolicy = SiteTexts(
            &settings,
            "MADANG_PRIVACY_POLICY",
            meaning: "the privacy policy, as plain text with `# ` before headings",
            standard: StandardTexts.privacy
        )
        mediaLimits = settings.mediaLimits()
        vapidKey = settings.vapidKey()
        appleEnvironment = settings.choice(
            "MADANG_APNS_DEFAULT_ENVIRONMENT",
            default: .production,
            meaning: "which of Apple's servers pushes to apps that cannot say it: sandbox to builds in development"
        )
        limits.upload = mediaLimits.largest + MediaLimits.form
        limits.picture = mediaLimits.image
        logsAccess = settings.boolean("MADANG_ACCESS_LOG", default: true, meaning: "whether each request is logged")
    }
}

/// Which of Apple's servers takes messages for an app: that of the store, or that of apps that are being developed.
package enum AppleEnvironment: String, CaseIterable, Sendable {
    case production, sandbox
}

extension GatewayConfig {
    /// A secret for each service: what one of them knows opens nothing of another.
    private static func internalSecrets(_ settings: inout Settings) -> [ServiceName: String] {
        let shared = settings.optional(
            "MADANG_INTERNAL_SECRET",
            secret: true,
            meaning: "opens /internal routes of services that have no secret of their own"
        )
        var secrets: [ServiceName: String] = [:]
        for service in ServiceName.allCases where service.isAsked {
            secrets[service] = settings.string(
                "MADANG_INTERNAL_SECRET_\(service.rawValue.uppercased())",
                default: shared,
                secret: true,
                meaning: "opens /internal routes of \(service.rawValue)"
            )
        }
        return secrets
    }

    func internalSecret(_ service: ServiceName) -> String { internalSecrets[service] ?? "" }

    /// Nowhere only where the setting is bad, which stops the start.
    func upstream(_ service: ServiceName) -> UpstreamAddress {
        upstreams[service] ?? UpstreamAddress(host: "127.0.0.1", port: 1)
    }
}

/// Sizes and times that no operator has to know.
struct GatewayLimits: Sendable {
    /// Octets of a request's target.
    var target = 8 * 1024
    /// Octets of all header fields.
    var headers = 16 * 1024
    var headerCount = 100
    /// Octets of a body; the services have their own, lower limits.
    var body = 2 << 20
    var firstHead = Milliseconds(15_000)
    var idle = Milliseconds(30_000)
    /// After this long a body must have come at `bodyRate` octets a second.
    var bodyGrace = Milliseconds(20_000)
    var bodyRate = 1024
    /// The rate of a large body that a service reads as a whole.
    var uploadRate = 32 * 1024
    /// Octets of a body that is a file.
    var upload = 100 << 20
    /// Octets of a file in a form that is not media's own.
    var picture = 16 << 20
    /// The rate of a file.
    var fileRate = 8 * 1024
    /// Octets of a body that are kept before it is known who sends it.
    var unacceptedBody = 16 * 1024
    /// How long a client may leave an answer unread.
    var stalledWrite = Milliseconds(20_000)
    var linger = Milliseconds(2000)
    var connect = Milliseconds(2000)
    /// With a tick, less than the 6 s after which a caller shall know.
    var firstByte = Milliseconds(5400)
    var upstreamStall = Milliseconds(30_000)
    /// Idle connections to a service are closed after this long.
    var upstreamIdle = Milliseconds(20_000)
    /// What must not be sent twice goes over a connection that rested no longer: a service that has begun to stop says so
    /// in its answers for twice as long before it closes what is idle.
    var upstreamReuse = Milliseconds(1000)
    /// How long a process is asked last that could not be reached, or said that it stops.
    var shunning = Milliseconds(3000)
    var upstreamConnections = 256
    var upstreamWaiting = 2048
    /// How long a request waits for one of the connections.
    var upstreamWait = Milliseconds(2000)
    /// Octets of an answer that are kept for a client that reads slowly, so that the service need not wait for it.
    var answerHold = 1 << 20
    /// And of all such answers of an event loop.
    var answersHeld = 32 << 20
    /// Octets of answers that are kept to be passed on again when their service says that they still hold.
    var storedAnswers = 16 << 20
    /// How long the answer to a sign-up waits for posts to make the profile.
    var profileWait = Milliseconds(1000)
    /// How long a costly request waits for its account's others.
    var costlyPatience = Milliseconds(3000)
    var tick = Milliseconds(500)
    var ping = Milliseconds(20_000)
    var webSocketMessage = 16 * 1024
    var streamQueue = 256
    /// Octets of frames that may wait for a slow reader.
    var streamQueueBytes = 1 << 20
    var streamSubscriptions = 50
    /// Live messages that may wait at the broker; with more, what waits is given up and streams fetch again.
    var liveQueue = 50_000
    var notReady = Milliseconds(2000)
    var drain = Milliseconds(20_000)
    /// How long a stopping gateway waits for the next request of a connection, which it answers before it closes it.
    var idleGrace = Milliseconds(5000)
    var tokens = 50_000

    init() {}

    /// For streaming.
    var webSocket: WebSocketSettings {
        var settings = WebSocketSettings()
        settings.message = webSocketMessage
        settings.queue = streamQueue
        settings.queueBytes = streamQueueBytes
        settings.ping = ping
        settings.linger = linger
        return settings
    }
}

/// A span of time in whole milliseconds.
typealias Milliseconds = Int64

/// Where something listens.
struct UpstreamAddress: Sendable, Hashable {
    var host: String
    var port: Int
    /// Further processes of the same service.
    var others: [UpstreamAddress] = []

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(hostAndPort text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// One address, or several separated by commas.
    init?(urls text: String) {
        var all: [UpstreamAddress] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = UpstreamAddress(url: String(part)) else { return nil }
            all.append(address)
        }
        guard let first = all.first else { return nil }
        self = first
        others = Array(all.dropFirst())
    }

    /// Nil unless it is `http://host:port`, with or without a slash behind it.
    init?(url: String) {
        guard url.hasPrefix("http://") else { return nil }
        var rest = url.dropFirst(7)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.contains("/") else { return nil }
        self.init(hostAndPort: rest.contains(":") ? String(rest) : rest + ":80")
    }
}
