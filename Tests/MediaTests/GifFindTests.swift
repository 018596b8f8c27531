// SPDX-License-Identifier: Apache-2.0
// Ways through the catalogue of GIFs.

import Domain
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import MediaService

@Suite struct GifFindTests {
    @Test func kindsAreSearchedApart() async throws {
        try await MediaWorld.runGifs { world in
            try await world.gif("Cat one")
            try await world.gif("Cat two", "kind=sticker")
            try await world.gif("Cat three", "kind=text")
            for (kind, title) in [("gif", "Cat one"), ("sticker", "Cat two"), ("text", "Cat three")] {
                for path in ["/search", "/trending"] {
                    #expect(try await world.gifs(path, "q=cats&kind=\(kind)").titles == [title])
                }
                #expect(try await world.one("/random", "kind=\(kind)").title == title)
                #expect(try await world.one("/random", "kind=\(kind)&tag=cat").title == title)
                #expect(try await world.one("/translate", "kind=\(kind)&s=my%20cat").title == title)
            }
            #expect(try await world.gifs("/search", "q=cat").data.first?.type == "gif")
        }
    }

    /// G1: in every language that the apps are written for, with a word of the title, a tag or the category.
    @Test func wordsOfAnyLanguageFind() async throws {
        try await MediaWorld.runGifs { world in
            try await world.gif("화난 고양이", "tags=동물,반려묘&category=동물 친구들")
            try await world.gif("怒っている猫", "tags=ねこ")
            try await world.gif("Angry cats running", "tags=kitten&category=Animals")
            for (query, title) in [
                ("고양이", "화난 고양이"), ("화난고양이", "화난 고양이"), ("반려묘", "화난 고양이"), ("친구들", "화난 고양이"),
                ("猫", "怒っている猫"), ("ネコ", "怒っている猫"), ("CAT", "Angry cats running"),
                ("running cat", "Angry cats running"), ("kittens", "Angry cats running"),
                ("animal", "Angry cats running"), ("#kitten", "Angry cats running"),
            ] {
                let encoded = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                #expect(try await world.gifs("/search", "q=\(encoded)").titles == [title], "\(query)")
            }
            #expect(try await world.gifs("/search", "q=dog").titles == [])
            #expect(try await world.gifs("/search", "q=!!!").titles == [])
            #expect(try await world.gifs("/search", "q=angry%20dog").titles == [])
            #expect(try await world.gifs("/search", "q=%25").titles == [])
        }
    }

    @Test func whatIsCalledSoComesFirstThenTheNewest() async throws {
        try await MediaWorld.runGifs { world in
            try await world.gif("Cat")
            try await world.gif("A cat and a dog", "tags=cat")
            try await world.gif("Some cat")
            try await world.gif("Another cat")
            let all = try await world.gifs("/search", "q=cat")
            #expect(all.titles == ["A cat and a dog", "Cat", "Another cat", "Some cat"])
            #expect(all.pagination == GifList.Pagination(total_count: 4, count: 4, offset: 0))
            let pages = try await [0, 1, 2, 3].map { "q=cat&limit=1&offset=\($0)" }.asyncMap {
                try await world.gifs("/search", $0)
            }
            #expect(pages.flatMap(\.titles) == all.titles)
            let beyond = try await world.gifs("/search", "q=cat&offset=10")
            #expect(beyond.pagination == GifList.Pagination(total_count: 4, count: 0, offset: 10))
            // What cannot be is moved to where it can, as with GIPHY.
            for wrong in ["limit=0", "limit=999", "limit=x", "offset=-1", "limit=99999999999999999999"] {
                let page = try await world.gifs("/search", "q=cat&\(wrong)")
                #expect(page.pagination?.total_count == 4 && page.pagination?.offset == 0, "\(wrong)")
            }
            #expect(try await world.gifs("/search", "q=cat&offset=99999").pagination?.offset == 4999)
        }
    }

