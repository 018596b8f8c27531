// SPDX-License-Identifier: Apache-2.0
// A gateway in this process, before services that a test scripts.

import BuddyBuddy
import Domain
import Giphy
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceKit
import ServiceLifecycle
import SocketIO
import Support
import Surface
import Synchronization

@testable import GatewayService

struct TestGateway: Sendable {
    /// What is public, with all that is spoken.
    static let surface = PublicSurface.all + Dialects([GiphyDialect(), BuddyBuddyDialect()]).surface

    let server: GatewayServer
    let dependencies: GatewayDependencies
    let feed: LiveFeed
    let services: [ServiceName: FakeService]
    let port: Int
    private let stopping: @Sendable () -> Void

    var auth: FakeService { service(.auth) }
    var posts: FakeService { service(.posts) }
    var chat: FakeService { service(.chat) }
    var notifications: FakeService { service(.notifications) }
    var media: FakeService { service(.media) }

    private func service(_ name: ServiceName) -> FakeService {
        guard let service = services[name] else { preconditionFailure("\(name) is not on the list of services") }
        return service
    }

    func stop() { stopping() }

    func client(reads: Bool = true) async throws -> RawClient { try await RawClient(port: port, reads: reads) }

    /// Asks over a connection of its own.
    func ask(_ request: String) async throws -> String {
        let client = try await client()
        let answer = try await client.ask(request)
        await client.close()
        return answer
    }

    /// Asks without a body.
    func ask(_ method: String, _ path: String, token: String? = nil, _ fields: String...) async throws -> String {
        var request = "\(method) \(path) HTTP/1.1\nHost: madang.test\n"
        if let token { request += "Authorization: Bearer \(token)\n" }
        for field in fields { request += field + "\n" }
        return try await ask(request + "\n")
    }

    static func config(_ environment: [String: String] = [:]) throws -> GatewayConfig {
        var values = [
            "MADANG_DOMAIN": "localhost:3000", "MADANG_LISTEN": "127.0.0.1:1",
            "MADANG_AMQP": "amqp://guest:guest@127.0.0.1:1",
            "MADANG_INTERNAL_SECRET": "inner", "MADANG_RATE_LIMIT_ACCOUNT": "0", "MADANG_RATE_LIMIT_ADDRESS": "0",
            "MADANG_RATE_LIMIT_SIGN_UP": "0", "MADANG_RATE_LIMIT_DELETE": "0", "MADANG_RATE_LIMIT_CONNECTIONS": "0",
            "MADANG_ACCESS_LOG": "false", "MADANG_CONNECTIONS": "0", "MADANG_CONNECTIONS_ADDRESS": "0",
            "MADANG_CONNECTIONS_ACCOUNT": "0",
        ]
        for service in ServiceName.allCases {
            values["MADANG_\(service.rawValue.uppercased())_URL"] = "http://127.0.0.1:1"
        }
        values.merge(environment) { $1 }
        var settings = Settings(environment: values)
        var config = GatewayConfig(&settings)
        try settings.finish()
        config.port = 0
        config.limits.tick = 20
        config.limits.notReady = 0
        config.limits.idleGrace = 0
        // Whoever is not about a service's time has plenty of it: hundreds of tests share two cores.
        config.limits.firstByte = 60_000
        config.limits.upstreamWait = 60_000
        config.limits.connect = 20_000
        return config
    }

