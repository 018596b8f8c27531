// SPDX-License-Identifier: Apache-2.0
// The gateway before a real service: both read a request in the same way, whatever it tries.

import Domain
import Logging
import ServiceKit
import ServiceLifecycle
import Support
import Surface
import Testing

@testable import GatewayService
@testable import Web

@Suite(.againstHanging) struct GatewayAndServiceTests {
    /// Runs `body` with a service that answers with the parameters as it reads them.
    private func withService(_ body: @escaping @Sendable (TestGateway) async throws -> Void) async throws {
        let logger = Logger(label: "service") { _ in SwiftLogNoOpLogHandler() }
        let (ports, announce) = AsyncStream<Int>.makeStream()
        let signer = try #require(PrincipalSigner(privateKey: Base64.encoded([UInt8](repeating: 7, count: 32))))
        let echo: Route<Void>.Run = { request, _ in
            let parameters = try request.parameters()
            return .text("a=\(try parameters.string("a") ?? "-") bytes=\(request.body.count) at=\(request.path)")
        }
        let server = WebServer(
            host: "127.0.0.1",
            port: 0,
            responder: Responder(
                routes: [
                    Route(.post("/api/v1/statuses", .anyone), echo),
                    Route(.get("/api/v1/timelines/public", .anyone), echo),
                    Route(.get("/api/v1/accounts/:id", .anyone)) { request, _ in
                        .text("id=\(request.pathParameters["id"] ?? "-")")
                    },
                ],
                dependencies: (),
                deadline: .seconds(60),
                logger: logger
            ),
            verifier: try #require(PrincipalVerifier(publicKey: signer.publicKey)),
            ready: { [:] },
            started: { announce.yield($0) },
            metrics: Metrics(),
            logger: logger
        )
        try await whileRunning([server]) {
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            try await TestGateway.run(postsPort: port, body)
        }
    }

    private func body(_ answer: String) -> String {
        String(answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false).last ?? "")
    }

    /// The last value of a name counts, and the body's before the query's, whoever reads it.
    @Test func whatIsSaidTwiceMeansOneThing() async throws {
        try await withService { gateway in
            let query = try await gateway.ask("GET", "/api/v1/timelines/public?a=1&a=2")
            #expect(body(query).hasPrefix("a=2 "))
            #expect(RequestTarget("/x?a=1&a=2")?.parameter("a") == "2")
            #expect(RequestTarget("/x?a=1&%61=2")?.parameter("a") == "2")
            let escaped = try await gateway.ask("GET", "/api/v1/timelines/public?a=1&%61=2")
            #expect(body(escaped).hasPrefix("a=2 "))
            for (type, text) in [
                ("application/json", #"{"a":"3","a":"4"}"#), ("application/x-www-form-urlencoded", "a=3&a=4"),
            ] {
                let answer = try await gateway.ask(
                    "POST /api/v1/statuses?a=1 HTTP/1.1\nHost: a\nContent-Type: \(type)\n"
                        + "Content-Length: \(text.utf8.count)\n\n\(text)"
                )
                #expect(body(answer) == "a=4 bytes=\(text.utf8.count) at=/api/v1/statuses", "\(answer)")
            }
        }
    }

    @Test(arguments: [
        "text/plain", "application/xml", "text/html; charset=utf-8", "image/png", "application/octet-stream",
        "nonsense", "multipart/mixed; boundary=x", "application/jsonx", "application/json, text/plain",
    ])
    func otherKindsOfBodiesAreRefused(_ type: String) async throws {
        try await withService { gateway in
            let answer = try await gateway.ask(
                "POST /api/v1/statuses HTTP/1.1\nHost: a\nContent-Type: \(type)\nContent-Length: 7\n\n{\"a\":1}"
            )
            #expect(answer.hasPrefix("HTTP/1.1 415 "), "\(answer)")
            #expect(answer.contains("unsupported-media-type"))
        }
    }

    /// What a client can bring about is its own fault, not the service's: nobody else is kept out for it.
    @Test func whatAClientBringsAboutIsNoFailure() async throws {
        try await withService { gateway in
            let high = [UInt8](repeating: 0xC3, count: 7900)
            let fields = (0..<95).map { "X-\($0): \($0)\r\n" }.joined()
            let large = String(repeating: "v", count: 15 << 10)
            let requests: [[UInt8]] = [
                Array("GET /api/v1/timelines/public?a=".utf8) + high + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
                Array("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8),
                Array("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\nX: \(large)\r\n\r\n".utf8),
                Array("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xFF, 0xFE]
                    + Array("\r\n\r\n".utf8),
                Array("POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: \(3 << 19)\r\n\r\n".utf8)
                    + [UInt8](repeating: 0x61, count: 3 << 19),
                Array("POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\n".utf8)
                    + Array("Content-Length: 3\r\n\r\nabc".utf8),
                Array("POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n".utf8)
                    + Array("Content-Length: 1\r\n\r\n{".utf8),
            ]
            for request in requests {
                for _ in 0..<6 {
                    let client = try await gateway.client()
                    try? await client.send(request)
                    let answer = try await client.text(containing: "\r\n\r\n")
                    let status = Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
                    let name = String(decoding: request.prefix(60), as: UTF8.self)
                    #expect((200..<500).contains(status), "\(name): \(answer.prefix(60))")
                    await client.close()
                }
            }
            let states = try await gateway.server.collect { $0.pool(.posts).breaker.state }
            #expect(states.allSatisfy { $0 == .closed })
        }
    }

    /// One request is one request, however it is framed: what follows is answered by itself.
    @Test func nothingHidesBehindARequest() async throws {
        try await withService { gateway in
            let hidden = "GET /api/v1/accounts/666 HTTP/1.1\r\nHost: a\r\n\r\n"
            for request in [
                "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)",
                "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "\(String(hidden.utf8.count, radix: 16))\r\n\(hidden)\r\n0\r\n\r\n",
                "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n",
                "GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)",
            ] {
                let client = try await gateway.client()
                try await client.send(
                    request + "GET /api/v1/accounts/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                )
                let all = try await client.untilClosed()
                #expect(!all.contains("id=666"), "\(request)")
                #expect(all.components(separatedBy: "HTTP/1.1 ").count == 3, "\(all)")
                #expect(all.contains("id=7"), "\(all)")
            }
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
