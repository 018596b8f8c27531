// SPDX-License-Identifier: Apache-2.0
// GIFs of others behind the end of one's own catalogue.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import MediaService

@Suite struct GifUpstreamTests {
    @Test func ownComesFirstThenWhatOthersHave() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            for title in ["Cat one", "Cat two", "Cat three"] { try await world.gif(title) }
            for (path, words) in [("/search", "cat"), ("/trending", "trend")] {
                let page = try await world.gifs(path, "q=cat&limit=5")
                #expect(page.titles == ["Cat three", "Cat two", "Cat one", "\(words)x0", "\(words)x1"])
                #expect(page.pagination == GifList.Pagination(total_count: 123, count: 5, offset: 0))
                let next = try await world.gifs(path, "q=cat&limit=5&offset=5")
                #expect(next.titles == (2..<7).map { "\(words)x\($0)" })
                #expect(next.pagination == GifList.Pagination(total_count: 123, count: 5, offset: 5))
            }
            #expect(giphy.asked.count == 2)
            // Theirs are as they came.
            let answer = try await world.send(.get, "/api/v1/gifs/search", query: "q=cat&limit=1&offset=3", as: nil)
            #expect(answer.text.hasPrefix(#"{"data":[\#(FakeGiphy.item("catx0"))],"pagination":"#), "\(answer.text)")
        }
    }

    /// Whatever the size of its pages, whoever pages through all sees each once, and of others each part is asked for once.
    @Test func theSeamHasNoGapAndNoDouble() async throws {
        try await MediaWorld.runUpstream(130) { world, giphy in
            let own = try await [1, 2, 3, 4, 5, 6, 7].asyncMap { try await "\(world.gif("Cat \($0)"))" }
            let all = own.reversed() + (0..<130).map { "catx\($0)" }
            for limit in [50, 7, 8, 1] + (0..<4).map({ _ in Int.random(in: 2...50) }) {
                var seen: [String] = []
                var total = 1
                while seen.count < total {
                    let page = try await world.gifs("/search", "q=cat&limit=\(limit)&offset=\(seen.count)")
                    let pagination = try #require(page.pagination)
                    guard !page.data.isEmpty else { break }
                    seen += page.ids
                    total = pagination.total_count
                }
                #expect(seen == all, "by \(limit)")
                #expect(total == 137)
            }
            #expect(giphy.asked.count == 3)
        }
    }

    @Test func whereOnesOwnFillThePageNobodyIsAsked() async throws {
        try await MediaWorld.runUpstream(10) { world, giphy in
            for title in ["Cat one", "Cat two"] { try await world.gif(title) }
            // That there is more is not known, and not ruled out.
            #expect(try await world.gifs("/search", "q=cat&limit=2").pagination?.total_count == 3)
            #expect(try await world.one("/random", "tag=cat").title.hasPrefix("Cat"))
            #expect(try await world.one("/random").title.hasPrefix("Cat"))
            #expect(try await world.one("/translate", "s=my%20cat").title.hasPrefix("Cat"))
            #expect(giphy.asked == [])
            #expect(try await world.gifs("/search", "q=cat&limit=2&offset=2").ids == ["catx0", "catx1"])
            #expect(try await world.gifs("/search", "q=cat&limit=2").pagination?.total_count == 12)
            #expect(giphy.asked.count == 1)
        }
    }

    @Test func chanceAndWordsFindWhatOthersHave() async throws {
        try await MediaWorld.runUpstream(60) { world, giphy in
            #expect(try await world.one("/random", "tag=dog").id.hasPrefix("dogx"))
            #expect(try await world.one("/random").id.hasPrefix("trendx"))
            #expect(try await world.one("/translate", "s=dog").id == "dogx0")
            let drawn = try await world.one("/translate", "s=dog&weirdness=3").id
            #expect((0...3).map { "dogx\($0)" }.contains(drawn))
            #expect(giphy.asked.count == 2)
        }
        try await MediaWorld.runUpstream(0) { world, _ in
            for path in ["/random", "/translate"] {
                let none = try await world.send(.get, "/api/v1/gifs\(path)", query: "tag=dog&s=dog", as: nil)
                #expect(none.status == .ok && none.text.hasPrefix(#"{"data":[],"#))
            }
            #expect(try await world.gifs("/search", "q=dog").pagination?.total_count == 0)
        }
    }

    @Test func whatIsAskedIsPassedOn() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            for query in [
                "q=angry%20%20CAT%26a%3Db&rating=pg-13&lang=ko",
                "q=%20Angry%20cat%26A%3Db%20&rating=PG-13&lang=KO&limit=3",
            ] { _ = try await world.gifs("/search", query) }
            let first = try #require(giphy.asked.first)
            #expect(giphy.asked.count == 1 && first.hasPrefix("/v1/gifs/search?"))
            #expect(
                FakeGiphy.parameters(first) == [
                    "api_key": FakeGiphy.key, "q": "angry cat&a=b", "limit": "50", "offset": "0", "rating": "pg-13",
                    "lang": "ko",
                ]
            )
            _ = try await world.gifs("/search", "q=cat&kind=sticker&offset=120&lang=x%26y%3D")
            _ = try await world.gifs("/trending", "kind=text&rating=g")
            #expect(
                giphy.asked.dropFirst().map { $0.split(separator: "?")[0] } == [
                    "/v1/stickers/search", "/v1/text/trending",
                ]
            )
            let other = FakeGiphy.parameters(giphy.asked[1])
            #expect(other["offset"] == "100" && other["rating"] == "r" && other["lang"] == nil)
            // Nor is anybody asked for what is too long, or for what is none.
            let long = String(repeating: "a", count: 51)
            for (query, status) in [("q=\(long)", 414), ("q=%20", 400), ("q=cat&rating=x", 400)] {
                let answer = try await world.send(.get, "/api/v1/gifs/search", query: query, as: nil)
                #expect(answer.status.code == status)
            }
            #expect(try await world.gifs("/search", "q=cat&offset=4999&limit=50").data.isEmpty)
            #expect(giphy.asked.count == 4)
        }
    }

    @Test func anAnswerServesForAWhile() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            _ = try await world.gifs("/search", "q=cat")
            world.clock.advance(.seconds(599))
            #expect(try await world.gifs("/search", "q=cat&offset=25").data.count == 25)
            #expect(giphy.asked.count == 1)
            world.clock.advance(.seconds(2))
            #expect(try await world.gifs("/search", "q=cat").data.count == 25)
            #expect(giphy.asked.count == 2)
        }
    }

    /// Of two processes, whoever begins.
    @Test func manyWhoLookForTheSameAskOnce() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            giphy.instead { connection in
                connection.wait(milliseconds: 300)
                connection.answer(type: "application/json", FakeGiphy.answer(connection.path, 120))
            }
            let other = world.asking([try giphy.provider()])
            let titles = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await (number % 2 == 0 ? world : other).gifs("/search", "q=cat&limit=3").titles
                    }
                }
                return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
            }
            #expect(titles == [["catx0", "catx1", "catx2"]])
            #expect(giphy.asked.count == 1)
        }
    }

    @Test func someAreAskedForAtATime() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            let gauge = Gauge()
            giphy.instead { connection in
                gauge.during { connection.wait(milliseconds: 100) }
                connection.answer(type: "application/json", FakeGiphy.answer(connection.path, 120))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let page = try await world.gifs("/search", "q=cat\(number)")
                        #expect(page.data.count == 25)
                    }
                }
                try await group.waitForAll()
            }
            #expect(giphy.asked.count == 30)
            #expect((2...8).contains(gauge.most), "\(gauge.most)")
        }
    }

    @Test func withoutAKeyNobodyIsAsked() async throws {
        try await MediaWorld.runGifs { world in
            let own = try await world.gif("Cat")
            #expect(try await world.gifs("/search", "q=cat").titles == ["Cat"])
            #expect(try await world.gifs("/search", "q=cat&limit=1").pagination?.total_count == 1)
            #expect(try await world.gifs("", "ids=\(own),catx1").titles == ["Cat"])
            #expect(try await world.send(.get, "/api/v1/gifs/catx1", as: nil).status == .notFound)
            #expect(try await world.keptAnswers() == "")
        }
    }

    @Test func answersGoWhenTheyServeNoMore() async throws {
        try await MediaWorld.runUpstream(gifs: GifSettings(answers: 3)) { world, _ in
            func count() async throws -> Int {
                try await world.dependencies.database.query("SELECT count(*) FROM gif_answers").number()
            }
            for word in ["a", "b", "c", "d", "e"] {
                _ = try await world.gifs("/search", "q=\(word)")
                world.clock.advance(.seconds(1))
            }
            #expect(try await count() == 5)
            try await world.sweep()
            #expect(try await count() == 3)
            #expect(try await world.keptAnswers().contains("ex0"))
            try await world.sweep(after: .seconds(24 * 3600 + 10))
            #expect(try await count() == 0)
        }
    }
}
