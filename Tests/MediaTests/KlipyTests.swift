// SPDX-License-Identifier: Apache-2.0
// KLIPY behind the catalogue of GIFs, in GIPHY's form.

import Domain
import Foundation
import HTTPTypes
import Logging
import Support
import Synchronization
import Testing
import Web

@testable import MediaService

@Suite struct KlipyTests {
    /// In the form of https://docs.klipy.com/gifs-api.
    private static func item(_ slug: String, _ type: String = "gif") -> String {
        func file(_ format: String, _ size: String, _ width: Int, _ bytes: Int) -> String {
            #""\#(format)":{"url":"https://static.klipy.com/\#(slug)/\#(size).\#(format)","width":\#(width),"height":\#(width / 2),"size":\#(bytes)}"#
        }
        func files(_ size: String, _ width: Int, _ bytes: Int) -> String {
            let films = type == "sticker" ? [] : [file("mp4", size, width, bytes / 10)]
            let all = [
                file("gif", size, width, bytes), file("webp", size, width, bytes / 2), file("jpg", size, width, 900),
            ]
            return #""\#(size)":{\#((all + films).joined(separator: ","))}"#
        }
        let sizes = [
            files("hd", 498, 4_001_918), files("md", 640, 6_721_260), files("sm", 220, 314_884),
            files("xs", 90, 71_468),
        ]
        return #"""
            {"id":8041071659142944,"slug":"\#(slug)","title":"Title of \#(slug)","file":{\#(sizes.joined(separator: ","))},\#
            "tags":["hello"],"type":"\#(type)","blur_preview":"data:image/jpeg;base64,/9j/"}
            """#
    }

    private static func answer(_ path: String, count: Int) -> String {
        let parameters = FakeGiphy.parameters(path)
        let type = path.contains("/stickers/") ? "sticker" : "gif"
        if let slugs = parameters["slugs"] {
            let items = slugs.split(separator: ",").filter { $0.hasPrefix("hello") }.map { item(String($0), type) }
            return #"{"result":true,"data":{"data":[\#(items.joined(separator: ","))]}}"#
        }
        let (page, size) = (Int(parameters["page"] ?? "") ?? 1, Int(parameters["per_page"] ?? "") ?? 24)
        let all = (0..<count).map { item("hello-\($0)", type) }
        let items = all.dropFirst((page - 1) * size).prefix(size)
        return #"""
            {"result":true,"data":{"data":[\#(items.joined(separator: ","))],"current_page":\#(page),"per_page":\#(size),\#
            "has_next":\#(page * size < count)}}
            """#
    }

    private func run(
        _ count: Int = 120,
        _ body: @Sendable (MediaWorld, FakeGiphy) async throws -> Void
    ) async throws {
        let klipy = try FakeGiphy()
        klipy.instead { $0.answer(type: "application/json", KlipyTests.answer($0.path, count: count)) }
        defer { klipy.close() }
        try await MediaWorld.runGifs { world in try await body(world.asking([klipy.provider(.klipy)]), klipy) }
    }

    @Test func anItemIsAsAgreed() async throws {
        try await run { world, _ in
            let page = try await world.gifs("/search", "q=hello&limit=1&rating=pg")
            let shown = try #require(page.data.first)
            #expect(shown.id == "klipy-gifs-hello-0" && shown.rating == "pg")
            for name in ["original", "preview_gif", "fixed_width", "fixed_height", "downsized", "original_mp4"] {
                let picture = try #require(shown.images[name], "\(name)")
                #expect(Int(picture.width) ?? 0 > 0 && Int(picture.height) ?? 0 > 0 && Int(picture.size) ?? 0 > 0)
            }
            #expect(shown.images["original"]?.url == "https://static.klipy.com/hello-0/md.gif")
            #expect(shown.images["downsized"]?.url == "https://static.klipy.com/hello-0/sm.gif")
            #expect(shown.images["downsized_medium"]?.url == "https://static.klipy.com/hello-0/hd.gif")
            #expect(shown.images["fixed_width"]?.width == "220" && shown.images["fixed_width_small"]?.width == "90")
            let answer = try await world.send(.get, "/api/v1/gifs/klipy-gifs-hello-0", as: nil)
            try expectGolden("media/klipy", answer.text + "\n")
        }
    }

    @Test func pagesGoOnBehindOnesOwn() async throws {
        try await run { world, klipy in
            let own = try await "\(world.gif("hello"))"
            var seen: [String] = []
            var total = 1
            while seen.count < total {
                let page = try await world.gifs("/search", "q=hello&limit=32&offset=\(seen.count)")
                guard !page.data.isEmpty else { break }
                seen += page.ids
                total = try #require(page.pagination).total_count
            }
            #expect(seen == [own] + (0..<120).map { "klipy-gifs-hello-\($0)" } && total == 121)
            let expected = (1...3).map { page in
                "/api/v1/\(FakeGiphy.key)/gifs/search?q=hello&page=\(page)&per_page=50&content_filter=off&format_filter=gif%2Cwebp%2Cjpg%2Cmp4"
            }
            #expect(klipy.asked == expected)
        }
    }

    @Test func theirsAreFoundAgainAndKept() async throws {
        try await run { world, klipy in
            for id in ["klipy-gifs-hello-7", "klipy-stickers-hello_8"] {
                #expect(try await world.one("/\(id)").id == id)
                #expect(try await world.send(.post, "/api/v1/gifs/favourites/\(id)").status == .ok)
            }
            #expect(try await world.one("/klipy-stickers-hello_8").type == "sticker")
            #expect(
                klipy.asked.map { $0.split(separator: "&")[0] } == [
                    "/api/v1/\(FakeGiphy.key)/gifs/items?slugs=hello-7",
                    "/api/v1/\(FakeGiphy.key)/stickers/items?slugs=hello_8",
                ]
            )
            let page = try await world.gifs(
                "",
                "ids=klipy-gifs-hello-1,klipy-gifs-none,klipy-gifs-hello-2,klipy-stickers-hello-3"
            )
            #expect(page.ids == ["klipy-gifs-hello-1", "klipy-gifs-hello-2", "klipy-stickers-hello-3"])
            #expect(klipy.asked.count == 4)
            // Ids of others are nobody's here.
            for id in ["catx1", "klipy-clips-hello-1"] {
                #expect(try await world.send(.get, "/api/v1/gifs/\(id)", as: nil).status == .notFound)
            }
            #expect(klipy.asked.count == 4)
        }
    }

    @Test func kindsAndRatingsAreTheirs() async throws {
        try await run(3) { world, klipy in
            for (rating, filter) in [("y", "high"), ("g", "high"), ("pg", "medium"), ("pg-13", "low"), ("r", "off")] {
                _ = try await world.gifs("/trending", "rating=\(rating)")
                let path = try #require(klipy.asked.last)
                #expect(path.hasPrefix("/api/v1/\(FakeGiphy.key)/gifs/trending?page=1"))
                #expect(FakeGiphy.parameters(path)["content_filter"] == filter)
            }
            let stickers = try await world.gifs("/search", "q=cat&kind=sticker")
            #expect(stickers.ids.first == "klipy-stickers-hello-0" && stickers.data.first?.type == "sticker")
            #expect(stickers.data.first?.images["original_mp4"] == nil)
            let asked = klipy.asked.count
            // They have no texts.
            #expect(try await world.gifs("/search", "q=cat&kind=text").pagination?.total_count == 0)
            #expect(klipy.asked.count == asked)
        }
    }

    @Test func whatIsNoGIFIsLeftOut() async throws {
        try await run { world, klipy in
            let items = [
                "null", "{}", #"{"slug":"hello-1","file":{}}"#, Self.item("hello-2", "ad"), Self.item("a/b"),
                Self.item(""),
                Self.item("hello-3").replacing("https://", with: "javascript://"),
                Self.item("hello-4").replacing(#""width":"#, with: #""width":-"#), Self.item("hello-5"),
            ]
            klipy.instead { connection in
                let body = #"{"result":true,"data":{"data":[\#(items.joined(separator: ","))],"has_next":false}}"#
                connection.answer(type: "application/json", body)
            }
            let page = try await world.gifs("/search", "q=hello")
            #expect(page.ids == ["klipy-gifs-hello-5"])
        }
    }

    /// Of ids, too, a 404 of a wrong key is not one of GIFs that are not there.
    @Test func aWrongKeyIsToldTheOperator() async throws {
        let log = RecordedLog()
        try await run { world, klipy in
            let told = world.asking([try klipy.provider(.klipy)], logger: Logger(label: "media") { _ in log })
            klipy.instead { $0.answer(status: "404 Not Found", #"{"result":false}"#) }
            let unknown = try await told.send(.get, "/api/v1/gifs/klipy-gifs-hello-9", as: nil)
            #expect(unknown.status == .notFound)
            #expect(log.lines.withLock { $0 }.isEmpty)
            klipy.instead { $0.answer(status: "404 Not Found", "The route /api/v1/\(FakeGiphy.key) was not found") }
            let refused = try await told.send(.get, "/api/v1/gifs/klipy-gifs-hello-8", as: nil)
            #expect(refused.status == .serviceUnavailable)
            let lines = log.lines.withLock { $0 }
            #expect(lines.count == 1 && lines.allSatisfy { $0.contains("refuses the key") && $0.contains("klipy") })
            #expect(!lines.joined().contains(FakeGiphy.key))
            #expect(told.dependencies.upstreams.refusesKey(.klipy))
            world.clock.advance(.seconds(31))
            klipy.instead { $0.answer(type: "application/json", KlipyTests.answer($0.path, count: 120)) }
            _ = try await told.gifs("/search", "q=hello")
            #expect(!told.dependencies.upstreams.refusesKey(.klipy))
        }
    }

    /// A wrong key is a 404 there, which repeats it.
    @Test func theOneStandsInForTheOther() async throws {
        try await run { world, klipy in
            let giphy = try FakeGiphy()
            defer { giphy.close() }
            let both = world.asking([try giphy.provider(), try klipy.provider(.klipy)])
            #expect(try await both.gifs("/search", "q=cat&limit=1").ids == ["catx0"])
            #expect(klipy.asked == [])
            giphy.instead { $0.answer(status: "502 Bad Gateway", "") }
            #expect(try await both.gifs("/search", "q=dog&limit=1").ids == ["klipy-gifs-hello-0"])
            klipy.instead { $0.answer(status: "404 Not Found", #"{"result":false}"#) }
            #expect(try await both.gifs("/search", "q=fish").ids == [])
            #expect((giphy.asked.count, klipy.asked.count) == (2, 2))
            #expect(try await both.gifs("/search", "q=cat&limit=1").ids == ["catx0"])
        }
    }
}