    @Test func showsWhatIsMildEnough() async throws {
        try await MediaWorld.runGifs { world in
            for rating in ["y", "g", "pg", "pg-13", "r"] { try await world.gif("Cat \(rating)", "rating=\(rating)") }
            for (rating, count) in [("y", 1), ("g", 2), ("pg", 3), ("pg-13", 4), ("r", 5), ("", 5), ("PG", 3)] {
                for path in ["/search", "/trending"] {
                    #expect(try await world.gifs(path, "q=cat&rating=\(rating)").data.count == count, "\(rating)")
                }
            }
            #expect(try await world.one("/random", "rating=y").rating == "y")
            #expect(try await world.one("/random", "rating=y&tag=cat").rating == "y")
            #expect(try await world.one("/translate", "rating=y&s=cat").rating == "y")
        }
    }

    @Test func refusesAsGiphyDoes() async throws {
        try await MediaWorld.runGifs { world in
            let long = String(repeating: "a", count: 51)
            for (path, query, status) in [
                ("/search", "", 400), ("/search", "q=%20", 400), ("/search", "q=\(long)", 414),
                ("/search", "q=cat&rating=x", 400), ("/translate", "", 400), ("/translate", "s=\(long)", 414),
                ("/random", "tag=\(long)", 414), ("", "", 400), ("", "ids=", 400),
                ("", "ids=\((0...100).map(String.init).joined(separator: ","))", 400), ("/related", "", 400),
                ("/related", "gif_id=1", 404), ("/related", "gif_id=x", 404), ("/1", "", 404), ("/x", "", 404),
                ("/categories/none", "", 404), ("/tags", "", 400), ("/trending", "kind=film", 400),
            ] {
                let answer = try await world.send(.get, "/api/v1/gifs\(path)", query: query, as: nil)
                #expect(answer.status.code == status, "\(path) \(query): \(answer.text)")
            }
            // 50 characters are not too many, whatever they are.
            let korean = String(repeating: "고", count: 50).addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            #expect(try await world.gifs("/search", "q=\(korean ?? "")").titles == [])
            let none = try await world.send(.get, "/api/v1/gifs/random", as: nil)
            #expect(none.status == .ok && none.text.hasPrefix(#"{"data":[],"#))
        }
    }

    @Test func idsAreAnsweredInTheirOrder() async throws {
        try await MediaWorld.runGifs { world in
            let one = try await world.gif("One")
            let two = try await world.gif("Two")
            #expect(try await world.gifs("", "ids=\(two),%20\(one),77,x").titles == ["Two", "One"])
            #expect(try await world.gifs("", "ids=\(one),\(two)").titles == ["One", "Two"])
        }
    }

    @Test func whatHasMoreOfTheWordsIsNearer() async throws {
        try await MediaWorld.runGifs { world in
            let cat = try await world.gif("Happy cat", "tags=happy,cat,jump")
            try await world.gif("Happy dog", "tags=happy,dog,jump")
            try await world.gif("Sad fish", "tags=sad,fish")
            try await world.gif("Happy birthday", "tags=cake")
            #expect(try await world.one("/translate", "s=my%20cat%20is%20so%20happy").title == "Happy cat")
            #expect(try await world.one("/translate", "s=what%20a%20sad%20day").title == "Sad fish")
            #expect(try await world.gifs("/related", "gif_id=\(cat)").titles == ["Happy dog", "Happy birthday"])
            let nothing = try await world.send(.get, "/api/v1/gifs/translate", query: "s=zebra", as: nil)
            #expect(nothing.text.hasPrefix(#"{"data":[],"#))
        }
    }

