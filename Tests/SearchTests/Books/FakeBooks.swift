// SPDX-License-Identifier: Apache-2.0
// Sources of books for tests, strict in what they take and answering as they document it.

import Domain
import Foundation
import HTTPTypes
import Logging
import Outbound
import ServiceKit
import Support
import Synchronization
import Testing
import Web

@testable import SearchService

/// A book that a stand-in has.
struct FakeBook: Sendable {
    var isbn: String
    var title: String
    var authors = ["한강"]
    var translators: [String] = []
    var publisher = "창비"
    /// `yyyyMMdd`.
    var date = "20140519"
    var description = "1980년 5월 18일"

    /// Books of which each has words in its title.
    static func some(_ count: Int, of words: String, from first: Int = 0) -> [FakeBook] {
        (first..<first + count).map { FakeBook(isbn: number($0), title: "\(words) \($0)") }
    }

    /// A real number of a book that does not exist.
    static func number(_ number: Int) -> String {
        let body = "978" + String(899_000_000 + number)
        return (0...9).lazy.compactMap { ISBN("\(body)\($0)")?.text13 }.first ?? ""
    }
}

/// Answers as one of the sources does.
final class FakeBooks: Sendable {
    static let key = "a-key-of-the-tests"

    private final class Manner: Sendable {
        let instead = Mutex<(@Sendable (WebConnection) -> Void)?>(nil)
        let refusals = Mutex<[String]>([])
    }

    let name: BookSourceName
    private let listener: WebListener
    private let manner = Manner()

    /// The paths, with queries, of what it was asked.
    var asked: [String] { listener.paths }
    var port: Int { listener.port }
    /// What it did not take, and why.
    var refusals: [String] { manner.refusals.withLock { $0 } }

    init(_ name: BookSourceName, _ books: [FakeBook] = []) throws {
        self.name = name
        listener = try WebListener { [manner] connection in
            if let instead = manner.instead.withLock({ $0 }) { return instead(connection) }
            let answer = FakeBooks.answer(name, connection, books)
            if !answer.status.hasPrefix("200") {
                manner.refusals.withLock { $0.append("\(connection.path): \(answer.status)") }
            }
            connection.answer(status: answer.status, type: "application/json;charset=UTF-8", Array(answer.body))
        }
    }

    /// Has it do something else than to answer; nil has it answer again.
    func instead(_ body: (@Sendable (WebConnection) -> Void)?) { manner.instead.withLock { $0 = body } }

    func close() { listener.close() }

