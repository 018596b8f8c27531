// SPDX-License-Identifier: Apache-2.0
// The catalogue of books: what sources tell, as one list.

import Domain
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import SearchService

@Suite struct BookTests {
    /// 소년이 온다, as shops tell of it.
    private static let novel = FakeBook(isbn: "8936434128 9788936434120", title: "소년이 온다")

    @Test(arguments: BookSourceName.allCases)
    func `what a source tells is shown as agreed`(_ name: BookSourceName) async throws {
        var book = Self.novel
        book.translators = ["데보라 스미스"]
        try await SearchWorld.runBooks([(name, [book])]) { world, fakes in
            let found = await world.send(.get, "/api/v1/books?q=%EC%86%8C%EB%85%84", as: SearchWorld.reader)
            let shown = await world.send(.get, "/api/v1/books/89-364-3412-8", as: SearchWorld.reader)
            let asked = fakes[0].asked.joined(separator: "\n")
            try expectGolden("search/books-\(name)", "\(asked)\n\n\(found.text)\n\n\(shown.text)\n")
        }
    }

    @Test func `one edition is shown once, by the word of the first source, completed by the others`() async throws {
        let bare = FakeBook(
            isbn: "9788936434120",
            title: "소년이 온다 (한강 장편소설)",
            authors: [],
            publisher: "",
            description: ""
        )
        var other = Self.novel
        other.authors = ["Han Kang"]
        other.isbn = "8936434128"
        let told = other
        try await SearchWorld.runBooks([(.naver, [bare]), (.kakao, []), (.google, [told]), (.openLibrary, [told])]) {
            world,
            _ in
            let books = try await world.books("소년이")
            #expect(books.count == 1)
            let book = try #require(books.first)
            #expect(book["id"]?.text == "isbn:9788936434120")
            #expect(book["isbn13"]?.text == "9788936434120" && book["isbn10"]?.text == "8936434128")
            #expect(book["title"]?.text == bare.title)
            #expect(book["authors"] == .array([.string("Han Kang")]))
            #expect(book["publisher"]?.text == "창비" && book["description"]?.text == told.description)
            #expect(book["published_on"]?.text == "2014-05-19" && book["pages"] == .integer(216))
            #expect(book["language"]?.text == "ko" && book["translators"] == .array([]))
            let cover = try #require(book["cover_url"]?.text)
            #expect(cover.hasPrefix("https://madang.test/media/c/"), "whoever looks at it asks nobody else")
            #expect(CoverLink.source(of: cover)?.hasPrefix("https://shopping-phinf.pstatic.net/") == true)
            #expect(book["sources"] == .array(["naver", "google", "openlibrary"].map { .string($0) }))
        }
    }

    /// Shops of Korea make ten digits of what has none.
    @Test func `thirteen digits count before ten`() {
        #expect(BookText.isbn(["1160505225", "9791160505221"])?.text13 == "9791160505221")
        #expect(BookText.isbn(["9791160505221", "1160505225"])?.text10 == nil)
        #expect(BookText.isbn(["8936434128"])?.text13 == "9788936434120")
        #expect(BookText.isbn(["89364341280", "x", ""]) == nil)
    }

    @Test(arguments: [
        ("<b>소년</b>이 온다", "소년이 온다"), ("『１Ｑ８４』　ＢＯＯＫ１", "『１Ｑ８４』　ＢＯＯＫ１"),
        ("&lt;b&gt;굵게&lt;/b&gt;", "<b>굵게</b>"), ("&amp;lt;", "&lt;"), ("R&B와 <B>재즈</B>", "R&B와 <B>재즈</B>"),
        ("&quot;죄와 벌&quot; &#39;1&#39; &#x27;2&#X27;", "\"죄와 벌\" '1' '2'"), ("a < b > c & d;", "a < b > c & d;"),
        ("ノルウェイの森 <上>", "ノルウェイの森 <上>"),
        ("&bogus; &#; &#x; &#xD800; &#1114112;", "&bogus; &#; &#x; &#xD800; &#1114112;"),
        ("<b><b>겹</b></b>", "겹"), ("<b", "<b"), ("&", "&"), ("&amp", "&amp"), ("がぎぐ", "がぎぐ"),
        ("각", "각"),
    ])
    func `only marks and escapes go from a title`(_ told: String, _ title: String) {
        #expect(Array(NaverBooks.unmarked(told).utf8) == Array(title.utf8))
        #expect(Array((BookText.line(NaverBooks.unmarked(told), most: 500) ?? "").utf8) == Array(title.utf8))
    }