    @Test func categoriesHavePartsAndExamples() async throws {
        try await MediaWorld.runGifs { world in
            try await world.gif("Cat", "category=Animals&subcategory=Cats")
            try await world.gif("Dog", "category=Animals&subcategory=Dogs")
            try await world.gif("Another dog", "category=Animals&subcategory=Dogs&rating=r")
            try await world.gif("Song", "category=Film%20%26%20TV")
            try await world.gif("Nothing")
            struct Categories: Decodable {
                struct Category: Decodable {
                    struct Part: Decodable {
                        let name: String
                        let name_encoded: String
                    }
                    let name: String
                    let name_encoded: String
                    let subcategories: [Part]?
                    let gif: GifList.Item?
                }
                let data: [Category]
                let pagination: GifList.Pagination
            }
            func categories(_ path: String, _ query: String = "") async throws -> Categories {
                let answer = try await world.send(.get, "/api/v1/gifs\(path)", query: query, as: nil)
                return try JSONDecoder().decode(Categories.self, from: Data(answer.body))
            }
            let all = try await categories("/categories")
            #expect(all.data.map(\.name) == ["Animals", "Film & TV"] && all.pagination.total_count == 2)
            #expect(all.data.map(\.name_encoded) == ["animals", "film-tv"])
            #expect(all.data.first?.subcategories?.map(\.name_encoded) == ["cats", "dogs"])
            #expect(all.data.last?.gif?.title == "Song")
            let parts = try await categories("/categories/animals", "rating=pg")
            #expect(parts.data.map(\.name) == ["Cats", "Dogs"] && parts.data.last?.gif?.title == "Dog")
            #expect(try await world.gifs("/categories/animals/dogs").titles == ["Another dog", "Dog"])
            #expect(try await world.gifs("/categories/ANIMALS/dogs", "limit=1&offset=1").titles == ["Dog"])
        }
    }

    @Test func tagsThatBeginSoAndGoTogether() async throws {
        try await MediaWorld.runGifs { world in
            try await world.gif("One", "tags=cat,cute,sleep")
            try await world.gif("Two", "tags=cat,cute")
            try await world.gif("Three", "tags=Café,car")
            #expect(try await world.names("/tags", "q=C") == ["cat", "cute", "cafe", "car"])
            #expect(try await world.names("/tags", "q=ca&limit=1") == ["cat"])
            #expect(try await world.names("/tags/cat") == ["cute", "sleep"])
            #expect(try await world.names("/tags/none") == [])
        }
    }

    /// Uses of the last days, counted anew, however often.
    @Test func whatIsTakenLatelyTrends() async throws {
        try await MediaWorld.runGifs { world in
            let liked = try await world.gif("Liked", "tags=heart")
            let shown = try await world.gif("Shown", "tags=wave")
            let only = try await world.gif("Only taken")
            try await world.gif("Newest")
            #expect(try await world.gifs("/trending").titles == ["Newest", "Only taken", "Shown", "Liked"])
            for person in [MediaWorld.minji, MediaWorld.haruto] {
                _ = try await world.send(.post, "/api/v1/gifs/favourites/\(liked)", as: person)
            }
            let taken = try attachment(try await world.send(.post, "/api/v1/gifs/\(shown)/media")).id
            _ = try await world.send(.post, "/api/v1/gifs/\(only)/media")
            let use = Showing(
                kind: .post,
                subject: 1,
                version: 1,
                uploads: [try #require(MediaID(taken))],
                mayReplace: false
            )
            let now = world.clock.now
            try await world.dependencies.database.transaction { transaction in
                try await Uses.keep([use], at: now, in: transaction)
            }
            for _ in 0..<2 {
                try await world.sweep()
                #expect(try await world.gifs("/trending").titles == ["Liked", "Shown", "Newest", "Only taken"])
            }
            let searches = try await world.send(.get, "/api/v1/gifs/searches", as: nil)
            #expect(searches.text.hasPrefix(#"{"data":["heart","wave"]"#), "\(searches.text)")
            try await world.sweep(after: .seconds(8 * 24 * 3600))
            #expect(try await world.gifs("/trending").titles == ["Newest", "Only taken", "Shown", "Liked"])
        }
    }
}
