// SPDX-License-Identifier: Apache-2.0
// What people keep of the catalogue of GIFs.

import Domain
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import MediaService

@Suite struct GifMarkTests {
    private struct Item: Decodable {
        let id: String
        let title: String
    }

    private struct Collection: Decodable {
        let id: String
        let name: String
        let gifs_count: Int
    }

    private func titles(_ answer: Answer) throws -> [String] {
        try JSONDecoder().decode([Item].self, from: Data(answer.body)).map(\.title)
    }

    private func collection(_ answer: Answer) throws -> Collection {
        try JSONDecoder().decode(Collection.self, from: Data(answer.body))
    }

    private static let favourites = "/api/v1/gifs/favourites"
    private static let collections = "/api/v1/gifs/collections"

    @Test func favouritesAreKeptTheNewestFirst() async throws {
        try await MediaWorld.runGifs { world in
            var ids: [MediaID] = []
            for title in ["One", "Two", "Three"] { ids.append(try await world.gif(title)) }
            for id in [ids[1], ids[0], ids[2], ids[1]] {
                world.clock.advance(.seconds(1))
                let added = try await world.send(.post, "\(Self.favourites)/\(id)")
                #expect(added.status == .ok && added.text.contains(#""id":"\#(id)""#))
            }
            // Adding once more changes nothing, not even the order.
            let all = try await world.send(.get, Self.favourites)
            #expect(try titles(all) == ["Three", "One", "Two"])
            #expect(try titles(try await world.send(.get, Self.favourites, as: MediaWorld.haruto)) == [])
            let first = try await world.send(.get, Self.favourites, query: "limit=2")
            #expect(try titles(first) == ["Three", "One"])
            let link = try #require(first.headers[.link])
            let next = try #require(link.firstMatch(of: /max_id=(\d+)/)?.1)
            let rest = try await world.send(.get, Self.favourites, query: "limit=2&max_id=\(next)")
            #expect(try titles(rest) == ["Two"])
            let newer = try #require(rest.headers[.link]?.firstMatch(of: /min_id=(\d+)/)?.1)
            #expect(
                try titles(try await world.send(.get, Self.favourites, query: "limit=1&min_id=\(newer)")) == ["One"]
            )
            for _ in 0..<2 {
                #expect(try await world.send(.delete, "\(Self.favourites)/\(ids[0])").status == .ok)
            }
            #expect(try titles(try await world.send(.get, Self.favourites)) == ["Three", "Two"])
            _ = try await world.send(.delete, "/api/v1/gifs/\(ids[2])", as: MediaWorld.admin)
            #expect(try titles(try await world.send(.get, Self.favourites)) == ["Two"])
        }
    }

    @Test func thereIsRoomForSomeFavourites() async throws {
        try await MediaWorld.runGifs(gifs: GifSettings(favourites: 1, collections: 1, collected: 1)) { world in
            let (one, two) = (try await world.gif("One"), try await world.gif("Two"))
            #expect(try await world.send(.post, "\(Self.favourites)/\(one)").status == .ok)
            #expect(try await world.send(.post, "\(Self.favourites)/\(one)").status == .ok)
            #expect(try await world.send(.post, "\(Self.favourites)/\(two)").status == .unprocessableContent)
            let place = try collection(try await world.send(.post, Self.collections, form: "name=Cats"))
            #expect(try await world.send(.post, Self.collections, form: "name=x").status == .unprocessableContent)
            for _ in 0..<2 {
                #expect(try await world.send(.post, "\(Self.collections)/\(place.id)/gifs/\(one)").status == .ok)
            }
            let full = try await world.send(.post, "\(Self.collections)/\(place.id)/gifs/\(two)")
            #expect(full.status == .unprocessableContent)
        }
    }

    @Test func collectionsAreTheirOwners() async throws {
        try await MediaWorld.runGifs { world in
            let (one, two) = (try await world.gif("One"), try await world.gif("Two"))
            let made = try await world.send(.post, Self.collections, form: "name=%20My%0Acats%20")
            let cats = try collection(made)
            #expect(made.status == .ok && cats.name == "My cats" && cats.gifs_count == 0)
            world.clock.advance(.seconds(1))
            let dogs = try collection(try await world.send(.post, Self.collections, form: "name=Dogs"))
            let path = "\(Self.collections)/\(cats.id)"
            for id in [one, two, one] {
                world.clock.advance(.seconds(1))
                #expect(try await world.send(.post, "\(path)/gifs/\(id)").status == .ok)
            }
            #expect(try titles(try await world.send(.get, "\(path)/gifs")) == ["Two", "One"])
            #expect(try titles(try await world.send(.get, "\(path)/gifs", query: "limit=1")) == ["Two"])
            #expect(try collection(try await world.send(.get, path)).gifs_count == 2)
            let all = try await world.send(.get, Self.collections)
            #expect(try JSONDecoder().decode([Collection].self, from: Data(all.body)).map(\.id) == [dogs.id, cats.id])
            #expect(try collection(try await world.send(.put, path, form: "name=Katzen")).name == "Katzen")
            // For everybody else there is none.
            let stranger = MediaWorld.haruto
            for (method, path, form) in [
                (HTTPRequest.Method.get, path, nil), (.get, "\(path)/gifs", nil), (.put, path, "name=x"),
                (.delete, path, nil), (.post, "\(path)/gifs/\(one)", nil), (.delete, "\(path)/gifs/\(one)", nil),
            ] as [(HTTPRequest.Method, String, String?)] {
                let answer = try await world.send(method, path, as: stranger, form: form)
                #expect(answer.status == .notFound, "\(method) \(path)")
            }
            for _ in 0..<2 { #expect(try await world.send(.delete, "\(path)/gifs/\(two)").status == .ok) }
            #expect(try titles(try await world.send(.get, "\(path)/gifs")) == ["One"])
            #expect(try await world.send(.delete, path).status == .ok)
            #expect(try await world.send(.get, path).status == .notFound)
            #expect(try await world.send(.delete, path).status == .notFound)
        }
    }

    @Test func whatIsNotThereCannotBeKept() async throws {
        try await MediaWorld.runGifs { world in
            let place = try collection(try await world.send(.post, Self.collections, form: "name=Cats"))
            for path in ["\(Self.favourites)/77", "\(Self.favourites)/x", "\(Self.collections)/\(place.id)/gifs/77"] {
                #expect(try await world.send(.post, path).status == .notFound, "\(path)")
            }
            let long = String(repeating: "a", count: 201)
            for name in ["", "name=", "name=%20", "name=\(long)"] {
                let answer = try await world.send(.post, Self.collections, form: name)
                #expect(answer.status == .unprocessableContent, "\(name)")
            }
            for path in [Self.favourites, Self.collections] {
                #expect(try await world.send(.get, path, as: nil).status == .unauthorized)
                #expect(try await world.send(.get, path, query: "max_id=x").status == .badRequest)
            }
        }
    }
}
