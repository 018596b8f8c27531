// SPDX-License-Identifier: Apache-2.0
// A session that ends while auth's answer about its token is still under way.

import NIOCore
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.timeLimit(.minutes(2))) struct RevocationTests {
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
            let counts = try await gateway.server.collect { $0.authenticator.cache.count }
            #expect(counts.allSatisfy { $0 == 0 }, "a revoked token was kept")
            #expect(gateway.posts.asked.isEmpty)
            for client in clients { await client.close() }
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
            _ = try await gateway.server.collect { $0.authenticator.cache.epoch }
            gate.open()
            _ = try await client.text(containing: "\r\n\r\n")
            let counts = try await gateway.server.collect { $0.authenticator.cache.count }
            #expect(counts.allSatisfy { $0 == 0 }, "an answer from before the loss was kept")
            await client.close()
        }
    }
}
