// SPDX-License-Identifier: Apache-2.0
// The stop of a gateway, and of a service behind it, as clients that keep their connections feel it: not at all.

import NIOHTTP1
import Support
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct StopTests {
    private static let request = "GET /health HTTP/1.1\nHost: a\n\n"

    private static func saysItEnds(_ answer: String) -> Bool {
        answer.lowercased().contains("\r\nconnection: close\r\n")
    }

    /// The listener is closed and the drain has begun, and only then the requests come.
    @Test func aRequestThatCrossesTheStopIsAnswered() async throws {
        try await TestGateway.run(limits: { ($0.idle, $0.idleGrace) = (600_000, 600_000) }) { gateway in
            var clients: [RawClient] = []
            for _ in 0..<40 {
                let client = try await gateway.client()
                let answer = try await client.ask(StopTests.request)
                #expect(answer.hasSuffix("OK") && !StopTests.saysItEnds(answer))
                clients.append(client)
            }
            gateway.stop()
            try await eventually("the drain") { try await gateway.server.collect { $0.isDraining } == [true, true] }
            var lost = 0
            for client in clients {
                guard let answer = try? await client.ask(StopTests.request), answer.hasSuffix("OK") else {
                    lost += 1
                    continue
                }
                #expect(StopTests.saysItEnds(answer), "\(answer)")
                #expect(try await client.untilClosed().hasSuffix(answer))
            }
            #expect(lost == 0)
        }
    }

    @Test func whoIsNotReadySaysSoInEveryAnswer() async throws {
        let gate = Gate()
        try await TestGateway.run(posts: { asked in
            asked.head.uri.contains("context") ? .held(gate, .answer(.ok, [], "deep")) : .answer(.ok, [], "light")
        }) { gateway in
            let underWay = try await gateway.client()
            try await underWay.send("GET /api/v1/statuses/1/context HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually("the service being asked") { gateway.posts.asked.count == 1 }
            gateway.dependencies.isStopping.store(true, ordering: .releasing)
            for target in ["/health", "/health/ready", "/api/v1/timelines/public", "/nowhere", "/api/v1/streaming"] {
                // A new connection is still taken.
                let client = try await gateway.client()
                let answer = try await client.ask("GET \(target) HTTP/1.1\nHost: a\n\n")
                #expect(answer.hasPrefix("HTTP/1.1 ") && StopTests.saysItEnds(answer), "\(target): \(answer)")
                #expect(try await client.untilClosed() == answer)
            }
            gate.open()
            let answer = try await underWay.text(containing: "deep")
            #expect(StopTests.saysItEnds(answer), "\(answer)")
            _ = try await underWay.untilClosed()
        }
    }

    @Test func nobodyWaitsForIdleOnesForEver() async throws {
        try await TestGateway.run(limits: { $0.idleGrace = 100 }) { gateway in
            let used = try await gateway.client()
            _ = try await used.ask(StopTests.request)
            let unused = try await gateway.client()
            try await eventually("both being known") {
                try await gateway.server.collect { $0.connectionCount }.reduce(0, +) == 2
            }
            gateway.stop()
            #expect(try await used.untilClosed().hasSuffix("OK"))
            #expect(try await unused.untilClosed().isEmpty)
        }
    }

    // MARK: A service that stops

    @Test func whatMustNotBeSentTwiceNeedsAConnectionInUse() async throws {
        try await TestGateway.run(limits: { $0.upstreamReuse = 0 }) { gateway in
            let client = try await gateway.client()
            let write = "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 0\n"
            for _ in 0..<3 { #expect(try await client.ask(write + "\n").hasPrefix("HTTP/1.1 200 ")) }
            #expect(gateway.posts.connectionCount == 3)
            // What may be repeated goes over whatever there is.
            _ = try await client.ask(write + "Idempotency-Key: k\n\n")
            _ = try await client.ask("GET /api/v1/timelines/public HTTP/1.1\nHost: a\n\n")
            #expect(gateway.posts.connectionCount == 3)
            await client.close()
        }
        try await TestGateway.run(limits: { $0.upstreamReuse = 60_000 }) { gateway in
            let client = try await gateway.client()
            for _ in 0..<3 {
                _ = try await client.ask("POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 0\n\n")
            }
            #expect(gateway.posts.connectionCount == 1)
            await client.close()
        }
    }

    @Test func aProcessThatSaysItStopsIsAskedLast() async throws {
        let stopping = try await FakeService { _ in .answer(.ok, [("connection", "close")], "stopping") }
        let staying = try await FakeService { _ in .answer(.ok, [], "staying") }
        let urls = "http://127.0.0.1:\(stopping.port),http://127.0.0.1:\(staying.port)"
        try await TestGateway.run(
            limits: {
                $0.shunning = 600_000; $0.upstreamReuse = 0
            },
            postsURL: urls
        ) { gateway in
            let client = try await gateway.client()
            // Each over a connection of its own.
            for _ in 0..<20 {
                _ = try await client.ask("POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 0\n\n")
            }
            #expect(stopping.asked.count <= 1)
            // Alone it is still asked.
            try await staying.stop()
            for _ in 0..<3 {
                let answer = try await client.ask("GET /api/v1/timelines/public HTTP/1.1\nHost: a\n\n")
                #expect(answer.hasSuffix("stopping"), "\(answer)")
            }
            await client.close()
        }
        try await stopping.stop()
    }
}
