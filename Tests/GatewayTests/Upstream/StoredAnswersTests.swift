// SPDX-License-Identifier: Apache-2.0
// Answers that are passed on again when their service says that they still hold.

import NIOHTTP1
import Support
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct StoredAnswersTests {
    /// What a service has at a moment, which it tags and gives to nobody twice.
    private final class Shelf: Sendable {
        private let text: Mutex<String>

        init(_ text: String) { self.text = Mutex(text) }

        func put(_ new: String) { text.withLock { $0 = new } }

        static func tag(_ text: String) -> String { "\"\(text.prefix(8))\"" }

        @Sendable func answer(_ asked: FakeService.Asked) -> FakeService.Behaviour {
            let text = text.withLock { $0 }
            let fields = [("etag", Shelf.tag(text)), ("link", "<x>; rel=\"next\""), ("content-type", "text/plain")]
            if asked.head.headers["if-none-match"].contains(Shelf.tag(text)) {
                return .answer(.notModified, [("etag", Shelf.tag(text))], "")
            }
            return .answer(.ok, fields, text)
        }
    }

    private static let path = "/api/v1/timelines/home"

    private func body(_ answer: String) -> Substring {
        answer.ranges(of: "\r\n\r\n").first.map { answer[$0.upperBound...] } ?? ""
    }

    /// What the service was told we have, request by request.
    private func told(_ gateway: TestGateway) -> [[String]] {
        gateway.posts.asked.map { $0.head.headers["if-none-match"] }
    }

    /// What differs from answer to answer for other reasons.
    private func steady(_ answer: String) -> [Substring] {
        answer.split(separator: "\r\n").filter { !$0.hasPrefix("X-Request-Id") && !$0.hasPrefix("Date") }
    }

    @Test(arguments: [12, 100_000]) func whatHoldsTravelsOnce(size: Int) async throws {
        let text = String(repeating: "0123456789", count: size / 10)
        let shelf = Shelf(text)
        try await TestGateway.run(posts: shelf.answer) { gateway in
            let first = try await gateway.ask("GET", Self.path, token: "good-7-9")
            let second = try await gateway.ask("GET", Self.path, token: "good-7-9")
            #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n") && body(first) == text)
            #expect(steady(second) == steady(first))
            #expect(
                second.contains("link: <x>; rel=\"next\"\r\n") && second.contains("Cache-Control: private, no-store")
            )
            shelf.put("another text")
            #expect(body(try await gateway.ask("GET", Self.path, token: "good-7-9")) == "another text")
            // Sent once more, as every connection that rested is gone.
            await gateway.posts.dropConnections()
            #expect(body(try await gateway.ask("GET", Self.path, token: "good-7-9")) == "another text")
            let last = gateway.posts.asked.last?.head.headers["if-none-match"]
            #expect(told(gateway).prefix(3) == [[], [Shelf.tag(text)], [Shelf.tag(text)]])
            #expect(last == [Shelf.tag("another text")])
        }
    }

    @Test func whatIsAskedForOtherwiseIsNotOffered() async throws {
        try await TestGateway.run(posts: Shelf("text").answer) { gateway in
            _ = try await gateway.ask("GET", Self.path, token: "good-7-9")
            for (path, token) in [(Self.path, "good-8-9"), (Self.path + "?limit=1", "good-7-9")] {
                #expect(body(try await gateway.ask("GET", path, token: token)) == "text")
            }
            #expect(body(try await gateway.ask("GET", "/api/v1/timelines/public")) == "text")
            #expect(try await gateway.ask("HEAD", Self.path, token: "good-7-9").hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(told(gateway) == [[], [], [], [], []])
        }
    }

    @Test(arguments: ["If-None-Match: \"text\"", "if-none-match: \"text\", \"other\""])
    func whoHasItHears(field: String) async throws {
        try await TestGateway.run(posts: { asked in
            let isHad = asked.head.headers["if-none-match"].joined().contains("\"text\"")
            return isHad
                ? .answer(.notModified, [("etag", "\"text\"")], "") : .answer(.ok, [("etag", "\"text\"")], "text")
        }) { gateway in
            for _ in 0..<2 {
                let answer = try await gateway.ask("GET", Self.path, token: "good-7-9", field)
                #expect(answer.hasPrefix("HTTP/1.1 304 Not Modified\r\n") && answer.contains("etag: \"text\"\r\n"))
                #expect(body(answer).isEmpty && !answer.contains("Content-Length"))
                #expect(body(try await gateway.ask("GET", Self.path, token: "good-7-9")) == "text")
            }
            #expect(try await gateway.ask("GET", Self.path, token: "good-7-9", "Range: bytes=0-1").hasSuffix("text"))
            let value = String(field.drop { $0 != ":" }.dropFirst(2))
            #expect(told(gateway) == [[value], [], [value], ["\"text\""], []])
        }
    }

    @Test(arguments: [
        FakeService.Behaviour.answer(.ok, [], "no tag"), .answer(.ok, [("etag", "W/\"weak\"")], "weak"),
        .answer(.notFound, [("etag", "\"a\"")], "{}"), .answer(.ok, [("etag", "\"a\"")], ""),
        .answer(.ok, [("etag", "\"a\"")], String(repeating: "x", count: StoredAnswers.mostBody + 1)),
        .raw("HTTP/1.1 200 OK\r\netag: \"a\"\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
        .rawThenClose("HTTP/1.1 200 OK\r\netag: \"a\"\r\ncontent-length: 10\r\n\r\ncut off"),
    ])
    func whatCannotBeSaidAgainIsNotKept(behaviour: FakeService.Behaviour) async throws {
        try await TestGateway.run(posts: { _ in behaviour }) { gateway in
            for _ in 0..<2 { _ = try? await gateway.ask("GET", Self.path, token: "good-7-9") }
            #expect(told(gateway) == [[], []])
        }
    }

    @Test func othersAnswersAreNotKept() async throws {
        let tagged = { @Sendable (_: FakeService.Asked) in FakeService.Behaviour.answer(.ok, [("etag", "\"a\"")], "x") }
        try await TestGateway.run(posts: tagged, others: tagged) { gateway in
            for _ in 0..<2 {
                let request =
                    "POST /api/v1/statuses HTTP/1.1\nHost: a\nAuthorization: Bearer good-7-9\nContent-Length: 1\n\nx"
                _ = try await gateway.ask(request)
                _ = try await gateway.ask("GET", "/media/0123456789abcdef0123456789abcdef.png")
            }
            #expect(told(gateway) == [[], []])
            #expect(gateway.media.asked.allSatisfy { !$0.head.headers.contains(name: "if-none-match") })
        }
    }

    @Test func whatIsKeptIsBounded() async throws {
        let text = String(repeating: "x", count: 1000)
        try await TestGateway.run(limits: { $0.storedAnswers = 8000 }, posts: Shelf(text).answer) { gateway in
            for number in 1...20 { _ = try await gateway.ask("GET", Self.path + "?limit=\(number)", token: "good-7-9") }
            for number in [20, 1] {
                #expect(body(try await gateway.ask("GET", Self.path + "?limit=\(number)", token: "good-7-9")) == text)
            }
            #expect(told(gateway).suffix(2) == [[Shelf.tag(text)], []])
        }
    }
}
