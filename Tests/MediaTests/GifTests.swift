// SPDX-License-Identifier: Apache-2.0
// What goes into the catalogue of GIFs, who may put it there, and how it looks.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import MediaService

@Suite struct GifTests {
    @Test func anItemIsAsAgreed() async throws {
        try await MediaWorld.runGifs { world in
            let id = try await world.gif(
                "Angry Cat",
                "alt_text=A%20cat&tags=cat,Angry,cat&category=Animals&subcategory=Cats&rating=pg&kind=sticker"
            )
            let answer = try await world.send(.get, "/api/v1/gifs/\(id)", as: nil)
            try expectGolden("media/gif", answer.text.replacing("\(id)", with: "ID") + "\n")
            let shown = try await world.one("/\(id)")
            for name in ["original", "preview_gif", "fixed_width", "fixed_height", "downsized", "original_mp4"] {
                let picture = try #require(shown.images[name], "\(name)")
                #expect(Int(picture.width) ?? 0 > 0 && Int(picture.height) ?? 0 > 0 && Int(picture.size) ?? 0 > 0)
                let path = String(picture.url.dropFirst("https://madang.example".count))
                let file = try await world.send(.get, path, as: nil)
                #expect(file.status == .ok && file.headers[.cacheControl]?.contains("public") == true)
                #expect(try await file.bytes().count == Int(picture.size))
            }
        }
    }

    @Test func onlyThoseWhoMayPutFilesThere() async throws {
        try await MediaWorld.runGifs { world in
            let own = try await world.readyGif("mine", as: MediaWorld.minji)
            let form = "media_id=\(own)&title=Mine"
            #expect(try await world.send(.post, "/api/v1/gifs", form: form).status == .forbidden)
            #expect(try await world.send(.post, "/api/v1/gifs", as: nil, form: form).status == .unauthorized)
            // Nobody else's upload, none that was made for something else, none that is not ready, and none twice.
            let attached = try await world.ready("an attachment", as: MediaWorld.admin)
            let failed = try await world.readyGif("refuse")
            for id in [own, attached, failed, MediaID(1)] {
                let answer = try await world.send(
                    .post,
                    "/api/v1/gifs",
                    as: MediaWorld.admin,
                    form: "media_id=\(id)&title=x"
                )
                #expect(answer.status == .unprocessableContent && answer.text.contains("media_id"))
            }
            let id = try await world.gif("One")
            let again = try await world.send(
                .post,
                "/api/v1/gifs",
                as: MediaWorld.admin,
                form: "media_id=\(id)&title=x"
            )
            #expect(again.status == .unprocessableContent)
        }
        try await MediaWorld.runGifs(gifs: GifSettings(uploaders: .everybody)) { world in
            let id = try await world.gif("Mine", as: MediaWorld.minji)
            #expect(try await world.one("/\(id)").user?.username == "minji")
        }
    }

    @Test(arguments: [
        "kind=picture", "rating=x", "title=\(String(repeating: "a", count: 201))", "language=english!",
        "tags=\(String(repeating: "a", count: 51))", "category=\(String(repeating: "a", count: 51))",
        "tags=\((0..<31).map { "t\($0)" }.joined(separator: ","))",
    ])
    func whatCannotBeSaidIsRefused(_ field: String) async throws {
        try await MediaWorld.runGifs { world in
            let id = try await world.gif("One")
            let path = "/api/v1/gifs/\(id)"
            let answer = try await world.send(.put, path, as: MediaWorld.admin, form: field)
            #expect(answer.status == .unprocessableContent, "\(field) \(answer.text)")
            #expect(try await world.one("/\(id)").title == "One")
        }
    }