    @Test func `texts of others are lines and paragraphs within their bounds`() {
        #expect(BookText.line(" \n가\u{0}\u{1B}나\r\n다\t ", most: 500) == "가나 다")
        #expect(BookText.line("   ", most: 500) == nil && BookText.line(nil, most: 500) == nil)
        #expect(BookText.line(String(repeating: "가", count: 9000), most: 500)?.unicodeScalars.count == 500)
        #expect(BookText.paragraph("가\n\n나\u{7}", most: 500) == "가\n\n나")
        #expect(BookText.names((0..<99).map { "저자 \($0)" }).count == ToldBook.Limits.names)
        for bad in [
            "javascript:alert(1)", "//a.test", "https://", "https:// a.test", "https://a.test/\"><", "ftp://a.test",
            "https://a.test/" + String(repeating: "a", count: 2000), "http://\u{0}",
        ] { #expect(BookText.url(bad) == nil, "\(bad)") }
        #expect(BookText.url("http://a.test/가?b=c#d") == "http://a.test/가?b=c#d")
        for (told, date) in [
            ("20140519", "2014-05-19"), ("2014-05-19T00:00:00.000+09:00", "2014-05-19"), ("2004", "2004"),
            ("2004*", "2004"),
            ("May 19, 2014", "2014"), ("2014-05", "2014-05"), ("20141399", nil), ("", nil), ("unknown", nil),
            (String(repeating: "2", count: 1_000_000), nil),
        ] as [(String, String?)] { #expect(BookText.date(told)?.description == date, "\(told.prefix(40))") }
    }

    // MARK: Pages

    /// Whatever the size of its pages, whoever pages through all sees each once, and each part is asked for once.
    @Test func `pages join without gap and double`() async throws {
        let (all, some) = (FakeBook.some(130, of: "마당"), FakeBook.some(70, of: "마당", from: 100))
        try await SearchWorld.runBooks([(.naver, all), (.kakao, some)]) { world, fakes in
            var first: [String] = []
            for limit in [30, 50, 7, 1, Int.random(in: 2...50)] {
                var seen: [String] = []
                var offset: Int? = 0
                while let start = offset {
                    let path = "/api/v1/books?q=%EB%A7%88%EB%8B%B9&limit=\(limit)&offset=\(start)"
                    let answer = await world.send(.get, path, as: SearchWorld.reader)
                    seen += try JSON(bytes: answer.body).elements.map { $0["isbn13"]?.text ?? "" }
                    offset = Self.offset("next", of: answer)
                    #expect((Self.offset("prev", of: answer) == nil) == (start == 0))
                }
                #expect(seen.count == 170 && Set(seen).count == 170, "by \(limit)")
                if first.isEmpty { first = seen }
                #expect(seen == first, "by \(limit)")
            }
            // In turns: the best of each stand in front.
            #expect(Array(first.prefix(3)) == [FakeBook.number(0), FakeBook.number(100), FakeBook.number(1)])
            #expect(fakes.map(\.asked.count) == [4, 2])
        }
    }

    private static func offset(_ relation: String, of answer: Answer) -> Int? {
        let link = answer.headers[.link]?.split(separator: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }
        return link.flatMap { $0.firstMatch(of: /[?&]offset=(\d+)>/) }.flatMap { Int($0.1) }
    }

    @Test func `whoever jumps gets there in steps, and nobody gets behind a thousand`() async throws {
        try await SearchWorld.runBooks([(.naver, FakeBook.some(1200, of: "마당"))]) { world, fakes in
            #expect(try await world.titles("마당", "&offset=990&limit=50") == [])
            #expect(fakes[0].asked.count == 3)
            for _ in 0..<8 { _ = try await world.titles("마당", "&offset=990&limit=50") }
            #expect(try await world.titles("마당", "&offset=990&limit=50") == (990..<1000).map { "마당 \($0)" })
            #expect(fakes[0].asked.count == 25)
            for far in ["1000", "1001", "9223372036854775807"] {
                #expect(try await world.titles("마당", "&offset=\(far)") == [])
            }
            #expect(fakes[0].asked.count == 25)
            let answer = await world.send(.get, "/api/v1/books?q=%EB%A7%88%EB%8B%B9&offset=990", as: SearchWorld.reader)
            #expect(Self.offset("next", of: answer) == nil && Self.offset("prev", of: answer) == 960)
        }
    }

    // MARK: What is kept

    @Test func `what was answered is not asked for again before its time`() async throws {
        try await SearchWorld.runBooks([(.naver, FakeBook.some(3, of: "harry potter")), (.google, [])]) {
            world,
            fakes in
            for text in ["Harry  Potter", " harry potter", "HARRY\tPOTTER\n"] {
                let titles = try await world.titles(text)
                #expect(titles.count == 3)
            }
            #expect(fakes.map(\.asked.count) == [1, 1])
            world.clock.advance(.seconds(24 * 3600 - 1))
            #expect(try await world.titles("harry potter").count == 3)
            #expect(fakes.map(\.asked.count) == [1, 1])
            world.clock.advance(.seconds(1))
            #expect(try await world.titles("harry potter").count == 3)
            #expect(fakes.map(\.asked.count) == [2, 2])
        }
    }

    /// Letters that a keyboard or a file name has apart are the syllables that they make.
    @Test func `syllables are looked for however they are written`() async throws {
        try await SearchWorld.runBooks([(.naver, FakeBook.some(1, of: "각"))]) { world, fakes in
            let (apart, whole) = (try await world.titles("\u{1100}\u{1161}\u{11A8}"), try await world.titles("각"))
            #expect(apart == ["각 0"] && whole == apart)
            #expect(fakes[0].asked.count == 1)
        }
    }

    @Test func `a question is under way once among all processes`() async throws {
        let held = Gauge()
        try await SearchWorld.runBooks([(.naver, []), (.kakao, [])]) { world, fakes in
            fakes[0].instead { connection in
                held.during { connection.wait(milliseconds: 300) }
                connection.answer(
                    type: "application/json",
                    #"{"total":1,"items":[{"title":"하나","isbn":"9788936434120"}]}"#
                )
            }
            let others = try (0..<3).map { _ in try world.asking(try fakes.map { try $0.source() }) }
            let found = try await withThrowingTaskGroup(of: [String].self) { group in
                for world in others + others { group.addTask { try await world.titles("하나") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found == Array(repeating: ["하나"], count: 6))
            #expect(fakes.map(\.asked.count) == [1, 1] && held.most == 1)
        }
    }

    @Test func `what is old goes, what serves stays`() async throws {
        try await SearchWorld.runBooks([(.naver, FakeBook.some(2, of: "마당"))]) { world, _ in
            _ = try await world.titles("마당")
            func rows() async throws -> [Int64] {
                let counts: SQL =
                    "SELECT count(*) FROM books UNION ALL SELECT count(*) FROM book_answers UNION ALL SELECT count(*) FROM book_asks"
                return try await world.database.query(counts).all { try $0.next() }
            }
            for (passed, left) in [(29, [2, 1, 1]), (2, [0, 0, 1]), (1, [0, 0, 0])] as [(Int64, [Int64])] {
                world.clock.advance(.seconds(86_400 * passed))
                for sweep in BookSweeps.all(world.dependencies) { try await sweep.finish(in: world.database) }
                #expect(try await rows() == left)
            }
        }
        var settings = BookSettings()
        (settings.answers, settings.books) = (1, 2)
        let small = settings
        try await SearchWorld.runBooks([(.naver, FakeBook.some(2, of: "마당") + FakeBook.some(2, of: "들", from: 5))]) {
            world,
            _ in
            _ = try await world.titles("마당")
            world.clock.advance(.seconds(1))
            _ = try await world.titles("들")
            let full = try world.with { $0.books = BookCatalogue(small) }
            for sweep in BookSweeps.all(full.dependencies) { try await sweep.finish(in: world.database) }
            #expect(try await full.titles("들") == ["들 5", "들 6"])
            #expect(try await full.titles("마당") == [])
        }
    }

    // MARK: One book

    @Test func `a number finds its book by all sources, however it is written`() async throws {
        var page = Self.novel
        page.title = "Human Acts"
        try await SearchWorld.runBooks([(.naver, [Self.novel]), (.google, [page])]) { world, fakes in
            for number in ["9788936434120", "978-89-364-3412-0", "8936434128", "89%20364%203412%208"] {
                let answer = await world.send(.get, "/api/v1/books/\(number)", as: SearchWorld.reader)
                #expect(answer.status == .ok)
                let book = try JSON(bytes: answer.body)
                #expect(book["title"]?.text == "소년이 온다" && book["pages"] == .integer(216))
                #expect(try await world.titles(number.replacing("%20", with: " ")) == ["소년이 온다"])
            }
            #expect(fakes.map(\.asked.count) == [1, 1])
            #expect(try await world.titles("9788936434120", "&offset=1") == [])
            for number in ["9788936434121", "소년", "0", "9791190090018"] {
                let answer = await world.send(.get, "/api/v1/books/\(number.percentEncoded)", as: SearchWorld.reader)
                #expect(answer.status == .notFound)
            }
            // Of what is no number nobody is asked.
            #expect(fakes.map(\.asked.count) == [2, 2])
        }
    }

    /// Shops find words in numbers too.
    @Test func `another book is not the one`() async throws {
        try await SearchWorld.runBooks([(.naver, [])]) { world, fakes in
            fakes[0].instead {
                $0.answer(type: "application/json", #"{"total":1,"items":[{"title":"다른 책","isbn":"9784062748681"}]}"#)
            }
            let answer = await world.send(.get, "/api/v1/books/9788936434120", as: SearchWorld.reader)
            #expect(answer.status == .notFound)
        }
    }

    // MARK: Who may ask for what

    @Test func `what cannot be looked for is refused`() async throws {
        try await SearchWorld.runBooks([(.naver, [])]) { world, fakes in
            for query in [
                "", "?q=", "?q=%20%0A", "?q=\(String(repeating: "a", count: 201))", "?q=a&limit=0", "?q=a&limit=-1",
                "?q=a&limit=x", "?q=a&offset=-1", "?q=a&offset=x", "?q=a&offset=9223372036854775808",
            ] {
                let answer = await world.send(.get, "/api/v1/books\(query)", as: SearchWorld.reader)
                #expect(answer.status == .unprocessableContent, "\(query) \(answer.text)")
            }
            #expect(await world.send(.get, "/api/v1/books?q=a").status == .unauthorized)
            #expect(await world.send(.get, "/api/v1/books/9788936434120").status == .unauthorized)
            #expect(fakes[0].asked == [])
            for text in [String(repeating: "가", count: 200), "!!! ... ???"] {
                let titles = try await world.titles(text)
                #expect(titles == [])
            }
        }
    }

    @Test func `where nobody may be asked the list is what was told, and else empty`() async throws {
        try await SearchWorld.runBooks([(.naver, [Self.novel])]) { world, fakes in
            let alone = try world.asking([])
            #expect(try await alone.titles("소년이") == [])
            #expect(await alone.send(.get, "/api/v1/books/9788936434120", as: SearchWorld.reader).status == .notFound)
            #expect(try await world.titles("소년이 온다") == ["소년이 온다"])
            // By any of its words, its people, its publisher.
            for text in ["소년", "온다 소년", "한강", "창비 한강", "8936434128"] {
                #expect(try await alone.titles(text) == ["소년이 온다"], "\(text)")
            }
            #expect(try await alone.titles("소년 없음") == [])
            #expect(fakes[0].asked.count == 1)
            world.clock.advance(.seconds(30 * 86_400))
            #expect(try await alone.titles("소년") == [])
        }
    }
}