    /// Runs `body` with a gateway; accounts are told apart by tokens `good-<id>` with the scopes behind a colon.
    static func run(
        _ environment: [String: String] = [:],
        limits: (inout GatewayLimits) -> Void = { _ in },
        postsURL: String? = nil,
        posts answer: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour = { _ in
            .answer(.ok, [("content-type", "application/json")], #"{"from":"posts"}"#)
        },
        application: @escaping @Sendable (GatewayLoop) -> any SocketIOApplication = { ChatApplication(loop: $0) },
        auth judge: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour = FakeAuth.answer,
        chat talk: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour = { _ in .answer(.ok, [], "[]") },
        others tell: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour = { _ in
            .answer(.ok, [], "[]")
        },
        postsPort: Int? = nil,
        dialects: [any Dialect] = [GiphyDialect(), BuddyBuddyDialect()],
        logger given: Logger? = nil,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        _ body: @Sendable @escaping (TestGateway) async throws -> Void
    ) async throws {
        try await Turns.servers.take {
            var config = try config(environment)
            limits(&config.limits)
            let behaviours = [ServiceName.auth: judge, .posts: answer, .chat: talk]
            var fakes: [ServiceName: FakeService] = [:]
            for name in ServiceName.allCases {
                let fake = try await FakeService(behaviours[name] ?? tell)
                fakes[name] = fake
                config.upstreams[name]?.port = fake.port
            }
            if let postsPort { config.upstreams[.posts]?.port = postsPort }
            if let postsURL, let several = UpstreamAddress(urls: postsURL) { config.upstreams[.posts] = several }
            var logger = given ?? Logger(label: "gateway tests")
            if given == nil { logger.logLevel = .critical }
            let dependencies = try GatewayDependencies(
                config: config,
                dialects: dialects,
                metrics: Metrics(),
                logger: logger,
                application: application,
                now: now
            )
            // What loops do to each other is part of what is tested, unless a test asks for a number.
            let loops = environment["MADANG_EVENT_LOOPS"] == nil ? 2 : config.eventLoops
            let group = MultiThreadedEventLoopGroup(numberOfThreads: loops)
            let server = try await GatewayServer(dependencies, group: group)
            let services = ServiceGroup(services: [server], logger: logger)
            let feed = LiveFeed(server: server, dependencies: dependencies)
            feed.link(true)
            try await withThrowingTaskGroup(of: Void.self) { [fakes] tasks in
                tasks.addTask { try await services.run() }
                try await eventually("the gateway listening") { server.port != nil }
                let gateway = TestGateway(
                    server: server,
                    dependencies: dependencies,
                    feed: feed,
                    services: fakes,
                    port: server.port ?? 0,
                    stopping: { Task { await services.triggerGracefulShutdown() } }
                )
                let outcome: Result<Void, any Error>
                do {
                    try await body(gateway)
                    outcome = .success(())
                } catch {
                    outcome = .failure(error)
                }
                await services.triggerGracefulShutdown()
                try await tasks.waitForAll()
                for fake in fakes.values { try? await fake.stop() }
                try await group.shutdownGracefully()
                try outcome.get()
            }
        }
    }
}

extension Timestamp {
    /// Stands still at the start of the current window of every budget, so that no window ends in a test.
    static let startOfWindow: @Sendable () -> Timestamp = {
        let long: Int64 = 1_800_000
        let start = Timestamp.now().milliseconds / long * long
        return { Timestamp(milliseconds: start) }
    }()
}

enum FakeAuth {
    /// Tokens `good-<account>-<session>` with scopes behind `:`, such as `good-7-9:read`; all others are refused.
    static let answer: @Sendable (FakeService.Asked) -> FakeService.Behaviour = { asked in
        guard asked.head.uri == "/internal/principal" else { return .answer(.ok, [], #"{"from":"auth"}"#) }
        guard asked.head.headers.first(name: "x-madang-internal") == "inner",
            let start = asked.body.firstRange(of: "good-")
        else { return .answer(.unauthorized, [], "{}") }
        let rest = asked.body[start.upperBound...].prefix { $0 != "\"" }
        let parts = rest.split(separator: ":")
        let ids = parts.first?.split(separator: "-") ?? []
        let scopes = parts.count > 1 ? parts[1].replacing("+", with: " ").replacing("/", with: ":") : "read write"
        let expires = Timestamp.now().milliseconds + 300_000
        return .answer(
            .ok,
            [],
            #"{"principal":"signed-\#(ids.first ?? "")","expires":\#(expires),"session_id":"\#(ids.last ?? "")","#
                + #""account_id":"\#(ids.first ?? "")","username":"mina","scopes":"\#(scopes)"}"#
        )
    }
}
