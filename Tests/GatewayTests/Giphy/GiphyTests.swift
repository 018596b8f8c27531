// SPDX-License-Identifier: Apache-2.0
// GIPHY's API at the gateway.

import BuddyBuddy
import Domain
import Foundation
import Giphy
import NIOCore
import NIOHTTP1
import Support
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct GiphyTests {
    private static let good = #"{"data":[],"meta":{"status":200,"msg":"OK","response_id":"x"}}"#

    private func run(
        _ media: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour = { _ in .answer(.ok, [], good) },
        _ environment: [String: String] = [:],
        _ body: @Sendable @escaping (TestGateway) async throws -> Void
    ) async throws {
        try await TestGateway.run(environment, others: media, now: Timestamp.startOfWindow, body)
    }

    private static func failure(_ status: Int, _ text: String) -> AppAnswer {
        AppAnswer(status, #"{"data":[],"meta":{"status":\#(status),"msg":"\#(text)","response_id":""}}"#)
    }

    /// Each path with what media is asked for it.
    @Test func asksMediaAndPassesItsBytesOn() async throws {
        let asked = [
            (
                "/v1/gifs/search?api_key=k%20k&q=angry+cat&limit=5&offset=10&rating=g&lang=ko&bundle=x",
                "search?kind=gif&q=angry%20cat&limit=5&offset=10&rating=g&lang=ko&api_key=k%20k"
            ),
            ("/v1/stickers/search?q=%EA%B3%A0%EC%96%91%EC%9D%B4", "search?kind=sticker&q=%EA%B3%A0%EC%96%91%EC%9D%B4"),
            ("/v1/text/search?q=a%26b%23", "search?kind=text&q=a%26b%23"),
            ("/v1/gifs/trending?limit=2", "trending?kind=gif&limit=2"),
            ("/v1/stickers/trending", "trending?kind=sticker"),
            ("/v1/text/trending", "trending?kind=text"), ("/v1/gifs/random?tag=cat", "random?kind=gif&tag=cat"),
            ("/v1/gifs/translate?s=hi&weirdness=3", "translate?kind=gif&s=hi&weirdness=3"),
            ("/v1/gifs/related?gif_id=7", "related?kind=gif&gif_id=7"), ("/v1/gifs/categories", "categories?kind=gif"),
            ("/v1/gifs/categories/film%20%26%20tv", "categories/film%20%26%20tv?kind=gif"),
            ("/v1/gifs/categories/animals/cats", "categories/animals/cats?kind=gif"),
            ("/v1/gifs/search/tags?q=c", "tags?kind=gif&q=c"),
            ("/v1/tags/related/cat%2F..", "tags/cat%2F%2E%2E?kind=gif"),
            ("/v1/trending/searches", "searches?kind=gif"), ("/v1/gifs/7", "7?kind=gif"),
            ("/v1/gifs/3o7abKhOpu0NwenH3O", "3o7abKhOpu0NwenH3O?kind=gif"),
            ("/v1/gifs/klipy-gifs-hello_1", "klipy-gifs-hello_1?kind=gif"),
        ]
        try await run { gateway in
            for (path, expected) in asked {
                let answer = try await gateway.ask("GET", path)
                #expect(AppAnswer(answer) == AppAnswer(200, GiphyTests.good), "\(path)")
                #expect(gateway.media.asked.last?.head.uri == "/api/v1/gifs/\(expected)", "\(path)")
                let isOpen = !path.contains("/random") && !path.contains("/translate")
                #expect(
                    answer.contains("Cache-Control: \(isOpen ? "public, max-age=300" : "no-store")\r\n"),
                    "\(path): \(answer)"
                )
            }
            _ = try await gateway.ask("GET", "/v1/gifs?ids=1,2")
            #expect(gateway.media.asked.last?.head.uri == "/api/v1/gifs?kind=gif&ids=1%2C2")
            #expect(gateway.media.asked.allSatisfy { $0.head.headers["x-madang-principal"].isEmpty })
        }
    }

    @Test func failuresHaveItsForm() async throws {
        let failing: @Sendable (FakeService.Asked) -> FakeService.Behaviour = { asked in
            let code = Int(asked.head.uri.split(separator: "=").last ?? "") ?? 200
            return .answer(HTTPResponseStatus(statusCode: code), [("retry-after", "3")], #"{"error":"x"}"#)
        }
        try await run(failing) { gateway in
            for (status, told, text) in [
                (400, 400, "Bad Request"), (401, 401, "Unauthorized"), (403, 403, "Forbidden"), (404, 404, "Not Found"),
                (414, 414, "URI Too Long"), (422, 400, "Bad Request"), (429, 429, "Too Many Requests"),
                (500, 500, "Internal Server Error"),
            ] {
                let answer = try await gateway.ask("GET", "/v1/gifs/search?q=\(status)")
                #expect(AppAnswer(answer) == GiphyTests.failure(told, text), "\(status)")
                #expect(answer.contains("Retry-After: 3\r\n"))
            }
            for (method, path, status, text) in [
                ("GET", "/v1/gifs/x/y", 404, "Not Found"), ("GET", "/v1/gifs/favourites", 404, "Not Found"),
                ("GET", "/v1/gifs/12x%2Fmedia", 404, "Not Found"),
                ("GET", "/v1/gifs/collections", 404, "Not Found"), ("GET", "/v1/gifs/searches", 404, "Not Found"),
                ("GET", "/v1/stickers", 404, "Not Found"),
                ("POST", "/v1/gifs/search", 405, "Method Not Allowed"),
                ("GET", "/v1/trending/searches/x", 404, "Not Found"),
            ] {
                let answer = try await gateway.ask(method, path, "Content-Length: 0")
                #expect(AppAnswer(answer) == GiphyTests.failure(status, text), "\(path)")
            }
        }
    }

    /// The budget of the address holds for it, in its words.
    @Test func tooManyAreRefusedInItsForm() async throws {
        try await run({ _ in .answer(.ok, [], GiphyTests.good) }, ["MADANG_RATE_LIMIT_ADDRESS": "1"]) { gateway in
            _ = try await gateway.ask("GET", "/v1/gifs/trending")
            let answer = try await gateway.ask("GET", "/v1/gifs/trending")
            #expect(AppAnswer(answer) == GiphyTests.failure(429, "Too Many Requests"))
            #expect(answer.contains("Retry-After: "))
        }
    }

    @Test func namesAreRandom() async throws {
        try await run { gateway in
            let first = AppAnswer(try await gateway.ask("GET", "/v1/randomid"))
            let second = AppAnswer(try await gateway.ask("GET", "/v1/randomid"))
            #expect(first.status == 200 && first != second)
            #expect(first.body.contains(/^{"data":{"random_id":"[0-9a-f]{32}"},"meta":{"status":200,/))
            #expect(gateway.media.asked.isEmpty)
        }
    }

    /// Two lodgers share `/v1`.
    @Test func leavesToOthersWhatIsTheirs() async throws {
        let (giphy, buddy) = (GiphyDialect(), BuddyBuddyDialect())
        for path in [
            "/v1/gifs", "/v1/gifs/", "/v1/gifs/1/2/3", "/v1/stickers/x", "/v1/text/search", "/v1/randomid",
            "/v1/trending/searches", "/v1/tags/related/cat",
        ] { #expect(giphy.owns(path), "\(path)") }
        for path in [
            "/v1", "/v1/", "/v1/users/me", "/v1/gifsx", "/v1/trending", "/v1/tags", "/v1/trendings/searches",
            "/v2/gifs",
            "/api/v1/gifs", "/v1/workspaces/1/gifs",
        ] { #expect(!giphy.owns(path), "\(path)") }
        #expect(buddy.routes.allSatisfy { !giphy.owns($0.path) } && giphy.routes.allSatisfy { giphy.owns($0.path) })
        try await run { gateway in
            let other = AppAnswer(try await gateway.ask("GET", "/v1/nothing"))
            #expect(other.status == 404 && other.body.contains(#""errorCode":"E13""#), "\(other)")
        }
    }
}