    func source(daily: Int = 1000) throws -> any BookSource {
        let access = BookAccess(server: try #require(ServerAddress("http://127.0.0.1:\(port)")), daily: daily)
        return switch name {
        case .naver: NaverBooks(id: "an-id-of-the-tests", secret: FakeBooks.key, access: access)
        case .kakao: KakaoBooks(key: FakeBooks.key, access: access)
        case .google: GoogleBooks(key: FakeBooks.key, access: access)
        case .openLibrary: OpenLibraryBooks(access: access)
        }
    }

    // MARK: What they say

    private typealias Said = (status: String, body: Data)

    private static func answer(_ name: BookSourceName, _ connection: WebConnection, _ books: [FakeBook]) -> Said {
        let components = URLComponents(string: connection.path)
        let parameters = Dictionary((components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        let asked = Asked(path: components?.path ?? "", head: connection.head, parameters: parameters, books: books)
        guard connection.head.hasPrefix("GET "),
            connection.head.contains("User-Agent: Madang (+https://madang.test) books")
        else { return said(status: "403 Forbidden", [:]) }
        return switch name {
        case .naver: naver(asked)
        case .kakao: kakao(asked)
        case .google: google(asked)
        case .openLibrary: openLibrary(asked)
        }
    }

    private struct Asked {
        let path: String
        let head: String
        let parameters: [String: String]
        let books: [FakeBook]

        func number(_ name: String) -> Int { Int(parameters[name] ?? "") ?? -1 }

        /// Those that have the words, or the number.
        func found(_ words: String?) -> [FakeBook] {
            guard let words, !words.isEmpty else { return [] }
            return books.filter {
                $0.title.lowercased().contains(words) || $0.isbn.split(separator: " ").contains(words[...])
            }
        }
    }

    private static func said(status: String = "200 OK", _ body: [String: Any]) -> Said {
        (status, (try? JSONSerialization.data(withJSONObject: body, options: [.sortedKeys])) ?? Data())
    }

    /// https://developers.naver.com/docs/serviceapi/search/book/book.md
    private static func naver(_ asked: Asked) -> Said {
        func refused(_ status: String, _ code: String) -> Said {
            said(status: status, ["errorMessage": "no", "errorCode": code])
        }
        guard asked.head.contains("X-Naver-Client-Id: an-id-of-the-tests\r\n"),
            asked.head.contains("X-Naver-Client-Secret: \(key)\r\n")
        else { return refused("401 Unauthorized", "024") }
        guard asked.path == "/v1/search/book.json" else { return refused("404 Not Found", "SE05") }
        guard asked.parameters["query"]?.isEmpty == false else { return refused("400 Bad Request", "SE01") }
        let (display, start) = (asked.number("display"), asked.number("start"))
        guard (1...100).contains(display) else { return refused("400 Bad Request", "SE02") }
        guard (1...1000).contains(start) else { return refused("400 Bad Request", "SE03") }
        guard ["sim", "date"].contains(asked.parameters["sort"] ?? "sim") else {
            return refused("400 Bad Request", "SE04")
        }
        let found = asked.found(asked.parameters["query"])
        let items = found.dropFirst(start - 1).prefix(display).map { book in
            [
                "title": book.title, "link": "https://search.shopping.naver.com/book/catalog/32441604669",
                "image": "https://shopping-phinf.pstatic.net/main_3244160/\(book.isbn.suffix(13)).jpg",
                "author": book.authors.joined(separator: "^"), "discount": "13500", "publisher": book.publisher,
                "pubdate": book.date, "isbn": book.isbn, "description": book.description,
            ]
        }
        return said([
            "lastBuildDate": "Mon, 23 Nov 2026 16:00:00 +0900", "total": found.count, "start": start,
            "display": items.count, "items": Array(items),
        ])
    }

    /// https://developers.kakao.com/docs/latest/ko/daum-search/dev-guide#search-book
    private static func kakao(_ asked: Asked) -> Said {
        guard asked.head.contains("Authorization: KakaoAK \(key)\r\n") else {
            return said(status: "401 Unauthorized", ["errorType": "AccessDeniedError", "message": "no"])
        }
        let (page, size) = (asked.number("page"), asked.number("size"))
        guard asked.path == "/v3/search/book", asked.parameters["query"]?.isEmpty == false, (1...50).contains(page),
            (1...50).contains(size), ["accuracy", "latest"].contains(asked.parameters["sort"] ?? "accuracy"),
            ["title", "isbn", "publisher", "person"].contains(asked.parameters["target"] ?? "title")
        else { return said(status: "400 Bad Request", ["errorType": "InvalidArgument", "message": "no"]) }
        let found = asked.found(asked.parameters["query"])
        let documents = found.dropFirst((page - 1) * size).prefix(size).map { book -> [String: Any] in
            let date = book.date
            return [
                "title": book.title, "contents": book.description, "isbn": book.isbn,
                "url": "https://search.daum.net/search?w=bookpage&bookId=961292&q=%EC%86%8C%EB%85%84",
                "datetime": "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))T00:00:00.000+09:00",
                "authors": book.authors, "publisher": book.publisher, "translators": book.translators,
                "price": 15000, "sale_price": 13500, "status": "정상판매",
                "thumbnail": "https://search1.kakaocdn.net/thumb/R120x174.q85/?fname=http%3A%2F%2Ft1.daumcdn.net%2F1",
            ]
        }
        return said([
            "meta": ["total_count": found.count, "pageable_count": found.count, "is_end": page * size >= found.count],
            "documents": Array(documents),
        ])
    }

    /// https://developers.google.com/books/docs/v1/reference/volumes/list
    private static func google(_ asked: Asked) -> Said {
        guard asked.parameters["key"] == key else {
            let details = [["reason": "API_KEY_INVALID", "domain": "googleapis.com"]]
            let error: [String: Any] = ["code": 400, "status": "INVALID_ARGUMENT", "details": details]
            return said(status: "400 Bad Request", ["error": error])
        }
        let (start, most) = (asked.number("startIndex"), asked.number("maxResults"))
        guard asked.path == "/books/v1/volumes", let words = asked.parameters["q"], !words.isEmpty, start >= 0,
            (0...40).contains(most)
        else { return said(status: "400 Bad Request", ["error": ["code": 400, "status": "INVALID_ARGUMENT"]]) }
        let found = asked.found(words.hasPrefix("isbn:") ? String(words.dropFirst(5)) : words)
        let items = found.dropFirst(start).prefix(most).map { book -> [String: Any] in
            let date = book.date
            let identifiers = book.isbn.split(separator: " ").map { number in
                ["type": number.count == 10 ? "ISBN_10" : "ISBN_13", "identifier": String(number)]
            }
            let info: [String: Any] = [
                "title": book.title, "authors": book.authors, "publisher": book.publisher,
                "publishedDate": "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))",
                "description": book.description, "industryIdentifiers": identifiers, "pageCount": 216,
                "printType": "BOOK", "language": "ko",
                "imageLinks": ["thumbnail": "http://books.google.com/books/content?id=xyz&zoom=1"],
                "infoLink": "https://books.google.com/books?id=xyz",
            ]
            return ["kind": "books#volume", "id": "g\(book.isbn.suffix(6))", "volumeInfo": info]
        }
        var body: [String: Any] = ["kind": "books#volumes", "totalItems": found.count]
        if !items.isEmpty { body["items"] = Array(items) }
        return said(body)
    }

    /// https://openlibrary.org/dev/docs/api/search
    private static func openLibrary(_ asked: Asked) -> Said {
        let (limit, offset) = (asked.number("limit"), asked.number("offset"))
        let fields = Set((asked.parameters["fields"] ?? "").split(separator: ",").map(String.init))
        guard asked.path == "/search.json", let words = asked.parameters["q"], !words.isEmpty, limit >= 0, offset >= 0,
            fields.isSuperset(of: ["key", "title", "author_name", "editions", "editions.isbn", "editions.title"])
        else { return said(status: "422 Unprocessable Entity", ["error": "no"]) }
        let found = asked.found(words.hasPrefix("isbn:") ? String(words.dropFirst(5)) : words)
        let docs = found.dropFirst(offset).prefix(limit).map { book -> [String: Any] in
            let edition: [String: Any] = [
                "key": "/books/OL\(book.isbn.suffix(6))M", "title": book.title, "publisher": [book.publisher],
                "isbn": book.isbn.split(separator: " ").map(String.init),
                "publish_date": ["May 19, \(book.date.prefix(4))"],
                "language": ["kor"], "cover_i": 258027,
            ]
            return [
                "key": "/works/OL\(book.isbn.suffix(6))W", "title": "\(book.title) (work)", "author_name": book.authors,
                "first_publish_year": 2001,
                "editions": ["numFound": 3, "start": 0, "numFoundExact": true, "docs": [edition]],
            ]
        }
        return said([
            "numFound": found.count, "num_found": found.count, "start": offset, "numFoundExact": true, "q": words,
            "docs": Array(docs),
        ])
    }
}

extension SearchWorld {
    static let reader = AccountID(7)

    /// The same as another process that may ask sources.
    ///
    /// - Parameter patience: so much that other work on the machine does not matter, unless a test says otherwise.
    func asking(
        _ sources: [any BookSource],
        patience: Duration = .seconds(120),
        metrics: Metrics = Metrics(),
        logger: Logger = Logger(label: "search") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> SearchWorld {
        var settings = BookSettings()
        settings.sources = sources
        let catalogue = BookCatalogue(settings, patience: patience, metrics: metrics, logger: logger)
        return try with { $0.books = catalogue }
    }

    /// Runs `body` with stand-ins that may all be asked.
    static func runBooks(
        _ shelves: [(BookSourceName, [FakeBook])],
        _ body: @Sendable (SearchWorld, [FakeBooks]) async throws -> Void
    ) async throws {
        let fakes = try shelves.map { try FakeBooks($0.0, $0.1) }
        defer { for fake in fakes { fake.close() } }
        try await run { world in
            try await body(world.asking(try fakes.map { try $0.source() }), fakes)
            for fake in fakes { #expect(fake.refusals == [], "\(fake.name) was asked what it does not take") }
        }
    }

    /// What somebody finds.
    func books(_ text: String, _ rest: String = "") async throws -> [JSON] {
        let answer = await send(.get, "/api/v1/books?q=\(text.percentEncoded)\(rest)", as: Self.reader)
        #expect(answer.status == .ok, "\(answer.text)")
        return try JSON(bytes: answer.body).elements
    }

    func titles(_ text: String, _ rest: String = "") async throws -> [String] {
        try await books(text, rest).map { $0["title"]?.text ?? "" }
    }
}
