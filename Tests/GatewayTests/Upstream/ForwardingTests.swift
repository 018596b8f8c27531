// SPDX-License-Identifier: Apache-2.0
// What passes between clients and services, and what the client gets when a service fails.

import NIOCore
import NIOHTTP1
import ServiceKit
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct ForwardingTests {
    @Test func passesRequestAndAnswer() async throws {
        try await TestGateway.run(posts: { asked in
            .answer(.created, [("link", "<x>; rel=next"), ("server", "inner"), ("x-request-id", "theirs")], asked.body)
        }) { gateway in
            let answer = try await gateway.ask(
                "POST /api/v1/statuses?x=1 HTTP/1.1\nHost: madang.test\nContent-Length: 5\nIdempotency-Key: k\n\nhello"
            )
            #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(answer.hasSuffix("\r\n\r\nhello"))
            #expect(answer.contains("link: <x>; rel=next\r\n"))
            #expect(!answer.contains("inner") && !answer.contains("theirs"))
            #expect(answer.contains("X-Request-Id: ") && answer.contains("X-Content-Type-Options: nosniff"))
            let asked = try #require(gateway.posts.asked.first)
            #expect(asked.head.method == .POST && asked.head.uri == "/api/v1/statuses?x=1" && asked.body == "hello")
            #expect(asked.head.headers["idempotency-key"] == ["k"])
        }
    }

    @Test func removesWhatOnlyTheGatewayMaySay() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.ask(
                "GET",
                "/api/v1/timelines/public",
                token: "good-7-9",
                "X-Madang-Principal: forged",
                "x-madang-internal: guess",
                "X-Forwarded-For: 1.2.3.4",
                "X-Forwarded-Proto: gopher",
                "X-Request-Id: mine",
                "Forwarded: for=1.2.3.4",
                "X-Real-IP: 1.2.3.4",
                "X-HTTP-Method-Override: DELETE",
                "Cookie: a=b",
                "Connection: keep-alive, X-Secret",
                "X-Secret: 1",
                "Keep-Alive: 5",
                "TE: trailers",
                "Proxy-Authorization: x",
                "Accept-Language: ko",
                "Upgrade: h2c"
            )
            let asked = try #require(gateway.posts.asked.first)
            let headers = asked.head.headers
            #expect(headers["x-madang-principal"] == ["signed-7"])
            #expect(headers["x-forwarded-for"] == ["127.0.0.1"])
            #expect(headers["x-forwarded-proto"] == ["http"])
            #expect(headers["accept-language"] == ["ko"])
            #expect(headers["x-request-id"].count == 1 && headers["x-request-id"] != ["mine"])
            for name in [
                "x-madang-internal", "forwarded", "x-real-ip", "x-http-method-override", "cookie", "connection",
                "x-secret", "keep-alive", "te", "proxy-authorization", "upgrade", "authorization",
            ] { #expect(!headers.contains(name: name), "\(name)") }
        }
    }

    @Test func withoutTokenThereIsNoPrincipal() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.ask("GET", "/api/v1/timelines/public", "X-Madang-Principal: forged")
            #expect(gateway.posts.asked.first?.head.headers.contains(name: "x-madang-principal") == false)
        }
    }

    @Test func keepsTheTraceOfOutsideWhenItIsOne() async throws {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        try await TestGateway.run { gateway in
            _ = try await gateway.ask("GET", "/api/v1/timelines/public", "traceparent: \(trace)")
            _ = try await gateway.ask("GET", "/api/v1/timelines/public", "traceparent: 00-zz-1-01")
            let traces = gateway.posts.asked.map { $0.head.headers["traceparent"] }
            #expect(traces.first == [trace])
            #expect(traces.last?.count == 1)
            #expect(TraceContext(traceparent: traces.last?.first) != nil)
        }
    }

    @Test func answersHeadWithoutBodyAndKeepsTheConnection() async throws {
        try await TestGateway.run { gateway in
            let client = try await gateway.client()
            try await client.send("HEAD /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try await client.text(containing: "\r\n\r\n")
            #expect(head.contains("Content-Length: 16\r\n") && head.hasSuffix("\r\n\r\n"))
            #expect(gateway.posts.asked.first?.head.method == .GET)
            let next = try await client.ask("GET /health HTTP/1.1\nHost: a\n\n")
            #expect(next.hasSuffix("\r\n\r\nOK"))
            await client.close()
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        try await TestGateway.run(posts: { .answer(.ok, [], $0.head.uri) }) { gateway in
            let client = try await gateway.client()
            var requests = ""
            for index in 0..<20 { requests += "GET /api/v1/statuses/\(index) HTTP/1.1\r\nHost: a\r\n\r\n" }
            try await client.send(requests + "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let all = try await client.untilClosed()
            let found = all.split(separator: "\r\n\r\n").compactMap { part in
                part.firstRange(of: "/api/v1/statuses/").map { part[$0.upperBound...].prefix { $0.isNumber } }
            }
            #expect(found.map(String.init) == (0..<20).map(String.init))
            #expect(all.hasSuffix("OK"))
        }
    }

    @Test func streamsLargeBodiesBothWays() async throws {
        try await TestGateway.run(
            limits: { $0.body = 64 << 20 },
            posts: { $0.head.method == .GET ? .stream(20 << 20) : .answer(.ok, [], "got \($0.bytes)") }
        ) { gateway in
            let client = try await gateway.client()
            try await client.send("GET /api/v1/timelines/home HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let all = try await client.bytes { _, isClosed in isClosed }
            #expect(all.count(where: { $0 == UInt8(ascii: "x") }) >= 20 << 20)
            let up = try await gateway.client()
            try await up.send("POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: \(20 << 20)\r\n\r\n")
            for _ in 0..<20 { try await up.send([UInt8](repeating: 65, count: 1 << 20)) }
            _ = try await up.text(containing: "got \(20 << 20)")
            await up.close()
        }
    }

    @Test func forwardsChunkedBodiesAsChunks() async throws {
        try await TestGateway.run(posts: { .answer(.ok, [], $0.body) }) { gateway in
            let answer = try await gateway.ask(
                "POST /api/v1/statuses HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n"
            )
            #expect(answer.hasSuffix("\r\n\r\nabcde"))
            #expect(gateway.posts.asked.first?.head.headers["transfer-encoding"] == ["chunked"])
        }
    }

    @Test func asksForTheBodyWhenTheClientWaitsForThat() async throws {
        try await TestGateway.run(posts: { .answer(.ok, [], $0.body) }) { gateway in
            let client = try await gateway.client()
            try await client.send(
                "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
            )
            _ = try await client.text(containing: "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("hi")
            _ = try await client.text(containing: "\r\n\r\nhi")
            await client.close()
        }
    }

    // MARK: Failing services

    @Test func aServiceThatIsDownIsAProblemAtOnce() async throws {
        try await TestGateway.run { gateway in
            try await gateway.posts.stop()
            for _ in 0..<20 {
                let answer = try await gateway.ask("GET", "/api/v1/timelines/public")
                #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
                #expect(answer.contains("retry-after: ") || answer.contains("Retry-After: "), "\(answer)")
                #expect(answer.contains(#""error""#))
            }
            let other = try await gateway.ask("GET", "/api/v1/notifications")
            #expect(other.hasPrefix("HTTP/1.1 200 "))
            let states = try await gateway.server.collect { $0.pools.map(\.breaker.state) }
            #expect(states.contains { $0[ServiceName.posts.index] == .open })
        }
    }

    @Test func aServiceThatComesBackIsAskedAgain() async throws {
        try await TestGateway.run { gateway in
            let port = gateway.posts.port
            try await gateway.posts.stop()
            for _ in 0..<12 { _ = try await gateway.ask("GET", "/api/v1/timelines/public") }
            let back = try await FakeService(port: port) { _ in .answer(.ok, [], "back") }
            var answer = ""
            repeat { answer = try await gateway.ask("GET", "/api/v1/timelines/public") } while answer.contains(" 503 ")
            #expect(answer.hasSuffix("back"))
            try await back.stop()
        }
    }

    @Test func aServiceThatSaysNothingTimesOut() async throws {
        try await TestGateway.run(limits: { $0.firstByte = 200 }, posts: { _ in .silence }) { gateway in
            let answer = try await gateway.ask("GET", "/api/v1/timelines/public")
            #expect(answer.hasPrefix("HTTP/1.1 504 "))
        }
    }

    @Test func anAnswerThatBreaksOffEndsTheConnection() async throws {
        try await TestGateway.run(posts: { _ in
            .rawThenClose("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }) { gateway in
            let client = try await gateway.client()
            try await client.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\r\n")
            let all = try await client.untilClosed()
            #expect(all.hasSuffix("half"))
        }
    }

    @Test(arguments: [
        "NONSENSE\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello", "",
    ])
    func anAnswerThatIsNoneIsABadGateway(_ text: String) async throws {
        try await TestGateway.run(posts: { _ in .rawThenClose(text) }) { gateway in
            let answer = try await gateway.ask("POST", "/api/v1/statuses", "Content-Length: 0")
            #expect(answer.hasPrefix("HTTP/1.1 502 "), "\(answer)")
        }
    }

    @Test func anIdleConnectionThatWasClosedIsReplacedUnseen() async throws {
        let isClosing = Shared(false)
        try await TestGateway.run(posts: { asked in
            if isClosing.value.withLock({ closing in
                defer { closing = false }
                return closing
            }) {
                return .close
            }
            return .answer(.ok, [], "fine \(asked.body)")
        }) { gateway in
            let client = try await gateway.client()
            for request in [
                "GET /api/v1/timelines/public HTTP/1.1\nHost: a\n\n",
                "POST /api/v1/statuses HTTP/1.1\nHost: a\nIdempotency-Key: k\nContent-Length: 2\n\nhi",
            ] {
                _ = try await client.ask(request)
                isClosing.value.withLock { $0 = true }
                let answer = try await client.ask(request)
                #expect(answer.contains("fine"), "\(answer)")
            }
            // Without a key nobody knows whether it was done: that is for the client to decide.
            isClosing.value.withLock { $0 = true }
            let answer = try await client.ask("POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 2\n\nhi")
            #expect(answer.hasPrefix("HTTP/1.1 502 "))
            await client.close()
        }
    }

    @Test func aClientThatLeavesTakesItsRequestAlong() async throws {
        try await TestGateway.run(posts: { _ in .silence }) { gateway in
            let client = try await gateway.client()
            try await client.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually { !gateway.posts.asked.isEmpty }
            await client.close()
            try await eventually {
                try await gateway.server.collect { $0.pools[ServiceName.posts.index].connections }.allSatisfy {
                    $0 == 0
                }
            }
        }
    }

    @Test func internalPathsAreNotReachable() async throws {
        try await TestGateway.run { gateway in
            for path in ["/internal/principal", "//internal/statistics", "/metrics", "/x/../internal/principal"] {
                let answer = try await gateway.ask("GET", path)
                #expect(answer.hasPrefix("HTTP/1.1 40"), "\(path) \(answer)")
            }
            #expect(gateway.auth.asked.isEmpty && gateway.posts.asked.isEmpty)
        }
    }
}
