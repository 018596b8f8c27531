// SPDX-License-Identifier: Apache-2.0
// What the gateway does for a dialect, and that it knows none.

import Foundation
import NIOCore
import NIOHTTP1
import Support
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct DialectTests {
    @Test func answersInItsOwnWords() async throws {
        try await TestGateway.run(
            posts: { asked in
                asked.head.uri == "/api/v1/gifs/7" ? .answer(.ok, [], "cat") : .answer(.notFound, [], "{}")
            },
            dialects: [GifDialect()]
        ) { gateway in
            let found = try await gateway.ask("GET", "/gifs/v1/7?lang=ko")
            #expect(AppAnswer(found) == AppAnswer(200, #"{"data":{"title":"cat"},"meta":{"status":200,"msg":"OK"}}"#))
            #expect(found.contains("\r\nX-Gifs: OK\r\n") && found.contains("\r\nX-Request-Id: "))
            let asked = try #require(gateway.posts.asked.first)
            #expect(asked.head.headers["x-madang-principal"].isEmpty)
            #expect(asked.head.headers["x-forwarded-for"] == ["127.0.0.1"])
            let missing = try await gateway.ask("GET", "/gifs/v1/8")
            #expect(AppAnswer(missing) == AppAnswer(404, #"{"meta":{"status":404,"msg":"Not Found"}}"#))
        }
    }

    @Test func itsProblemsLookItsWayOnItsPathsOnly() async throws {
        let wrong: [(method: String, path: String, length: Int, body: String)] = [
            ("GET", "/gifs/v2", 0, #"{"meta":{"status":404,"msg":"not-found"}}"#),
            ("PUT", "/gifs/v1/7", 0, #"{"meta":{"status":405,"msg":"method-not-allowed"}}"#),
            ("POST", "/gifs/v1/7/repeat", 70_000, #"{"meta":{"status":413,"msg":"body-too-large"}}"#),
            ("POST", "/gifs/v1/7/repeat", 0, #"{"meta":{"status":401,"msg":"invalid-token"}}"#),
            ("POST", "/gifs/v1/7/repeat?api_key=bad", 0, #"{"meta":{"status":401,"msg":"invalid-token"}}"#),
        ]
        try await TestGateway.run(dialects: [GifDialect()]) { gateway in
            for (method, path, length, body) in wrong {
                let answer = AppAnswer(try await gateway.ask(method, path, "Content-Length: \(length)"))
                #expect(answer.body == body)
            }
            // Elsewhere they look as ever, also where another lodger would answer who is not here.
            for path in ["/api/v2/nothing", "/v1/workspaces"] {
                let answer = AppAnswer(try await gateway.ask("GET", path))
                #expect(answer.body.contains(#""code":"not-found""#))
            }
        }
    }

    @Test func asksForTheCallerAFewTimesOnly() async throws {
        try await TestGateway.run(dialects: [GifDialect()]) { gateway in
            let done = try await gateway.ask("POST", "/gifs/v1/7/repeat?times=6&api_key=good-7-9", "Content-Length: 0")
            #expect(AppAnswer(done).status == 201)
            #expect(gateway.chat.asked.map(\.body) == (0..<6).map { #"{"n":\#($0)}"# })
            #expect(gateway.chat.asked.allSatisfy { $0.head.headers["x-madang-principal"] == ["signed-7"] })
            let many = try await gateway.ask("POST", "/gifs/v1/7/repeat?times=7&api_key=good-7-9", "Content-Length: 0")
            #expect(AppAnswer(many) == AppAnswer(502, #"{"meta":{"status":502,"msg":"bad-gateway"}}"#))
            #expect(gateway.chat.asked.count == 12)
        }
    }

    @Test func asksNothingMoreForWhoHasLeft() async throws {
        let gate = Gate()
        let endings = Endings()
        try await TestGateway.run(
            chat: { _ in .held(gate, .answer(.ok, [], "{}")) },
            dialects: [GifDialect(ended: { endings.note($0) })]
        ) { gateway in
            let client = try await gateway.client()
            try await client.send(
                "POST /gifs/v1/7/repeat?times=3&api_key=good-7-9 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
            )
            try await eventually("the service asked") { gateway.chat.asked.count == 1 }
            await client.close()
            try await eventually("the connection gone") {
                try await gateway.server.collect { $0.connectionCount }.allSatisfy { $0 == 0 }
            }
            gate.open()
            try await eventually("the work ended") { endings.all == ["CancellationError()"] }
            #expect(gateway.chat.asked.count == 1)
        }
    }

    /// A dialect is named by itself, by who puts it together with the gateway, and by nobody else.
    @Test func theGatewayKnowsNoDialect() throws {
        let root = repositoryRoot.appending(path: "Services/Gateway")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        let own = paths.filter { path in
            !["BuddyBuddy/", "Giphy/", "Executable/main.swift"].contains { path.hasPrefix($0) }
        }
        #expect(own.count > 50)
        for path in own {
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8).lowercased()
            for name in ["buddy", "sesac", "/ws-", "giphy"] {
                #expect(!text.contains(name), "\(path) knows \(name)")
            }
        }
    }
}

private final class Endings: Sendable {
    private let errors = Mutex<[String]>([])

    var all: [String] { errors.withLock { $0 } }

    func note(_ error: any Error) { errors.withLock { $0.append("\(error)") } }
}
