// SPDX-License-Identifier: Apache-2.0
// GIFs of others by their ids, and what people keep of them.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import MediaService

@Suite struct GifUpstreamMarkTests {
    private static let favourites = "/api/v1/gifs/favourites"
    private static let collections = "/api/v1/gifs/collections"

    private struct Item: Decodable {
        let id: String
    }

    private func ids(_ answer: Answer) throws -> [String] {
        #expect(answer.status == .ok, "\(answer.text)")
        return try JSONDecoder().decode([Item].self, from: Data(answer.body)).map(\.id)
    }

    private func kept(_ world: MediaWorld) async throws -> Int {
        try await world.dependencies.database.query("SELECT count(*) FROM upstream_gifs").number()
    }

    @Test func whatWasFoundIsFoundAgain() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            let own = try await world.gif("Cat")
            _ = try await world.gifs("/search", "q=cat&limit=2")
            // What is in an answer need not be asked for.
            #expect(try await world.one("/catx7").title == "catx7")
            #expect(giphy.asked.count == 1)
            #expect(try await world.one("/dogx1").title == "dogx1")
            #expect(try await world.one("/dogx1").title == "dogx1")
            #expect(giphy.asked.count == 2)
            #expect(FakeGiphy.parameters(giphy.asked[1]) == ["api_key": FakeGiphy.key, "ids": "dogx1"])
            let all = "dogx2,\(own),catx3,nobody,%20dogx1,77,a%2Fb"
            #expect(try await world.gifs("", "ids=\(all)").ids == ["dogx2", "\(own)", "catx3", "dogx1"])
            #expect(giphy.asked.count == 3)
            #expect(FakeGiphy.parameters(giphy.asked[2])["ids"] == "dogx2,nobody")
            // What is not there is not asked for again either.
            for _ in 0..<2 { #expect(try await world.send(.get, "/api/v1/gifs/none", as: nil).status == .notFound) }
            #expect(giphy.asked.count == 4)
            world.clock.advance(.seconds(3601))
            #expect(try await world.one("/dogx1").title == "dogx1")
            #expect(giphy.asked.count == 5)
            let many = (0..<60).map { "manyx\($0)" }
            #expect(try await world.gifs("", "ids=\(many.joined(separator: ","))").ids == many)
            #expect(giphy.asked.count == 8)
        }
    }

    @Test func whoIsAwaySaysNothingOfWhatIsThere() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            let own = try await world.gif("Cat")
            _ = try await world.one("/dogx1")
            world.clock.advance(.seconds(3601))
            giphy.instead { $0.answer(status: "500 Internal Server Error", "") }
            #expect(try await world.one("/dogx1").title == "dogx1")
            let away = try await world.send(.get, "/api/v1/gifs/catx1", as: nil)
            #expect(away.status == .serviceUnavailable && away.headers[.retryAfter] == "30")
            // The gateway goes on asking media for everything else.
            #expect(away.headers[.hinders] != nil)
            #expect(try await world.gifs("", "ids=catx1,\(own),dogx1").ids == ["\(own)", "dogx1"])
            #expect(try await world.send(.post, "\(Self.favourites)/catx1").status == .serviceUnavailable)
            #expect(try await world.send(.get, "/api/v1/gifs/a%2Fb", as: nil).status == .notFound)
            let long = String(repeating: "x", count: 129)
            #expect(try await world.send(.get, "/api/v1/gifs/\(long)", as: nil).status == .notFound)
            #expect(giphy.asked.count == 2)
        }
    }

    @Test func favouritesOfOthersStay() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            let own = try await world.gif("Cat")
            for id in ["catx1", "\(own)", "catx2", "catx1"] {
                world.clock.advance(.seconds(1))
                let added = try await world.send(.post, "\(Self.favourites)/\(id)")
                #expect(added.status == .ok && added.text.contains(#""id":"\#(id)""#), "\(added.text)")
            }
            _ = try await world.send(.post, "\(Self.favourites)/catx1", as: MediaWorld.haruto)
            #expect(try await kept(world) == 2)
            #expect(try await world.send(.post, "\(Self.favourites)/none").status == .notFound)
            // Days later, and nobody answers.
            giphy.close()
            try await world.sweep(after: .seconds(5 * 24 * 3600))
            #expect(try await world.keptAnswers() == "")
            let first = try await world.send(.get, Self.favourites, query: "limit=2")
            #expect(try ids(first) == ["catx2", "\(own)"])
            #expect(first.text.contains(FakeGiphy.item("catx2")))
            let next = try #require(first.headers[.link]?.firstMatch(of: /max_id=(\d+)/)?.1)
            let rest = try await world.send(.get, Self.favourites, query: "limit=2&max_id=\(next)")
            #expect(try ids(rest) == ["catx1"])
            // What somebody keeps another may keep, too, whoever is away.
            _ = try await world.send(.post, "\(Self.favourites)/catx2", as: MediaWorld.haruto)
            #expect(try ids(try await world.send(.get, Self.favourites, as: MediaWorld.haruto)) == ["catx2", "catx1"])
            for _ in 0..<2 {
                #expect(try await world.send(.delete, "\(Self.favourites)/catx1").status == .ok)
                #expect(try await world.send(.delete, "\(Self.favourites)/nobody").status == .ok)
            }
            #expect(try ids(try await world.send(.get, Self.favourites)) == ["catx2", "\(own)"])
            _ = try await world.send(.delete, "\(Self.favourites)/catx1", as: MediaWorld.haruto)
            // It goes a day after the last who kept it let it go.
            try await world.sweep()
            #expect(try await kept(world) == 2)
            try await world.sweep(after: .seconds(24 * 3600 + 1))
            #expect(try await kept(world) == 1)
            #expect(try ids(try await world.send(.get, Self.favourites)) == ["catx2", "\(own)"])
        }
    }

    @Test func collectionsHoldWhatOthersHave() async throws {
        let settings = GifSettings(favourites: 1, collected: 2)
        try await MediaWorld.runUpstream(gifs: settings) { world, _ in
            let own = try await world.gif("Cat")
            let made = try await world.send(.post, Self.collections, form: "name=Cats")
            let path = "\(Self.collections)/\(try JSONDecoder().decode(Item.self, from: Data(made.body)).id)"
            for id in ["catx1", "\(own)", "catx1"] {
                world.clock.advance(.seconds(1))
                #expect(try await world.send(.post, "\(path)/gifs/\(id)").status == .ok)
            }
            #expect(try await world.send(.post, "\(path)/gifs/catx2").status == .unprocessableContent)
            #expect(try await world.send(.post, "\(path)/gifs/none").status == .notFound)
            #expect(try ids(try await world.send(.get, "\(path)/gifs")) == ["\(own)", "catx1"])
            #expect(try await world.send(.get, path).text.contains(#""gifs_count":2"#))
            let stranger = try await world.send(.post, "\(path)/gifs/catx3", as: MediaWorld.haruto)
            #expect(stranger.status == .notFound)
            try await world.sweep(after: .seconds(2 * 24 * 3600))
            #expect(try ids(try await world.send(.get, "\(path)/gifs")) == ["\(own)", "catx1"])
            #expect(try await world.send(.delete, "\(path)/gifs/catx1").status == .ok)
            #expect(try ids(try await world.send(.get, "\(path)/gifs")) == ["\(own)"])
            try await world.sweep(after: .seconds(2 * 24 * 3600))
            #expect(try await kept(world) == 0)
            // There is as much room as for one's own.
            #expect(try await world.send(.post, "\(Self.favourites)/catx1").status == .ok)
            #expect(try await world.send(.post, "\(Self.favourites)/catx2").status == .unprocessableContent)
        }
    }

    @Test func filesOfOthersAreNotTaken() async throws {
        try await MediaWorld.runUpstream { world, giphy in
            let taken = try await world.send(.post, "/api/v1/gifs/catx1/media")
            #expect(taken.status == .unprocessableContent && taken.text.contains("gif-elsewhere"), "\(taken.text)")
            for method in [HTTPRequest.Method.put, .delete] {
                let answer = try await world.send(method, "/api/v1/gifs/catx1", as: MediaWorld.admin, form: "title=x")
                #expect(answer.status == .notFound)
            }
            #expect(giphy.asked == [])
        }
    }
}
