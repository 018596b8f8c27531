// SPDX-License-Identifier: Apache-2.0
// Shelves as files: of other programs, and of ours.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ImportTests {
    private func take(
        _ text: String,
        _ world: GraphWorld,
        as reader: Person,
        type: String = "text/csv"
    ) async throws -> Answer {
        try await world.send(.post, "/api/v1/shelf/import", as: reader, type: type, body: text)
    }

    private static let goodreads = #"""
        Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,\#
        Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,\#
        Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies
        1,The Little Prince,Antoine de Saint-Exupéry,"Saint-Exupéry, Antoine de","Katherine Woods, Other","=""8932917248""",\#
        "=""9788932917245""",5,4.30,열린책들,Paperback,136,2015,1943,2024/02/29,2024/01/01,,,read,"One ""two"",<br/>three",,,1,0
        2,"Dune, Messiah",Frank Herbert,"Herbert, Frank",,"=""""","=""""",0,4.0,Ace,Paperback,,1969,,,2024/01/02,to-read,\#
        to-read (#1),to-read,,,,0,0
        3,Half Read,Some Body,,,,,3,,,,,,,,2024/01/03,currently-reading,,currently-reading,,,,1,0
        4,,No Title,,,,,0,,,,,,,,,,,read,,,,1,0
        5,Bad Day,X,,,,,0,,,,,,,2024/02/30,,,,read,,,,1,0
        """#.replacing("\n", with: "\r\n")

    @Test func aTableOfGoodreadsIsTakenRowByRow() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let report = try await take("\u{FEFF}" + Self.goodreads, world, as: mina)
            #expect(report.code == 200, "\(report.text)")
            #expect(try report.object["made"] as? Int == 3)
            #expect(try report.object["refused"] as? Int == 2)
            let rows = try #require(try report.object["rows"] as? [[String: Any]])
            #expect(rows.compactMap { $0["line"] as? Int } == [2, 3, 4, 5, 6])
            #expect(rows.compactMap { $0["outcome"] as? String } == ["made", "made", "made", "refused", "refused"])
            #expect(rows.suffix(2).allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
            let record = try await world.record(try #require(rows[0]["record_id"] as? String), as: mina)
            let book = try #require(record["book"] as? [String: Any])
            #expect(book["isbn13"] as? String == "9788932917245" && book["pages"] as? Int == 136)
            #expect(book["authors"] as? [String] == ["Antoine de Saint-Exupéry", "Katherine Woods", "Other"])
            #expect(book["published_on"] as? String == "2015")
            #expect(record["rating"] as? Int == 5 && record["review"] as? String == "One \"two\",\nthree")
            #expect(record["ended_on"] as? String == "2024-02-29" && record["state"] as? String == "finished")
            #expect(record["visibility"] as? String == "private")
            #expect(try await world.titles("/api/v1/shelf/records?state=planned", as: mina) == ["Dune, Messiah"])
            // The same file again.
            let again = try await take(Self.goodreads, world, as: mina)
            #expect(try again.object["made"] as? Int == 0)
            #expect(try again.object["doubles"] as? Int == 3)
        }
    }

    @Test func aTableOfRebitIsTakenToo() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let text = """
                title,author,publisher,isbn,status,rating,comment,review,start_date,end_date,is_favourite
                어린 왕자,생텍쥐페리,열린책들,978-89-329-1724-5,completed,4.5,좋다,긴 글,2024-01-01,2024-01-31,true
                데미안,헤세,,not an isbn,scheduled,,,,,,false
                어린 왕자,생텍쥐페리,열린책들,9788932917245,completed,3,,,2025-01-01,2025-01-31,0
                """
            let report = try await take(text, world, as: mina)
            #expect(try report.object["made"] as? Int == 3, "\(report.text)")
            #expect(try await world.titles("/api/v1/shelf", as: mina) == ["데미안", "어린 왕자"])
            #expect(try await world.titles("/api/v1/shelf/favourites", as: mina) == ["어린 왕자"])
        }
    }

    /// The rule of decision 0021.
    @Test func readingsOfOneBookInOneStateOnTheSameDaysAreOne() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let names = "title,author,isbn,status,rating,comment,start_date,end_date\n"
            func outcomes(_ rows: String...) async throws -> [String] {
                let report = try await take(names + rows.joined(separator: "\n"), world, as: mina)
                let list = try #require(try report.object["rows"] as? [[String: Any]], "\(report.text)")
                return list.compactMap { $0["outcome"] as? String }
            }
            let first = "어린 왕자,생텍쥐페리,9788932917245,completed,4,좋다,2024-01-01,2024-01-31"
            // Within a file as between files, by ten digits as by thirteen, whatever is said of the reading.
            #expect(try await outcomes(first, first) == ["made", "double"])
            #expect(
                try await outcomes(
                    "The Little Prince,,8932917248,completed,1,other,2024-01-01,2024-01-31",
                    "어린 왕자,생텍쥐페리,978-89-329-1724-5,completed,,,2024-01-01,2024-01-31"
                ) == ["double", "double"]
            )
            // Another state, another day or no day is another reading.
            #expect(
                try await outcomes(
                    "어린 왕자,생텍쥐페리,9788932917245,reading,4,좋다,2024-01-01,",
                    "어린 왕자,생텍쥐페리,9788932917245,completed,4,좋다,2024-01-01,2024-02-01",
                    "어린 왕자,생텍쥐페리,9788932917245,completed,4,좋다,,2024-01-31"
                ) == ["made", "made", "made"]
            )
            // Without a number, title and author whatever their case and width.
            #expect(
                try await outcomes(
                    "ＤＥＭＩＡＮ,Hesse,,scheduled,,,,",
                    "demian,HESSE,,scheduled,,,,",
                    "demian,,,scheduled,,,,"
                )
                    == ["made", "double", "made"]
            )
            #expect(try await world.number("SELECT count(*) FROM reading_records") == 6)
            // What was made here is known as well.
            let typed = try await world.ask(.get, "/api/v1/shelf/export?format=csv", as: mina).text
            let again = try await take(typed, world, as: mina)
            #expect(try again.object["made"] as? Int == 0 && again.object["doubles"] as? Int == 6)
        }
    }

    @Test func whatIsExportedIsImportedAgain() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let jun = try await world.person("jun")
            let texts = ["=1+1", "@x", "a,\"b\"\nc", "'quoted", "책 📚", "-5"]
            for (index, text) in texts.enumerated() {
                let more: [String: any Sendable] = [
                    "state": ["planned", "reading", "finished", "abandoned"][index % 4],
                    "rating": Double(index + 1) / 2,
                    "one_line": text, "review": text, "started_on": "2024-02-0\(index + 1)",
                    "ended_on": "2024-02-2\(index)", "favourite": index == 1, "visibility": "followers",
                ]
                let book: [String: any Sendable] = [
                    "authors": ["First", "Second"], "translators": ["Third"], "publisher": text,
                    "published_on": "2020-0\(index + 1)",
                    "pages": 100 + index, "language": "ko", "cover_url": "https://c.example/\(index)",
                    "link": "https://l.example/",
                ]
                try await world.shelve(text, as: mina, more, book: book)
            }
            let export = try await world.ask(.get, "/api/v1/shelf/export?format=csv", as: mina)
            #expect(export.headers[.contentType]?.hasPrefix("text/csv") == true)
            for line in CSV(export.text).rows {
                for field in line.fields { #expect(!"=+-@".contains(field.first ?? " "), "\(field)") }
            }
            let report = try await take(export.text, world, as: jun)
            #expect(try report.object["made"] as? Int == texts.count, "\(report.text)")
            func said(_ reader: Person) async throws -> [String] {
                try await world.ask(.get, "/api/v1/shelf/records", as: reader).list.map { record in
                    var record = record
                    for name in ["id", "book_id", "version", "created_at", "updated_at"] { record[name] = nil }
                    var book = try #require(record["book"] as? [String: Any])
                    book["id"] = nil
                    record["book"] = book
                    let json = try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys])
                    return String(decoding: json, as: UTF8.self)
                }
            }
            #expect(try await said(jun) == said(mina))
        }
    }

    @Test func aLargeShelfIsExportedInParts() async throws {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            var limits = Limits()
            (limits.library.exportStep, limits.library.exportPart) = (2, 3000)
            let world = try GraphWorld(database, limits: limits)
            let mina = try await world.person("mina")
            var ids: [String] = []
            for number in 0..<9 {
                ids.append(
                    try await world.shelve("\(number)", as: mina, ["progress": [["day": "2026-01-01", "page": "7"]]])
                )
            }
            try await world.ask(.put, "/api/v1/shelf/goals/2026", as: mina, ["books": 3])
            var (found, parts): ([String], Int) = ([], 0)
            var next: String? = "/api/v1/shelf/export"
            while let path = next {
                let answer = try await world.ask(.get, path, as: mina)
                let records = try #require(try answer.object["records"] as? [[String: Any]])
                found += records.compactMap { $0["id"] as? String }
                #expect(records.allSatisfy { ($0["progress"] as? [Any])?.count == 1 })
                #expect((try answer.object["goals"] as? [Any])?.count == (parts == 0 ? 1 : 0))
                parts += 1
                next = try answer.pageLink("next")
            }
            #expect(found == ids)
            #expect(parts > 1)
            try await world.ask(.get, "/api/v1/shelf/export?format=xml", as: mina, code: 422)
        }
    }

    @Test func whatIsNoTableIsRefused() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            for (text, code) in [
                ("", 422), ("a,b\n1,2", 422), ("title\n\"never ends", 400), ("title\na\u{0}b", 400), ("title", 200),
                ("title\n" + String(repeating: "x\n", count: 5001), 422), ("\"title\"\r\r\rTitle,", 200),
            ] {
                #expect(try await take(text, world, as: mina).code == code, "\(text.prefix(20))")
            }
            #expect(try await take("title\na", world, as: mina, type: "application/json").code == 415)
            let principal = try GraphWorld.principal(mina)
            var request = Request(method: .post, path: "/api/v1/shelf/import", body: [0x74, 0xC3, 0x28])
            request.headers[.contentType] = "text/csv"
            request.principal = principal
            #expect(await world.responder.respond(to: request).code == 400)
        }
    }

    /// A file of as many rows as may come is taken whole.
    @Test func aLongTableIsTaken() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let count = TestScale.of(1000, atMost: 5000)
            let rows = (0..<count).map { "book \($0 % (count / 2)),2024-01-0\(1 + $0 / (count / 2))" }
            let text = (["title,date_read"] + rows).joined(separator: "\n")
            let report = try await take(text, world, as: mina)
            #expect(try report.object["made"] as? Int == count, "\(report.text.prefix(300))")
            #expect(try await world.number("SELECT count(*) FROM shelf_books") == count / 2)
        }
    }
}
