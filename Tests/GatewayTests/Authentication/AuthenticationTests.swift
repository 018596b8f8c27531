// SPDX-License-Identifier: Apache-2.0
// Tokens: asked about once, refused when bad, dropped when revoked.

import Domain
import Events
import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct AuthenticationTests {
    static func revocation(_ session: Int) -> [UInt8] {
        Array(#"{"type":"auth.SessionRevoked.v1","data":{"session_id":"\#(session)","account_id":"7"}}"#.utf8)
    }

    @Test func asksOnceForManyRequests() async throws {
        try await TestGateway.run { gateway in
            let client = try await gateway.client()
            for _ in 0..<5 {
                let answer = try await client.ask(
                    "GET /api/v1/timelines/home HTTP/1.1\nHost: a\nAuthorization: Bearer good-7-9\n\n"
                )
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
            }
            #expect(gateway.auth.asked.count == 1)
            #expect(gateway.posts.asked.allSatisfy { $0.head.headers["x-madang-principal"] == ["signed-7"] })
            await client.close()
        }
    }

    /// Connections are spread over the event loops.
    @Test func asksOnceWhicheverConnectionsItComesBy() async throws {
        try await TestGateway.run { gateway in
            for _ in 0..<8 {
                let answer = try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9")
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
            }
            #expect(gateway.auth.asked.count == 1)
        }
    }

    @Test func asksOnceForRequestsAtTheSameTime() async throws {
        try await TestGateway.run { gateway in
            try await withThrowingTaskGroup(of: String.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask { try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9") }
                }
                for try await answer in tasks { #expect(answer.hasPrefix("HTTP/1.1 200 ")) }
            }
            // Once for each event loop.
            #expect(gateway.auth.asked.count <= 2)
        }
    }

    @Test func refusesABadTokenEverywhere() async throws {
        try await TestGateway.run { gateway in
            let began = ContinuousClock.now
            for path in ["/api/v1/timelines/home", "/api/v1/timelines/public", "/oauth/authorize"] {
                let answer = try await gateway.ask("GET", path, token: "bad")
                #expect(answer.hasPrefix("HTTP/1.1 401 "))
                #expect(answer.contains(#""error":"The access token is invalid""#), "\(answer)")
                #expect(answer.lowercased().contains("www-authenticate: bearer"))
            }
            #expect(gateway.posts.asked.isEmpty)
            // Once while a refusal is believed, however long the three requests take.
            let lives = 1 + Int((ContinuousClock.now - began) / .milliseconds(TokenCache.refusalLife))
            #expect(gateway.auth.asked.count <= lives)
        }
    }

    @Test func otherSchemesAreNotTheGatewaysBusiness() async throws {
        try await TestGateway.run { gateway in
            let answer = try await gateway.ask("POST", "/oauth/token", "Authorization: Basic eDp5", "Content-Length: 0")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(gateway.auth.asked.first?.head.headers["authorization"] == ["Basic eDp5"])
        }
    }

    @Test func theQueryIsNoPlaceForATokenOutsideStreams() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.ask("GET", "/api/v1/timelines/public?access_token=bad")
            #expect(gateway.auth.asked.isEmpty)
            #expect(gateway.posts.asked.count == 1)
        }
    }

    @Test func aRevokedSessionIsRefused() async throws {
        try await TestGateway.run { gateway in
            #expect(
                try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9").hasPrefix("HTTP/1.1 200 ")
            )
            gateway.feed.take(AuthenticationTests.revocation(9))
            // What comes after it on an event loop comes after it: no request is let in any more.
            _ = try await gateway.server.collect { $0.connectionCount }
            for _ in 0..<8 {
                #expect(
                    try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9").hasPrefix("HTTP/1.1 401 ")
                )
            }
            #expect(
                try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-8").hasPrefix("HTTP/1.1 200 ")
            )
        }
    }

    @Test func afterALossOfTheBrokerEverythingIsAskedAgain() async throws {
        try await TestGateway.run { gateway in
            let client = try await gateway.client()
            let request = "GET /api/v1/timelines/home HTTP/1.1\nHost: a\nAuthorization: Bearer good-7-9\n\n"
            _ = try await client.ask(request)
            gateway.feed.link(false)
            gateway.feed.link(true)
            _ = try await client.ask(request)
            #expect(gateway.auth.asked.count == 2)
            await client.close()
        }
    }

    @Test func whenAuthIsDownTokensCannotBeJudged() async throws {
        try await TestGateway.run { gateway in
            try await gateway.auth.stop()
            #expect(
                try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9").hasPrefix("HTTP/1.1 503 ")
            )
            #expect(try await gateway.ask("GET", "/api/v1/timelines/public").hasPrefix("HTTP/1.1 200 "))
        }
    }
}
