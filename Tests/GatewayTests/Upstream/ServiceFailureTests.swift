// SPDX-License-Identifier: Apache-2.0
// Services that fail, hang or answer with faults: who notices, and for how long.

import HTTPTypes
import NIOCore
import NIOHTTP1
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct ServiceFailureTests {
    private static let posts = ServiceName.posts.index

    private func statuses(_ count: Int, _ gateway: TestGateway) async throws -> [String] {
        var statuses: [String] = []
        for _ in 0..<count {
            let answer = try await gateway.ask("GET", "/api/v1/timelines/public")
            statuses.append(String(answer.split(separator: " ").dropFirst().first ?? ""))
        }
        return statuses
    }

    /// A fault that one request brings about says nothing about the requests of others.
    @Test func aFaultClosesTheDoorToNobody() async throws {
        try await TestGateway.run(posts: { _ in .answer(.internalServerError, [], "{}") }) { gateway in
            #expect(try await statuses(30, gateway) == Array(repeating: "500", count: 30))
            let states = try await gateway.server.collect { $0.pools.map(\.breaker.state) }
            #expect(states.allSatisfy { $0[ServiceFailureTests.posts] == .closed })
            #expect(gateway.posts.asked.count == 30)
        }
    }

    /// A full disk stops who writes, and nobody who reads.
    @Test func aServiceThatCannotWriteIsStillAsked() async throws {
        try await TestGateway.run(posts: { _ in
            .answer(.serviceUnavailable, [("X-Madang-Hinders", "writes")], "{}")
        }) { gateway in
            #expect(try await statuses(30, gateway) == Array(repeating: "503", count: 30))
            let states = try await gateway.server.collect { $0.pools.map(\.breaker.state) }
            #expect(states.allSatisfy { $0[ServiceFailureTests.posts] == .closed })
            #expect(gateway.posts.asked.count == 30)
            #expect(try await !gateway.ask("GET", "/api/v1/timelines/public").lowercased().contains("hinders"))
        }
    }

    @Test(arguments: [HTTPResponseStatus.badGateway, .serviceUnavailable, .gatewayTimeout])
    func aServiceThatKeepsFailingIsLeftAloneAndTriedAgain(_ status: HTTPResponseStatus) async throws {
        let isBack = Shared(false)
        try await TestGateway.run(posts: { _ in
            isBack.value.withLock { $0 } ? .answer(.ok, [], "back") : .answer(status, [], "{}")
        }) { gateway in
            try await eventually("the breakers being open") {
                // Many at a time, so that each event loop has its failures in a row soon.
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<20 { tasks.addTask { _ = try await statuses(1, gateway) } }
                    try await tasks.waitForAll()
                }
                return try await gateway.server.collect { $0.pools[ServiceFailureTests.posts].breaker.state }
                    .allSatisfy { $0 != .closed }
            }
            // Others go on.
            #expect(try await gateway.ask("GET", "/api/v1/notifications").hasPrefix("HTTP/1.1 200 "))
            let (asked, began) = (gateway.posts.asked.count, ContinuousClock.now)
            let refused = try await statuses(20, gateway)
            #expect(refused.allSatisfy { $0 == "503" || $0 == "\(status.code)" })
            // Only probes got through, one at a time of each event loop after a pause.
            let pauses = Int((ContinuousClock.now - began) / .milliseconds(CircuitBreaker().firstPause))
            #expect(gateway.posts.asked.count - asked < max(10, 2 + 2 * pauses))
            isBack.value.withLock { $0 = true }
            try await eventually("the breakers being closed") {
                _ = try await statuses(1, gateway)
                return try await gateway.server.collect { $0.pools[ServiceFailureTests.posts].breaker.state }
                    .allSatisfy { $0 == .closed }
            }
            #expect(try await statuses(10, gateway) == Array(repeating: "200", count: 10))
        }
    }

    @Test func aHungServiceCostsTheFirstFewOnly() async throws {
        try await TestGateway.run(limits: { $0.firstByte = 300 }, posts: { _ in .silence }) { gateway in
            let began = ContinuousClock.now
            var waited = 0
            for _ in 0..<40 where try await statuses(1, gateway) == ["504"] { waited += 1 }
            // Three for each of two event loops, and one probe of each after every pause.
            let probes = 2 * Int((ContinuousClock.now - began) / .milliseconds(CircuitBreaker().firstPause))
            #expect(waited <= 6 + probes && waited < 40, "\(waited) of 40 waited")
            // Another one answers, however slow the machine is against that limit.
            try await eventually("an answer of another service") {
                try await gateway.ask("GET", "/api/v1/notifications").hasPrefix("HTTP/1.1 200 ")
            }
            // Nothing is left of it.
            try await eventually("the connections being closed") {
                try await gateway.server.collect { $0.pools[ServiceFailureTests.posts].connections }
                    .allSatisfy { $0 == 0 }
            }
        }
        #expect(GatewayLimits().firstByte + GatewayLimits().tick <= 6000)
    }

    /// Whoever waits behind a service that hangs is told so, and not when the service is back.
    @Test func nobodyWaitsForAConnectionForLong() async throws {
        try await TestGateway.run(
            limits: {
                $0.upstreamConnections = 1
                $0.upstreamWait = GatewayLimits().upstreamWait
                $0.firstByte = 60_000
            },
            posts: { _ in .silence }
        ) { gateway in
            var clients: [RawClient] = []
            for _ in 0..<6 {
                let client = try await gateway.client()
                try await client.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\r\n")
                clients.append(client)
            }
            let told = clients
            try await eventually("those that wait being told") {
                told.count { $0.text.hasPrefix("HTTP/1.1 503 ") } >= 4
            }
            for client in clients { await client.close() }
        }
    }

    @Test func aSmallBodyIsReadBeforeAServiceIsTakenUp() async throws {
        // On a busy machine more than a second lies between two requests.
        let limits: (inout GatewayLimits) -> Void = {
            $0.upstreamReuse = 600_000
            $0.upstreamIdle = 600_000
        }
        try await TestGateway.run(limits: limits, posts: { .answer(.ok, [], $0.body) }) { gateway in
            let slow = try await gateway.client()
            try await slow.send(
                "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
            )
            _ = try await slow.text(containing: "HTTP/1.1 100 Continue\r\n\r\n")
            try await slow.send("sl")
            for _ in 0..<4 { _ = try await gateway.ask("POST", "/api/v1/statuses", "Content-Length: 0") }
            let inUse = try await gateway.server.collect { $0.pools[ServiceFailureTests.posts].connections }
            let opened = gateway.posts.connectionCount
            #expect(opened <= 2 && inUse.reduce(0, +) <= 2)
            #expect(gateway.posts.asked.count == 4)
            try await slow.send("owl")
            _ = try await slow.text(containing: "\r\n\r\nslowl")
            // The slow one used a connection that another had left.
            #expect(gateway.posts.connectionCount <= 2)
            await slow.close()
        }
    }

    /// Only where the service keeps the key, a repetition is no second effect.
    @Test func aKeyIsBelievedOnlyWhereItIsHonoured() async throws {
        let isClosing = Shared(false)
        try await TestGateway.run(posts: { _ in
            if isClosing.value.withLock({ closing in
                defer { closing = false }
                return closing
            }) {
                return .close
            }
            return .answer(.ok, [], "fine")
        }) { gateway in
            let client = try await gateway.client()
            let follow = "POST /api/v1/accounts/7/follow HTTP/1.1\nHost: a\nIdempotency-Key: k\nContent-Length: 0\n\n"
            _ = try await client.ask(follow)
            isClosing.value.withLock { $0 = true }
            #expect(try await client.ask(follow).hasPrefix("HTTP/1.1 502 "))
            #expect(gateway.posts.asked.count == 2)
            await client.close()
        }
        let honoured = PublicSurface.all.filter(\.isKeyed).map { "\($0.method.rawValue) \($0.path)" }
        #expect(
            honoured == [
                "POST /api/v1/statuses", "POST /api/v1/shelf/records/:id/share", "POST /api/v1/projects",
                "POST /api/v1/channels/:id/messages",
            ]
        )
    }

    /// What anybody, or anybody signed in, may read of a service.
    private func reading(_ service: ServiceName) -> String? {
        let reads = Surface.lines(of: service).map(\.endpoint).filter { endpoint in
            endpoint.method == .get && !endpoint.isInternal && endpoint.path.hasPrefix("/api/")
        }
        let read = reads.first { !$0.path.contains(":") } ?? reads.first
        return read?.path(["1", "1"])
    }

    /// What a client is told is the same whoever failed and however; the log has the cause.
    @Test(arguments: ServiceName.allCases)
    func whoFailsAndHowIsForTheLogOnly(_ service: ServiceName) async throws {
        let failures: [FakeService.Behaviour] = [.close, .silence, .rawThenClose("NONSENSE\r\n\r\n")]
        var bodies: Set<String> = []
        for failure in failures {
            let lines = LogLines()
            let told = Shared("")
            try await TestGateway.run(
                limits: { $0.firstByte = 1500 },
                posts: { _ in failure },
                auth: { _ in failure },
                chat: { _ in failure },
                others: { _ in failure },
                logger: lines.logger
            ) { gateway in
                let path = try #require(reading(service))
                let answer = try await gateway.ask("GET", path)
                #expect(answer.hasPrefix("HTTP/1.1 50"), "\(answer)")
                let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init) ?? ""
                #expect(body.contains(#""request_id":""#) && !body.contains("127.0.0.1") && !body.contains("cause"))
                told.value.withLock { $0 = body.replacing(/"request_id":"[0-9a-f]*"/, with: "") }
            }
            bodies.insert(told.value.withLock { $0 })
            #expect(lines.all.contains { $0.contains("no answer from a service") && $0.contains(service.rawValue) })
        }
        // One text for what broke off, one for what took too long.
        #expect(bodies.count == 2, "\(bodies)")
    }
}