    @Test func whoImportedItOrAdministersChangesAndRemovesIt() async throws {
        try await MediaWorld.runGifs(gifs: GifSettings(uploaders: .everybody)) { world in
            let id = try await world.gif("A dog", "tags=puppy", as: MediaWorld.minji)
            let path = "/api/v1/gifs/\(id)"
            let stranger = MediaWorld.haruto
            #expect(try await world.send(.put, path, as: stranger, form: "title=x").status == .forbidden)
            #expect(try await world.send(.delete, path, as: stranger).status == .forbidden)
            #expect(try await world.send(.put, path, form: "title=A%20cat&tags=kitten").status == .ok)
            #expect(try await world.gifs("/search", "q=cat").titles == ["A cat"])
            #expect(try await world.gifs("/search", "q=dog").titles == [])
            #expect(try await world.names("/tags", "q=k") == ["kitten"])
            #expect(try await world.names("/tags", "q=p") == [])
            #expect(try await world.send(.put, path, as: MediaWorld.admin, form: "rating=r").status == .ok)
            #expect(try await world.one("/\(id)").rating == "r")
            #expect(try await world.one("/\(id)").title == "A cat")
            #expect(try await world.send(.delete, path, as: MediaWorld.admin).status == .ok)
            #expect(try await world.send(.get, path, as: nil).status == .notFound)
            #expect(try await world.names("/tags", "q=k") == [])
        }
    }

    @Test func theCatalogueKeepsItsFiles() async throws {
        try await MediaWorld.runGifs { world in
            let id = try await world.gif("Kept")
            let count = world.files.count
            try await world.sweep(after: .seconds(10 * 24 * 3600))
            #expect(world.files.count == count && count > 20)
            #expect(
                try await world.send(.delete, "/api/v1/media/\(id)", as: MediaWorld.admin).status
                    == .unprocessableContent
            )
            #expect(try await world.send(.delete, "/api/v1/gifs/\(id)", as: MediaWorld.admin).status == .ok)
            try await world.sweep(after: .seconds(4 * 24 * 3600))
            try await world.sweep(after: .seconds(2 * 3600))
            #expect(world.files == [])
        }
    }

    @Test func keysAreAskedForWhereThereAreSome() async throws {
        try await MediaWorld.runGifs(gifs: GifSettings(keys: ["one", "two"])) { world in
            let id = try await world.gif("Cat")
            for path in [
                "/search?q=cat", "/trending", "/random", "/translate?s=cat", "/categories", "/tags?q=c", "/tags/c",
                "/searches", "?ids=\(id)", "/\(id)", "/related?gif_id=\(id)",
            ] {
                let parts = path.split(separator: "?", omittingEmptySubsequences: false)
                let query = parts.count > 1 ? "\(parts[1])&" : ""
                for (key, status) in [("", 401), ("api_key=", 401), ("api_key=three", 403), ("api_key=two", 200)] {
                    let answer = try await world.send(
                        .get,
                        "/api/v1/gifs\(parts[0])",
                        query: query + key,
                        as: nil
                    )
                    #expect(answer.status.code == status, "\(path) \(key)")
                }
                let own = try await world.send(.get, "/api/v1/gifs\(parts[0])", query: query)
                #expect(own.status == .ok, "an account needs no key")
            }
        }
    }

    @Test func aGifCanBeShownInAPostOrAMessage() async throws {
        try await MediaWorld.runGifs { world in
            let id = try await world.gif("Wave", "alt_text=Somebody%20waves")
            let count = world.files.count
            let answer = try await world.send(.post, "/api/v1/gifs/\(id)/media")
            let taken = try attachment(answer)
            #expect(answer.status == .ok && taken.type == "gifv" && taken.id != "\(id)" && taken.url != nil)
            #expect(taken.description == "Somebody waves")
            #expect(world.files.count == count, "nothing is copied")
            let told = try #require(try await world.told().last)
            #expect(told.mediaID.description == taken.id && told.ownerID == MediaWorld.minji.id)
            // It is theirs alone, cannot go into the catalogue a second time by a stranger, and outlives the entry.
            #expect(
                try await world.send(.get, "/api/v1/media/\(taken.id)", as: MediaWorld.haruto).status == .notFound
            )
            #expect(try await world.send(.delete, "/api/v1/gifs/\(id)", as: MediaWorld.admin).status == .ok)
            try await world.sweep(after: .seconds(2 * 24 * 3600))
            let path = String(try #require(taken.url).dropFirst("https://madang.example".count))
            #expect(try await world.send(.get, path, as: nil).status == .ok)
            try await world.sweep(after: .seconds(2 * 24 * 3600))
            try await world.sweep(after: .seconds(2 * 3600))
            #expect(world.files == [], "what nobody showed is gone")
            #expect(try await world.send(.post, "/api/v1/gifs/\(id)/media").status == .notFound)
            #expect(try await world.send(.post, "/api/v1/gifs/\(id)/media", as: nil).status == .unauthorized)
        }
    }
}
