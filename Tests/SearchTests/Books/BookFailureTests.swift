// SPDX-License-Identifier: Apache-2.0
// Sources of books that do not answer, or answer what is none, and what nobody may learn.

import Domain
import Foundation
import HTTPTypes
import JSON
import Logging
import NIOCore
import Outbound
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing
import Web

@testable import SearchService

@Suite struct BookFailureTests {
    private static let bad: [(String, @Sendable (WebConnection) -> Void)] = [
        ("nothing", { _ in }),
        ("an error", { $0.answer(status: "500 Internal Server Error", #"{"errorCode":"SE99"}"#) }),
        ("no right", { $0.answer(status: "401 Unauthorized", "") }),
        ("too many", { $0.answer(status: "429 Too Many Requests", "") }),
        ("no JSON", { $0.answer("<html>") }),
        ("half of it", { $0.answer(type: "application/json", #"{"items":["#) }),
        ("another type", { $0.answer(type: "application/json", "[]") }),
        ("no UTF-8", { $0.answer(type: "application/json", [0x7B, 0xFF, 0x7D]) }),
        ("deep", { $0.answer(type: "application/json", #"{"items":"# + String(repeating: "[", count: 100_000)) }),
        ("a redirect", { $0.redirect(to: "http://169.254.169.254/latest/meta-data") }),
        (
            "far too much",
            { connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
                while connection.write([UInt8](repeating: 0x20, count: 65_536)) {}
            }
        ),
    ]

    /// Of two sources one is bad: what the other has is shown, and the bad one rests.
    @Test(arguments: bad.indices)
    func `whoever fails is left alone, and the others are shown`(_ index: Int) async throws {
        let (what, manner) = Self.bad[index]
        try await SearchWorld.runBooks([(.naver, FakeBook.some(1, of: "마당")), (.kakao, FakeBook.some(2, of: "마당"))]) {
            world,
            fakes in
            let metrics = Metrics()
            let world = try world.asking(try fakes.map { try $0.source() }, metrics: metrics)
            fakes[0].instead(manner)
            #expect(try await world.titles("마당") == ["마당 0", "마당 1"], "\(what)")
            #expect(try await world.titles("마당 1") == ["마당 1"], "\(what)")
            #expect(fakes.map(\.asked.count) == [1, 2], "\(what)")
            let failed = #"madang_search_book_asks_total{provider="naver",outcome="failed"} 1"#
            #expect(metrics.exposition().contains(failed), "\(what)\n\(metrics.exposition())")
            // After a rest it is asked again.
            world.clock.advance(.seconds(31))
            fakes[0].instead(nil)
            #expect(try await world.books("마당").first?["sources"] == .array([.string("naver"), .string("kakao")]))
            #expect(fakes.map(\.asked.count) == [2, 2], "\(what)")
        }
    }

    @Test func `whoever is slow keeps nobody waiting`() async throws {
        try await SearchWorld.runBooks([(.naver, []), (.kakao, FakeBook.some(1, of: "마당"))]) { world, fakes in
            // So much that the quick one answers meanwhile, whatever else the machine does.
            let world = try world.asking(try fakes.map { try $0.source() }, patience: .seconds(10))
            // A byte now and then.
            fakes[0].instead { connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
                while connection.write(" ") { connection.wait(milliseconds: 50) }
            }
            #expect(try await world.titles("마당") == ["마당 0"])
            // It rests: the next is not kept waiting at all.
            #expect(try await world.titles("마당 0") == ["마당 0"])
            #expect(fakes.map(\.asked.count) == [1, 2])
        }
    }

    /// It answers nobody before the other has answered all.
    @Test func `whoever is slow takes no turn of the others`() async throws {
        let questions = 12
        try await SearchWorld.runBooks([(.naver, []), (.kakao, FakeBook.some(questions, of: "마당", from: 100))]) {
            world,
            fakes in
            let (slow, quick) = (fakes[0], fakes[1])
            slow.instead { connection in
                while quick.asked.count < questions { connection.wait(milliseconds: 10) }
                connection.answer(type: "application/json", #"{"total":0,"items":[]}"#)
            }
            let found = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 100..<100 + questions { group.addTask { try await world.titles("마당 \(number)") } }
                return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
            }
            #expect(found == Set((100..<100 + questions).map { "마당 \($0)" }))
            #expect(fakes.map(\.asked.count) == [questions, questions])
        }
    }

    @Test func `what was told stands in for who does not answer`() async throws {
        try await SearchWorld.runBooks([(.naver, FakeBook.some(3, of: "마당"))]) { world, fakes in
            let titles = try await world.titles("마당")
            #expect(titles.count == 3)
            fakes[0].instead { $0.answer(status: "503 Service Unavailable", "") }
            world.clock.advance(.seconds(25 * 3600))
            // The answer of yesterday.
            #expect(try await world.titles("마당").count == 3)
            // What others asked for.
            #expect(try await world.titles("마당 2") == ["마당 2"])
            let answer = await world.send(.get, "/api/v1/books/\(FakeBook.number(1))", as: SearchWorld.reader)
            #expect(try JSON(bytes: answer.body)["title"]?.text == "마당 1")
            #expect(fakes[0].asked.count == 2)
        }
    }

    @Test func `words that a source does not take are no reason to leave it alone`() async throws {
        try await SearchWorld.runBooks([(.naver, FakeBook.some(1, of: "마당")), (.google, [])]) { world, fakes in
            for fake in fakes { fake.instead { $0.answer(status: "400 Bad Request", #"{"errorCode":"SE01"}"#) } }
            #expect(try await world.titles("들") == [])
            for fake in fakes { fake.instead(nil) }
            #expect(try await world.titles("마당") == ["마당 0"])
            #expect(fakes.map(\.asked.count) == [2, 2])
            // A key that is wrong is.
            fakes[1].instead { $0.answer(status: "400 Bad Request", #"{"error":{"message":"API key not valid."}}"#) }
            _ = try await world.titles("산")
            _ = try await world.titles("강")
            #expect(fakes.map(\.asked.count) == [4, 3])
        }
    }

    @Test func `no source is asked more often than a day allows`() async throws {
        try await SearchWorld.runBooks([(.naver, FakeBook.some(1, of: "마당")), (.kakao, [])]) { world, fakes in
            let metrics = Metrics()
            let sources = [try fakes[0].source(daily: 2), try fakes[1].source()]
            let processes = try (0..<2).map { _ in try world.asking(sources, metrics: metrics) }
            for (number, process) in (processes + processes).enumerated() {
                _ = try await process.titles("마당 \(number)")
            }
            #expect(fakes.map(\.asked.count) == [2, 4])
            #expect(metrics.exposition().contains(#"{provider="naver",outcome="spent"} 2"#))
            // The next day it is.
            world.clock.advance(.seconds(12 * 3600))
            #expect(try await processes[0].titles("마당") == ["마당 0"])
            #expect(fakes.map(\.asked.count) == [3, 5])
        }
    }

    /// Not even where they say it themselves.
    @Test func `keys stay here`() async throws {
        let log = RecordedLog()
        try await SearchWorld.runBooks([(.naver, []), (.google, [])]) { world, fakes in
            let logger = Logger(label: "search") { _ in log }
            let world = try world.asking(try fakes.map { try $0.source() }, logger: logger)
            fakes[0].instead {
                $0.answer(
                    type: "application/json",
                    #"{"total":2,"items":[{"title":"하나","isbn":"9788936434120"},{"title":"\#(FakeBooks.key)","isbn":"9784062748681"}]}"#
                )
            }
            fakes[1].instead { $0.answer(status: "403 Forbidden", "\(FakeBooks.key) is spent") }
            let answer = await world.send(.get, "/api/v1/books?q=%ED%95%98%EB%82%98", as: SearchWorld.reader)
            #expect(answer.text.contains("하나") && !answer.text.contains(FakeBooks.key))
            // Naver's stands in a header, Google's in the query.
            #expect(fakes[0].asked.allSatisfy { !$0.contains(FakeBooks.key) })
            #expect(fakes[1].asked.allSatisfy { $0.contains(FakeBooks.key) })
            let rows: [String] = try await world.database.query(
                "SELECT CAST(b AS text) FROM books b UNION ALL SELECT CAST(a AS text) FROM book_answers a"
            ).all { try $0.next() }
            #expect(rows.joined().contains("하나") && !rows.joined().contains(FakeBooks.key))
            let lines = log.lines.withLock { $0 }
            #expect(lines.contains { $0.contains("a source of books") && $0.contains("google") && $0.contains("403") })
            #expect(!lines.joined().contains(FakeBooks.key))
        }
    }

    // MARK: What is none

    private static let sources: [any BookSource] = [
        NaverBooks(id: "id", secret: "secret", access: access), KakaoBooks(key: "key", access: access),
        GoogleBooks(key: nil, access: access), OpenLibraryBooks(access: access),
    ]

    private static let access = BookAccess(server: ServerAddress("http://a.test").unsafelyUnwrapped, daily: 1)

    /// An answer of each with a book in it whose members are all of another type than is documented, or beyond all bounds.
    @Test func `members of other types are passed over`() throws {
        let values = [
            "null", "true", "-1", "1e400", "99999999999999999999", #""""#, #""\u0000""#, #""\ud800""#, "[]", "{}",
            "[null]",
            "[[[]]]", #"[1,"a",null]"#, #"{"a":1}"#, "\"" + String(repeating: "가", count: 20_000) + "\"",
        ]
        let members = [
            "title", "link", "image", "author", "publisher", "pubdate", "isbn", "description", "contents", "url",
            "datetime",
            "authors", "translators", "thumbnail", "id", "volumeInfo", "industryIdentifiers", "pageCount", "language",
            "imageLinks", "infoLink", "key", "author_name", "editions", "cover_i", "subtitle", "publishedDate", "docs",
            "first_publish_year", "publish_date", "number_of_pages",
        ]
        let calls = [BookCall.part("a", number: 24), .isbn(try #require(ISBN("9788936434120")))]
        for value in values {
            let item = "{" + members.map { #""\#($0)":\#(value)"# }.joined(separator: ",") + "}"
            for inner in [item, value, #"{"id":"x","title":"가","key":"/works/OL1W","volumeInfo":\#(item)}"#] {
                let whole = """
                    {"items":[\(inner)],"documents":[\(inner)],"docs":[\(inner)],"total":\(value),"totalItems":7,"numFound":\(value),
                    "meta":{"pageable_count":\(value),"is_end":\(value)}}
                    """
                for source in Self.sources {
                    for call in calls {
                        let answer = RawJSON(ByteBuffer(string: whole))
                        for book in source.read(answer, to: call)?.books ?? [] {
                            #expect(book.title.unicodeScalars.count <= ToldBook.Limits.title && !book.title.isEmpty)
                            #expect((book.description?.unicodeScalars.count ?? 0) <= ToldBook.Limits.description)
                            #expect(book.terms.count <= ToldBook.Limits.terms && book.id.utf8.count <= 400)
                            #expect(try !book.json.contains("\\u0000"))
                        }
                    }
                }
            }
        }
    }

    /// Whatever bytes of an answer are others, nothing traps.
    @Test func `no answer is too damaged to be read`() throws {
        var random = TestSeed()
        let said = #"""
            {"total":2,"totalItems":2,"numFound":2,"meta":{"pageable_count":2,"is_end":true},"items":[{"title":"<b>가&amp;</b>","isbn":"8936434128 9788936434120","pubdate":"20140519","volumeInfo":{"title":"a","industryIdentifiers":[{"type":"ISBN_13","identifier":"9788936434120"}],"pageCount":3},"id":"x"}],"documents":[{"title":"나","url":"https://a.test/?bookId=1","datetime":"2014-05-19T00:00:00.000+09:00","authors":["다"]}],"docs":[{"key":"/works/OL1W","title":"라","editions":{"docs":[{"key":"/books/OL1M","isbn":["9788936434120"],"cover_i":5}]}}]}
            """#
        for _ in 0..<2000 {
            var bytes = Array(said.utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes[place..<min(place + 9, bytes.count)], at: place)
                }
            }
            for source in Self.sources {
                let read = source.read(RawJSON(ByteBuffer(bytes: bytes)), to: .part("a", number: 0))
                for book in read?.books ?? [] { #expect(!book.name.isEmpty && !book.title.isEmpty) }
            }
        }
    }

    // MARK: Settings

    @Test func `sources are settings, and off without them`() throws {
        func read(_ environment: [String: String]) throws -> BookSettings {
            var settings = Settings(environment: environment)
            let books = BookSettings(&settings)
            #expect(!settings.effective.contains { $0.value.contains("secret") })
            try settings.finish()
            return books
        }
        #expect(try read([:]).sources.isEmpty)
        let given = [
            "MADANG_NAVER_BOOKS_ID": "", "MADANG_KAKAO_BOOKS_KEY": "", "MADANG_GOOGLE_BOOKS_KEY": "a-secret-key",
        ]
        #expect(try read(given).sources.isEmpty)
        let all = try read([
            "MADANG_NAVER_BOOKS_ID": "secret-id", "MADANG_NAVER_BOOKS_SECRET": "secret_1",
            "MADANG_OPEN_LIBRARY": "true",
            "MADANG_KAKAO_BOOKS_KEY": "secret2", "MADANG_GOOGLE_BOOKS": "on", "MADANG_KAKAO_BOOKS_DAILY": "7",
            "MADANG_NAVER_BOOKS_URL": "http://proxy.example:8080/", "MADANG_BOOKS_FRESH_HOURS": "48",
            "MADANG_BOOKS_KEPT_DAYS": "1",
        ])
        #expect(all.sources.map(\.name) == BookSourceName.allCases)
        #expect(all.sources.map(\.access.daily) == [20_000, 7, 1000, 5000])
        #expect(
            all.sources.map(\.access.server.origin) == [
                "http://proxy.example:8080", "https://dapi.kakao.com", "https://www.googleapis.com",
                "https://openlibrary.org",
            ]
        )
        #expect(all.sources.map(\.access.secrets) == [["secret-id", "secret_1"], ["secret2"], [], []])
        // Never kept shorter than it is new.
        #expect(all.fresh == .seconds(48 * 3600) && all.kept == .seconds(48 * 3600))
        for environment in [
            ["MADANG_NAVER_BOOKS_ID": "secret-id"], ["MADANG_NAVER_BOOKS_SECRET": "secret-key"],
            ["MADANG_KAKAO_BOOKS_KEY": "a secret key"], ["MADANG_GOOGLE_BOOKS_KEY": "secret/../other"],
            ["MADANG_GOOGLE_BOOKS": "perhaps"], ["MADANG_OPEN_LIBRARY_URL": "https://a.test/path"],
            ["MADANG_OPEN_LIBRARY_DAILY": "0"], ["MADANG_BOOKS_FRESH_HOURS": "0"],
        ] {
            let error = #expect(throws: Settings.Invalid.self, "\(environment)") { _ = try read(environment) }
            let problem = try #require(error).description
            for value in environment.values where value.contains("secret") { #expect(!problem.contains(value)) }
        }
    }
}
