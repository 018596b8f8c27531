// SPDX-License-Identifier: Apache-2.0
// A session that ends while auth's answer about its token is still under way.

import NIOCore
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct RevocationTests {
    private static let request =
        "GET /api/v1/timelines/home HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"

    /// What `auth` said was true when it said it, and is not any more when it arrives.
    @Test func anAnswerOvertakenByTheRevocationLetsNobodyIn() async throws {
        let gate = Gate()
        try await TestGateway.run(auth: { .held(gate, FakeAuth.answer($0)) }) { gateway in
            var clients: [RawClient] = []
            for _ in 0..<4 {
                let client = try await gateway.client()
                try await client.send(RevocationTests.request)
                clients.append(client)
            }
            try await eventually("auth being asked") { !gateway.auth.asked.isEmpty }
            gateway.feed.take(AuthenticationTests.revocation(9))
            _ = try await gateway.server.collect { $0.connectionCount }
            gate.open()
            for client in clients {
                let answer = try await client.text(containing: "\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer.prefix(60))")
            }
            // Nor is it believed of the next, on any event loop.
            for _ in 0..<8 {
                let next = try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9")
                #expect(next.hasPrefix("HTTP/1.1 401 "), "\(next.prefix(60))")
            }
            #expect(gateway.dependencies.tokens.count == 0, "a revoked token was kept")
            #expect(gateway.posts.asked.isEmpty)
            for client in clients { await client.close() }
        }
    }

    /// The event itself is what ends them: no tick comes, and nobody is asked about a token.
    @Test func everyStreamOfTheSessionEndsAtTheEvent() async throws {
        try await ChatSocketTests.run(limits: { $0.tick = 3_600_000 }) { gateway, _ in
            var (webSockets, events, sockets): ([RawClient], [RawClient], [SocketClient]) = ([], [], [])
            for _ in 0..<34 {
                webSockets.append(try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9"))
                events.append(try await gateway.events("user", token: "good-7-9"))
                sockets.append(try await SocketClient.ready(gateway, "good-7-9"))
            }
            let others = [
                try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-8"),
                try await gateway.events("user", token: "good-7-8"),
                (try await SocketClient.ready(gateway, "good-7-8")).raw,
            ]
            let asked = gateway.auth.asked.count
            gateway.feed.take(AuthenticationTests.revocation(9))
            // What each event loop does next comes after the event: all of them have been told.
            gateway.feed.take(StreamingTests.update(["user:7"], "too late"))
            let left = try await gateway.server.collect { loop in
                let sockets = loop.chat.accounts.values.reduce(0) { $0 + $1.sockets.count }
                return (streams: loop.streams.openCount, sockets: sockets)
            }
            #expect(left.reduce(0) { $0 + $1.streams } == 2 && left.reduce(0) { $0 + $1.sockets } == 1, "\(left)")
            for client in webSockets {
                let bytes = try await client.bytes("the close") { bytes, _ in bytes.suffix(4) == [0x88, 2, 3, 0xF0] }
                #expect(!bytes.contains("too late".utf8))
            }
            for client in events { #expect(!(try await client.untilClosed()).contains("too late")) }
            for client in sockets { try await client.packet(startingWith: "41") }
            for other in others.prefix(2) { _ = try await other.text(containing: "too late") }
            #expect(gateway.auth.asked.count == asked)
            for client in webSockets + events + sockets.map(\.raw) + others { await client.close() }
        }
    }

    /// The link to the broker is lost and back while auth's answer is under way: a revocation may have been missed.
    @Test func anAnswerFromBeforeALossIsNotKept() async throws {
        let gate = Gate()
        try await TestGateway.run(auth: { .held(gate, FakeAuth.answer($0)) }) { gateway in
            let client = try await gateway.client()
            try await client.send(RevocationTests.request)
            try await eventually("auth being asked") { !gateway.auth.asked.isEmpty }
            gateway.feed.link(false)
            gateway.feed.link(true)
            gate.open()
            _ = try await client.text(containing: "\r\n\r\n")
            #expect(gateway.dependencies.tokens.count == 0, "an answer from before the loss was kept")
            await client.close()
        }
    }
}
