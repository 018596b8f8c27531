// SPDX-License-Identifier: Apache-2.0
// Clients that send too much, too slowly, or never read; and others that must not feel it.

import NIOCore
import NIOHTTP1
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.serialized, .againstHanging) struct RoughClientTests {
    @Test func monstrousHeadsAreRefusedAtOnce() async throws {
        let fields = (0..<100_000).map { "X-\($0): 1\r\n" }.joined()
        let requests = [
            ("GET /" + String(repeating: "a", count: 1 << 20) + " HTTP/1.1\r\nHost: a\r\n\r\n", ["414", "431", "400"]),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "b", count: 64 << 10) + "\r\n\r\n", ["431"]),
            ("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n", ["431"]),
            (
                "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: "0", count: 70_000) + "1\r\nx\r\n0\r\n\r\n", ["200", "400"]
            ),
            (
                "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x="
                    + String(repeating: "e", count: 70_000) + "\r\nx\r\n0\r\n\r\n", ["200", "400", "431"]
            ),
        ]
        try await TestGateway.run { gateway in
            for (request, expected) in requests {
                let client = try await gateway.client()
                // It may be cut off while it still sends.
                try? await client.send(request)
                let answer = try await client.text(containing: "\r\n\r\n")
                let status = answer.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                #expect(expected.contains(status), "\(request.prefix(40)): \(answer.prefix(80))")
            }
            // What was read as a whole request was sent on in one plain form.
            #expect(gateway.posts.asked.allSatisfy { $0.body == "x" })
            #expect(try await gateway.ask("GET", "/health").hasSuffix("OK"))
        }
    }

    /// Slow heads, slow bodies and slow readers by the hundred; somebody else is served all the while.
    @Test func slowOnesEndAndOthersAreServed() async throws {
        try await TestGateway.run(
            limits: {
                // Longer than a busy machine takes from a connection to what is sent on it.
                $0.firstHead = 4000
                $0.bodyGrace = 4000
                $0.stalledWrite = 4000
            },
            posts: { $0.head.method == .GET ? .stream(8 << 20) : .answer(.ok, [], "done") }
        ) { gateway in
            var slow: [RawClient] = []
            for _ in 0..<30 {
                // One of them that is cut off before it has sent anything was slow as well.
                let head = try await gateway.client()
                try? await head.send("GET / HTTP/1.1\r\nHo")
                let body = try await gateway.client()
                try? await body.send("POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\nx")
                let reader = try await gateway.client(reads: false)
                try? await reader.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\r\n")
                slow += [head, body, reader]
            }
            for _ in 0..<20 {
                #expect(try await gateway.ask("GET", "/health").hasSuffix("OK"))
                #expect(try await gateway.ask("POST", "/api/v1/statuses", "Content-Length: 0").hasSuffix("done"))
            }
            try await eventually("all of them having ended") {
                try await gateway.server.collect { $0.connectionCount }.allSatisfy { $0 == 0 }
            }
            // Their bodies never reached a service, and their answers are no longer made for them.
            try await eventually("no service being held") {
                try await gateway.server.collect { $0.pool(.posts).busy }.allSatisfy { $0 == 0 }
            }
            for client in slow { await client.close() }
        }
    }

    /// What a reader does not take is kept for it, up to a bound, so that the service is free for others.
    @Test func aSlowReaderHoldsNoService() async throws {
        try await TestGateway.run(
            limits: {
                // More than the kernel keeps by itself on loopback.
                $0.answerHold = 32 << 20
                $0.answersHeld = 128 << 20
            },
            posts: { $0.head.uri.contains("large") ? .stream(16 << 20) : .answer(.ok, [], "small") }
        ) { gateway in
            var readers: [RawClient] = []
            for _ in 0..<4 {
                let reader = try await gateway.client(reads: false)
                try await reader.send("GET /api/v1/timelines/public?large HTTP/1.1\r\nHost: a\r\n\r\n")
                readers.append(reader)
            }
            try await eventually("the service being done with them") {
                let busy = try await gateway.server.collect { $0.pool(.posts).busy }
                return gateway.posts.asked.count == 4 && busy.allSatisfy { $0 == 0 }
            }
            #expect(try await gateway.server.collect { $0.connectionCount }.reduce(0, +) == 4)
            for reader in readers { await reader.close() }
            try await eventually("what was kept being let go") {
                try await gateway.server.collect { $0.heldAnswers }.allSatisfy { $0 == 0 }
            }
        }
        try await TestGateway.run(
            limits: {
                $0.answerHold = 32 << 20
                $0.answersHeld = 4 << 20
            },
            posts: { _ in .stream(64 << 20) }
        ) { gateway in
            var readers: [RawClient] = []
            for _ in 0..<8 {
                let reader = try await gateway.client(reads: false)
                try await reader.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\r\n")
                readers.append(reader)
            }
            try await eventually("as much being kept as may be") {
                try await gateway.server.collect { $0.heldAnswers }.contains { $0 >= 4 << 20 }
            }
            // One read more for each, at most.
            let held = try await gateway.server.collect { $0.heldAnswers }
            #expect(held.allSatisfy { $0 < 12 << 20 }, "\(held)")
            for reader in readers { await reader.close() }
        }
    }

    /// Five times what a service can do: it goes on at its pace, and the rest are told soon to come back.
    @Test func overloadIsRefusedAndDoesNotLast() async throws {
        let served = Shared(0)
        try await TestGateway.run(
            limits: {
                $0.upstreamConnections = 4
                $0.upstreamWaiting = 8
            },
            posts: { _ in
                served.value.withLock { $0 += 1 }
                return .later(.milliseconds(20), .answer(.ok, [], "done"))
            }
        ) { gateway in
            let capacity = 24
            let outcomes = try await withThrowingTaskGroup(of: (good: Int, told: Int, other: Int).self) { tasks in
                for _ in 0..<(5 * capacity) {
                    tasks.addTask {
                        var (good, told, other) = (0, 0, 0)
                        let client = try await gateway.client()
                        for _ in 0..<10 {
                            let answer = try await client.ask("GET /api/v1/timelines/public HTTP/1.1\nHost: a\n\n")
                            if answer.hasPrefix("HTTP/1.1 200 ") {
                                good += 1
                            } else if answer.hasPrefix("HTTP/1.1 503 "), answer.lowercased().contains("retry-after") {
                                told += 1
                            } else {
                                other += 1
                            }
                        }
                        await client.close()
                        return (good, told, other)
                    }
                }
                var all = (good: 0, told: 0, other: 0)
                for try await outcome in tasks {
                    all = (all.good + outcome.good, all.told + outcome.told, all.other + outcome.other)
                }
                return all
            }
            #expect(outcomes.other == 0)
            #expect(outcomes.told > 0, "nothing was refused")
            // Nothing that the service did was for nobody.
            #expect(outcomes.good == served.value.withLock { $0 })
            let states = try await gateway.server.collect { $0.pool(.posts).breaker.state }
            #expect(states.allSatisfy { $0 == .closed })
            for _ in 0..<10 {
                #expect(try await gateway.ask("GET", "/api/v1/timelines/public").hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    /// Five times as many requests as the service can do in their time, whether or not earlier ones were answered.
    @Test func underOverloadTheServiceDoesAsMuchAsAlone() async throws {
        let served = Shared(0)
        try await TestGateway.run(
            limits: {
                $0.upstreamConnections = 4
                $0.upstreamWaiting = 8
            },
            posts: { _ in
                served.value.withLock { $0 += 1 }
                return .later(.milliseconds(100), .answer(.ok, [], "done"))
            }
        ) { gateway in
            // On a machine that others use, too, the parts of one round may meet unlike circumstances.
            for round in 1...8 {
                let earlier = try await RoughClientTests.capacity(gateway)
                let before = served.value.withLock { $0 }
                let start = ContinuousClock.now
                let outcomes = try await RoughClientTests.overload(gateway, 5 * earlier)
                let goodput = Double(outcomes.count { $0 == "200" }) / ((ContinuousClock.now - start) / .seconds(1))
                let count = served.value.withLock { $0 } - before
                let capacity = min(earlier, try await RoughClientTests.capacity(gateway))
                let (done, refused) = (outcomes.count { $0 == "200" }, outcomes.count { $0 == "503" })
                #expect(done + refused == outcomes.count)
                #expect(done == count, "something was done for nobody")
                print("L11 \(refused) of \(outcomes.count) refused, goodput \(goodput) of \(capacity) a second")
                if goodput >= 0.8 * capacity, refused > 0 { return }
                #expect(round < 8, "goodput \(goodput), capacity \(capacity), refused \(refused)")
            }
        }
    }

    /// Not after what others wait for.
    @Test func whoFindsNoPlaceIsToldWhileOthersWait() async throws {
        let gate = Gate()
        try await TestGateway.run(
            limits: {
                $0.upstreamConnections = 4
                $0.upstreamWaiting = 8
                $0.upstreamWait = 600_000
                $0.firstByte = 600_000
            },
            posts: { _ in .held(gate, .answer(.ok, [], "done")) }
        ) { gateway in
            let places = try await gateway.server.collect { _ in 4 + 8 }.reduce(0, +)
            let refused = Shared(0)
            let outcomes = try await withThrowingTaskGroup(of: String.self) { tasks in
                for _ in 0..<(5 * places) {
                    tasks.addTask {
                        let status = try await RoughClientTests.ask(gateway.client())
                        if status == "503" { refused.value.withLock { $0 += 1 } }
                        return status
                    }
                }
                try await eventually("all but those who have a place being told") {
                    refused.value.withLock { $0 } >= 4 * places
                }
                gate.open()
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == "200" } + outcomes.count { $0 == "503" } == 5 * places)
            #expect(outcomes.contains("200"))
        }
    }

    /// The status.
    private static func ask(_ client: RawClient) async throws -> String {
        String(try await client.ask("GET /api/v1/timelines/public HTTP/1.1\nHost: a\n\n").dropFirst(9).prefix(3))
    }

    /// Answers a second with as many requests at a time as there are connections to the service.
    private static func capacity(_ gateway: TestGateway) async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask {
                    let client = try await gateway.client()
                    for _ in 0..<10 { _ = try await ask(client) }
                    await client.close()
                }
            }
            try await tasks.waitForAll()
        }
        return 80 / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// A thousand requests, `rate` a second.
    private static func overload(
        _ gateway: TestGateway,
        _ rate: Double
    ) async throws -> [String] {
        let start = ContinuousClock.now
        return try await withThrowingTaskGroup(of: [String].self) { tasks in
            for lane in 0..<100 {
                tasks.addTask {
                    let client = try await gateway.client()
                    var all: [String] = []
                    for turn in 0..<10 {
                        try await Task.sleep(
                            until: start + .seconds(Double(turn * 100 + lane) / rate),
                            clock: .continuous
                        )
                        all.append(try await ask(client))
                    }
                    await client.close()
                    return all
                }
            }
            return try await tasks.reduce(into: []) { $0 += $1 }
        }
    }

    // MARK: One account's share

    @Test func anAccountHasSoManyCostlyRequestsAtOnce() async throws {
        let gate = Gate()
        try await TestGateway.run(
            limits: {
                $0.costlyPatience = 60_000
                $0.firstByte = 60_000
            },
            posts: { asked in
                asked.head.uri.contains("context") ? .held(gate, .answer(.ok, [], "deep")) : .answer(.ok, [], "light")
            }
        ) { gateway in
            var clients: [RawClient] = []
            for _ in 0..<30 {
                let client = try await gateway.client()
                try await client.send(
                    "GET /api/v1/statuses/1/context HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"
                )
                clients.append(client)
            }
            try await eventually("ten of them being asked") {
                gateway.posts.asked("/api/v1/statuses/1/context").count == CostlyRequests.ofAccount
            }
            // What is not costly goes on, and so does everybody else.
            let own = try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9")
            #expect(own.hasSuffix("light"))
            let other = try await gateway.client()
            try await other.send(
                "GET /api/v1/statuses/1/context HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-8-10\r\n\r\n"
            )
            try await eventually("another's being asked") {
                gateway.posts.asked("/api/v1/statuses/1/context").count == CostlyRequests.ofAccount + 1
            }
            gate.open()
            // Whoever waited gets an answer, too: an app that asks for thirty at once notices nothing.
            for client in clients { _ = try await client.text(containing: "deep") }
            for client in clients + [other] { await client.close() }
            #expect(gateway.dependencies.costly.isIdle)
        }
    }

    @Test func whoWaitsForTooLongOrWithTooManyIsTold() async throws {
        let gate = Gate()
        try await TestGateway.run(
            limits: {
                $0.costlyPatience = 100
                $0.firstByte = 60_000
            },
            posts: { _ in
                .held(gate, .answer(.ok, [], "deep"))
            }
        ) { gateway in
            var clients: [RawClient] = []
            for _ in 0..<(CostlyRequests.ofAccount + CostlyRequests.waiting + 5) {
                let client = try await gateway.client()
                try await client.send(
                    "GET /api/v1/statuses/1/context HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"
                )
                clients.append(client)
            }
            let told = clients
            try await eventually("those beyond being told") {
                told.count { $0.text.hasPrefix("HTTP/1.1 429 ") } == CostlyRequests.waiting + 5
            }
            // Who leaves makes room.
            for client in clients { await client.close() }
            try await eventually("nobody being counted any more") { gateway.dependencies.costly.isIdle }
            gate.open()
        }
    }
}
