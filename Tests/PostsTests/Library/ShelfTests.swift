// SPDX-License-Identifier: Apache-2.0
// A shelf as its owner uses it: books, readings, favourites, goals.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ShelfTests {
    private static let prince: [String: any Sendable] = [
        "title": "어린 왕자", "authors": ["생텍쥐페리"], "isbn13": "978-89-329-1724-5", "pages": 136,
        "published_on": "2015-10", "publisher": "열린책들",
    ]

    @Test func aBookHasManyReadingsAndIsOnTheShelfOnce() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let first = try await world.shelve("어린 왕자", as: mina, ["state": "finished"], book: Self.prince)
            var other = Self.prince
            other["title"] = "The Little Prince"
            other["isbn13"] = nil
            other["isbn10"] = "8932917248"
            other["cover_url"] = "https://covers.example/1.jpg"
            let again = try await world.ask(.post, "/api/v1/shelf/records", as: mina, ["book": other]).object
            let book = try #require(again["book"] as? [String: Any])
            // The owner's copy stays as it is and learns what it did not know.
            #expect(book["title"] as? String == "어린 왕자")
            let cover = try #require(book["cover_url"] as? String)
            #expect(cover.hasPrefix("https://madang.example/media/c/"), "whoever looks at it asks nobody else")
            #expect(CoverLink.source(of: cover) == "https://covers.example/1.jpg")
            #expect(book["published_on"] as? String == "2015-10")
            let shelf = try await world.ask(.get, "/api/v1/shelf", as: mina).list
            #expect(shelf.count == 1)
            #expect(shelf.first?["records_count"] as? Int == 2)
            let id = try #require(shelf.first?["id"] as? String)
            let newest = try #require(shelf.first?["newest_record"] as? [String: Any])
            #expect(newest["id"] as? String == again["id"] as? String)
            #expect(
                try await world.ids("/api/v1/shelf/books/\(id)/records", as: mina)
                    == [try #require(again["id"] as? String), first]
            )
        }
    }

    @Test func aCoverIsKeptByItsOwnAddressHoweverItComes() async throws {
        try await GraphWorld.run { world in
            let (mina, source) = (try await world.person("mina"), "https://covers.example/a.jpg?size=M")
            let link = try #require(world.dependencies.site.cover(source))
            var book = Self.prince
            book["cover_url"] = link
            let made = try await world.ask(
                .post,
                "/api/v1/shelf/records",
                as: mina,
                ["book": book, "visibility": "public", "state": "finished"]
            ).object
            let told = try #require(try await world.told(RecordPublished.self).last)
            #expect(told.record.book.coverURL == source)
            let shown = try #require(made["book"] as? [String: Any])
            #expect(shown["cover_url"] as? String == link)
            // A device sends a book back as it came: nothing has changed.
            let before = try await world.ask(.get, "/api/v1/shelf/changes", as: mina).object
            let write: [String: any Sendable] = [
                "key": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "type": "book",
                "id": try #require(shown["id"] as? String),
                "data": book,
            ]
            _ = try await world.ask(.post, "/api/v1/shelf/changes", as: mina, ["writes": [write]])
            let after = try await world.ask(.get, "/api/v1/shelf/changes", as: mina).object
            #expect(before["next"] as? String == after["next"] as? String)
            // What is taken elsewhere must not lead back here.
            for format in ["json", "csv"] {
                let export = try await world.ask(.get, "/api/v1/shelf/export?format=\(format)", as: mina).text
                #expect(export.contains(source) && !export.contains("/media/c/"), "\(format)")
            }
            let path = "/api/v1/shelf/records/\(try made.id)/share"
            let post = try await world.ask(.post, path, as: mina).object
            let card = try #require(post["card"] as? [String: Any])
            #expect(card["image"] as? String == link)
        }
    }

    @Test func booksWithoutANumberAreOneByTitleAndAuthorsWhateverTheirWidth() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            for (title, author) in [("ＡＢＣ殺人事件", "Christie"), ("abc殺人事件", "ＣＨＲＩＳＴＩＥ"), ("ABC殺人事件", "Other")] {
                try await world.shelve(title, as: mina, book: ["authors": [author]])
            }
            #expect(try await world.titles("/api/v1/shelf", as: mina) == ["ABC殺人事件", "ＡＢＣ殺人事件"])
        }
    }

    @Test func theLastReadingTakesItsBookAlong() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let first = try await world.shelve("a", as: mina)
            let second = try await world.shelve("a", as: mina)
            let book = try #require(try await world.ids("/api/v1/shelf", as: mina).first)
            try await world.ask(.delete, "/api/v1/shelf/records/\(first)", as: mina)
            #expect(try await world.ids("/api/v1/shelf", as: mina) == [book])
            try await world.ask(.delete, "/api/v1/shelf/records/\(second)", as: mina)
            #expect(try await world.ids("/api/v1/shelf", as: mina) == [])
            try await world.ask(.get, "/api/v1/shelf/books/\(book)", as: mina, code: 404)
            try await world.ask(.delete, "/api/v1/shelf/records/\(second)", as: mina, code: 404)
            #expect(try await world.number("SELECT count(*) FROM shelf_books") == 0)
        }
    }

    @Test func aShelfIsSearchedWhateverCaseAndWidth() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let jun = try await world.person("jun")
            try await world.shelve("어린 왕자", as: mina, book: ["authors": ["Antoine de Saint-Exupéry"]])
            try await world.shelve("カラマーゾフの兄弟", as: mina, book: ["publisher": "新潮社"])
            try await world.shelve("100% wool_sheep", as: mina)
            try await world.shelve("왕자", as: jun)
            let queries = [
                "왕자": ["어린 왕자"], "ＥＸＵＰＥＲＹ antoine": ["어린 왕자"], "からまーぞふ": ["カラマーゾフの兄弟"], "ｶﾗﾏｰｿﾞﾌ 新潮": ["カラマーゾフの兄弟"],
                "왕자 없음": [], "%": ["100% wool_sheep"], "l_s": ["100% wool_sheep"], "l%s": [], "\\": [],
                "  ": ["100% wool_sheep", "カラマーゾフの兄弟", "어린 왕자"],
            ]
            for (query, titles) in queries {
                let text = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                #expect(try await world.titles("/api/v1/shelf?q=\(text)", as: mina) == titles, "\(query)")
            }
            try await world.ask(.get, "/api/v1/shelf?q=a+b+c+d+e+f", as: mina, code: 422)
        }
    }

    @Test func listsArePagedAndSaidToBeWhatTheyAre() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            var ids: [String] = []
            for number in 0..<7 {
                let state = number.isMultiple(of: 2) ? "planned" : "finished"
                let day = "202\(number)-02-0\(number + 1)"
                ids.append(
                    try await world.shelve("\(number)", as: mina, ["state": state, "ended_on": number == 0 ? "" : day])
                )
            }
            for path in ["shelf", "shelf/records"] {
                let pages = try await world.walk("/api/v1/\(path)?limit=3", "next", as: mina)
                #expect(pages.filter { !$0.isEmpty }.map(\.count) == [3, 3, 1], "\(path)")
                #expect(Set(pages.joined()).count == 7)
            }
            #expect(
                try await world.ids("/api/v1/shelf/records?state=planned", as: mina) == [
                    ids[6], ids[4], ids[2], ids[0],
                ]
            )
            #expect(try await world.ids("/api/v1/shelf/records?year=2023", as: mina) == [ids[3]])
            #expect(try await world.ids("/api/v1/shelf/records?year=2023&month=2", as: mina) == [ids[3]])
            #expect(try await world.ids("/api/v1/shelf/records?year=2023&month=3", as: mina) == [])
            // Favourites stand in the order in which they became such.
            for id in [ids[5], ids[1], ids[3]] {
                try await world.ask(.post, "/api/v1/shelf/records/\(id)/favourite", as: mina)
                world.clock.advance(.seconds(1))
            }
            #expect(try await world.ids("/api/v1/shelf/favourites", as: mina) == [ids[3], ids[1], ids[5]])
            let pages = try await world.walk("/api/v1/shelf/favourites?limit=2", "next", as: mina)
            #expect(Array(pages.joined()) == [ids[3], ids[1], ids[5]])
            // Again is no change.
            try await world.ask(.post, "/api/v1/shelf/records/\(ids[5])/favourite", as: mina)
            try await world.ask(.post, "/api/v1/shelf/records/\(ids[1])/unfavourite", as: mina)
            #expect(try await world.ids("/api/v1/shelf/favourites", as: mina) == [ids[3], ids[5]])
        }
    }

    @Test func aRecordSaysWhatItWasTold() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let said: [String: any Sendable] = [
                "state": "reading", "rating": 4.5, "one_line": " 좋다 ", "review": "긴\n글", "started_on": "2024-02-29",
                "quotes": [["text": "가장 중요한 것은", "page": 87] as [String: any Sendable]],
                "favourite": true, "visibility": "followers",
                "progress": [["day": "2024-03-01", "page": 34] as [String: any Sendable]],
            ]
            let id = try await world.shelve("어린 왕자", as: mina, said, book: Self.prince)
            var record = try await world.record(id, as: mina)
            #expect(record["rating"] as? Double == 4.5)
            #expect(record["one_line"] as? String == "좋다")
            #expect(record["review"] as? String == "긴\n글")
            #expect(record["percent"] as? Int == 25)
            #expect(record["year"] is NSNull)
            // What is not named stays; null and the empty text take away.
            let path = "/api/v1/shelf/records/\(id)"
            try await world.ask(
                .put,
                path,
                as: mina,
                ["state": "finished", "ended_on": "2024-03-31", "rating": NSNull(), "one_line": ""]
            )
            record = try await world.record(id, as: mina)
            #expect(record["rating"] is NSNull && record["one_line"] is NSNull)
            #expect(record["review"] as? String == "긴\n글")
            #expect(record["year"] as? Int == 2024 && record["month"] as? Int == 3)
            #expect(record["favourite"] as? Bool == true)
            let version = try #require(record["version"] as? Int)
            // The same again is no change.
            try await world.ask(.put, path, as: mina, ["state": "finished", "ended_on": "2024-03-31"])
            #expect(try await world.record(id, as: mina)["version"] as? Int == version)
            try await world.ask(.put, path, as: mina, ["ended_on": "2024-02-28"], code: 422)
            #expect(try await world.number("SELECT ended_year * 100 + ended_month FROM reading_records") == 202_403)
        }
    }

    @Test func progressHasItsDays() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let id = try await world.shelve("a", as: mina, ["state": "reading"], book: ["pages": 200])
            let path = "/api/v1/shelf/records/\(id)/progress"
            // 2026-01-02T03:04Z is the day before in Honolulu, and the same in Kiritimati.
            try await world.ask(.post, path, as: mina, ["page": 50, "time_zone": "Pacific/Honolulu"])
            try await world.ask(.post, path, as: mina, ["page": 90, "time_zone": "Pacific/Kiritimati"])
            try await world.ask(.post, path, as: mina, ["page": 100, "time_zone": "Pacific/Kiritimati"])
            try await world.ask(.post, path, as: mina, ["percent": 10, "day": "2025-12-24"])
            try await world.ask(.post, path, as: mina, ["page": 1], code: 422)
            var record = try await world.record(id, as: mina)
            let days = try #require(record["progress"] as? [[String: Any]])
            #expect(days.compactMap { $0["day"] as? String } == ["2025-12-24", "2026-01-01", "2026-01-02"])
            #expect(record["page"] as? Int == 100 && record["percent"] as? Int == 50)
            // What says nothing takes its day back.
            try await world.ask(.post, path, as: mina, ["day": "2026-01-02"])
            record = try await world.record(id, as: mina)
            #expect(record["page"] as? Int == 50)
            #expect((record["progress"] as? [Any])?.count == 2)
        }
    }

    @Test func aReadingEndsTodayWhereItsReaderIs() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            for (zone, day) in [("Pacific/Honolulu", "2026-01-01"), ("Asia/Seoul", "2026-01-02"), (nil, nil)] {
                let id = try await world.shelve("a", as: mina, ["state": "reading"])
                let body: [String: any Sendable] = ["state": "finished", "time_zone": zone ?? ""]
                try await world.ask(.put, "/api/v1/shelf/records/\(id)", as: mina, body)
                #expect(try await world.record(id, as: mina)["ended_on"] as? String == day)
            }
            for zone in [
                "Nowhere/City", "KST", "ABC+3", "Etc/ABC+3", "../UTC", "Asia/../UTC", "Asia/Seoul'", "Asia/Seoul+3",
            ] {
                let text = try #require(zone.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let path = "/api/v1/shelf/statistics?time_zone=\(text)"
                try await world.ask(.get, path, as: mina, code: 422)
            }
        }
    }

    @Test func aBookIsCorrectedByItsOwner() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            try await world.shelve("어린 왕짜", as: mina)
            try await world.shelve("다른 책", as: mina)
            let ids = try await world.ids("/api/v1/shelf", as: mina)
            let path = "/api/v1/shelf/books/\(ids[1])"
            let book = try await world.ask(.put, path, as: mina, ["title": "어린 왕자", "pages": 136]).object
            #expect(book["title"] as? String == "어린 왕자")
            #expect(try await world.titles("/api/v1/shelf?q=%EC%99%95%EC%9E%90", as: mina) == ["어린 왕자"])
            let refused = try await world.ask(.put, path, as: mina, ["title": "다른 책"], code: 422)
            #expect(refused.text.contains(#""code":"taken""#) || refused.text.contains("ERR_TAKEN"))
        }
    }

    @Test func goalsAreReachedOnce() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let goal = try await world.ask(.put, "/api/v1/shelf/goals/2026", as: mina, ["books": 2]).object
            #expect(goal["progress"] as? Int == 0 && goal["month"] is NSNull)
            try await world.ask(.put, "/api/v1/shelf/goals/2026-03", as: mina, ["books": 1])
            func reached() async throws -> [String] {
                try await world.events().filter { $0.type == GoalReached.type }.map(\.subject)
            }
            try await world.shelve("a", as: mina, ["state": "finished", "ended_on": "2026-02-28"])
            #expect(try await reached() == [])
            try await world.shelve("b", as: mina, ["state": "finished", "ended_on": "2026-03-01"])
            try await world.shelve("c", as: mina, ["state": "finished", "ended_on": "2026-03-02"])
            #expect(try await reached().sorted() == ["\(mina.id)-2026", "\(mina.id)-2026-3"])
            let goals = try await world.ask(.get, "/api/v1/shelf/goals?year=2026", as: mina).list
            #expect(goals.compactMap { $0["progress"] as? Int } == [150, 200])
            #expect(goals.allSatisfy { $0["reached_at"] is String })
            // More is meant to be read: there is something to reach again.
            try await world.ask(.put, "/api/v1/shelf/goals/2026", as: mina, ["books": 4])
            try await world.shelve("d", as: mina, ["state": "finished", "ended_on": "2026-12-31"])
            #expect(try await reached().count == 3)
            try await world.ask(.delete, "/api/v1/shelf/goals/2026-03", as: mina)
            try await world.ask(.delete, "/api/v1/shelf/goals/2026-03", as: mina, code: 404)
            for period in ["2026-13", "26", "2026-1", "0000", "2026-01-01", ":period", "abcd"] {
                try await world.ask(.put, "/api/v1/shelf/goals/\(period)", as: mina, ["books": 1], code: 404)
            }
            for books in ["0", "-1", "100001", "x", ""] {
                let answer = try await world.send(
                    .put,
                    "/api/v1/shelf/goals/2027",
                    as: mina,
                    type: "application/x-www-form-urlencoded",
                    body: "books=\(books)"
                )
                #expect(answer.code == 422 || answer.code == 400, "\(books)")
            }
        }
    }

    @Test func aShelfHasItsBounds() async throws {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            var limits = Limits()
            (limits.library.records, limits.library.goals, limits.library.days) = (2, 1, 2)
            let world = try GraphWorld(database, limits: limits)
            let mina = try await world.person("mina")
            let id = try await world.shelve("a", as: mina)
            try await world.shelve("a", as: mina)
            try await world.ask(.post, "/api/v1/shelf/records", as: mina, ["book": ["title": "b"]], code: 422)
            #expect(try await world.titles("/api/v1/shelf", as: mina) == ["a"])
            try await world.ask(.put, "/api/v1/shelf/goals/2026", as: mina, ["books": 1])
            try await world.ask(.put, "/api/v1/shelf/goals/2027", as: mina, ["books": 1], code: 422)
            try await world.ask(.put, "/api/v1/shelf/goals/2026", as: mina, ["books": 2])
            for day in 1...2 {
                let body: [String: any Sendable] = ["day": "2026-01-0\(day)", "page": day]
                try await world.ask(.post, "/api/v1/shelf/records/\(id)/progress", as: mina, body)
            }
            let body: [String: any Sendable] = ["day": "2026-01-03", "page": 3]
            try await world.ask(.post, "/api/v1/shelf/records/\(id)/progress", as: mina, body, code: 422)
        }
    }
}
