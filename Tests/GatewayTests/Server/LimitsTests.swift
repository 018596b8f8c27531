// SPDX-License-Identifier: Apache-2.0
// Requests that are too much, too slow, or meant to be read in two ways.

import Domain
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct LimitsTests {
    @Test(arguments: [
        "GET / HTTP/1.1\n\n",
        "GET / HTTP/1.1\nHost: a\nHost: b\n\n",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 5\nContent-Length: 6\n\nhello",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 5\nContent-Length: 5\n\nhello",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: -5\n\nhello",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: +5\n\nhello",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 99999999999999999999999\n\nhello",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n\n0\n\n",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nTransfer-Encoding: identity\n\n0\n\n",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nTransfer-Encoding : chunked\n\n0\n\n",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nffffffffffffffffff\n",
        "POST /api/v1/statuses HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nzz\n",
        "POST /api/v1/statuses HTTP/1.0\nHost: a\nTransfer-Encoding: chunked\n\n0\n\n",
        "GET /api/v1/statuses HTTP/1.1\nHost: a\n folded: x\n\n",
        "GET /api/v1/statuses HTTP/1.1\nHost: a\nX: a\u{0}b\n\n",
        "GET /api/v1/statuses HTTP/2.0\nHost: a\n\n",
        "nonsense\n\n",
    ])
    func refusesWhatTwoParsersMightReadDifferently(_ request: String) async throws {
        try await TestGateway.run { gateway in
            let client = try await gateway.client()
            try await client.send(request.replacing("\n", with: "\r\n"))
            let answer = try await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(request) \(answer)")
            #expect(answer.contains("Connection: close\r\n") && answer.contains(#""error""#))
            // What was begun may have reached the service, but never as a whole request.
            #expect(gateway.posts.asked.isEmpty)
        }
    }

    @Test func refusesWhatIsTooLarge() async throws {
        let long = String(repeating: "a", count: 9000)
        let many = (0..<200).map { "X-\($0): 1\n" }.joined()
        let chunk = "1f4\n" + String(repeating: "b", count: 500) + "\n"
        let requests = [
            ("GET /\(long) HTTP/1.1\nHost: a\n\n", "414"),
            ("GET / HTTP/1.1\nHost: a\nX: \(long)\(long)\n\n", "431"),
            ("GET / HTTP/1.1\nHost: a\n\(many)\n", "431"),
            ("POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 1001\n\n", "413"),
            ("POST /api/v1/statuses HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n\(chunk)\(chunk)\(chunk)", "413"),
        ]
        try await TestGateway.run(limits: { $0.body = 1000 }) { gateway in
            for (request, status) in requests {
                let client = try await gateway.client()
                try await client.send(request.replacing("\n", with: "\r\n"))
                let answer = try await client.untilClosed()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(100))")
            }
            #expect(gateway.posts.asked.isEmpty)
        }
    }

    // The limits leave a busy machine the time to send what is sent before they cut off.
    @Test func slowClientsAreCutOff() async throws {
        try await TestGateway.run(limits: {
            $0.firstHead = 1000
        }) { gateway in
            let silent = try await gateway.client()
            #expect(try await silent.untilClosed() == "")
            let dripping = try await gateway.client()
            // On a busy machine it may be cut off before it says anything: then the write fails, as it should.
            try? await dripping.send("GET / HT")
            #expect(try await dripping.untilClosed() == "")
        }
        try await TestGateway.run(limits: {
            $0.idle = 1000
            $0.bodyGrace = 1000
        }) { gateway in
            let body = try await gateway.client()
            try await body.send("POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nh")
            #expect(try await body.untilClosed().hasPrefix("HTTP/1.1 408 "))
            let idle = try await gateway.client()
            _ = try await idle.ask("GET /health HTTP/1.1\nHost: a\n\n")
            #expect(try await idle.untilClosed().hasSuffix("OK"))
        }
    }

    @Test func aClientThatNeverReadsIsCutOffAndHoldsNothingUp() async throws {
        try await TestGateway.run(limits: { $0.stalledWrite = 300 }, posts: { _ in .stream(100 << 20) }) { gateway in
            let client = try await gateway.client(reads: false)
            try await client.send("GET /api/v1/timelines/home HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually { !gateway.posts.asked.isEmpty }
            #expect(try await gateway.ask("GET", "/health").hasSuffix("OK"))
            try await eventually { try await gateway.server.collect { $0.connectionCount }.allSatisfy { $0 == 0 } }
            await client.close()
        }
    }

    @Test func tellsTheBudgetAndRefusesBeyondIt() async throws {
        try await TestGateway.run(
            ["MADANG_RATE_LIMIT_ADDRESS": "2", "MADANG_RATE_LIMIT_ACCOUNT": "1"],
            now: Timestamp.startOfWindow
        ) { gateway in
            let first = try await gateway.ask("GET", "/api/v1/timelines/public", "X-Forwarded-For: 1.1.1.1")
            #expect(first.contains("X-RateLimit-Limit: 2\r\nX-RateLimit-Remaining: 1\r\nX-RateLimit-Reset: 20"))
            _ = try await gateway.ask("GET", "//api/v1/timelines/public/", "X-Forwarded-For: 1.1.1.2")
            let third = try await gateway.ask("GET", "/api/v1/timelines/%70ublic", "X-Forwarded-For: 1.1.1.3")
            #expect(third.hasPrefix("HTTP/1.1 429 "))
            #expect(third.lowercased().contains("retry-after: "))
            #expect(third.contains("X-RateLimit-Remaining: 0\r\n"))
            #expect(gateway.posts.asked.count == 2)
            #expect(try await gateway.ask("GET", "/api/v1/timelines/public", token: "bad").hasPrefix("HTTP/1.1 429 "))
            #expect(gateway.auth.asked.isEmpty)
            #expect(try await gateway.ask("GET", "/health").hasSuffix("OK"))
        }
    }

    @Test func signUpsHaveABudgetOfTheirOwn() async throws {
        try await TestGateway.run(["MADANG_RATE_LIMIT_SIGN_UP": "1"], now: Timestamp.startOfWindow) { gateway in
            #expect(try await gateway.ask("POST", "/api/v1/accounts", "Content-Length: 0").hasPrefix("HTTP/1.1 200 "))
            for alias in ["/api/v1/accounts", "//api/v1/accounts", "/api/v1/accounts/", "/api/v1/%61ccounts"] {
                let answer = try await gateway.ask("POST", alias, "Content-Length: 0")
                #expect(answer.hasPrefix("HTTP/1.1 429 "), "\(alias)")
            }
            #expect(try await gateway.ask("GET", "/api/v1/timelines/public").hasPrefix("HTTP/1.1 200 "))
        }
    }
}
