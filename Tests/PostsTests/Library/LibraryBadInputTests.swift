// SPDX-License-Identifier: Apache-2.0
// What a record, a book and a day may not be.

import Domain
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct LibraryBadInputTests {
    /// JSON of a record's members, and the field that is named for it.
    private static let bad: [(json: String, field: String)] = {
        let limits = LibraryLimits()
        func long(_ count: Int) -> String { "\"\(String(repeating: "글", count: count + 1))\"" }
        let texts: [(json: String, field: String)] = [
            (#""rating":0"#, "rating"), (#""rating":5.5"#, "rating"), (#""rating":4.25"#, "rating"),
            (#""rating":"NaN""#, "rating"), (#""state":"eaten""#, "state"), (#""visibility":"unlisted""#, "visibility"),
            (#""started_on":"2023-02-29""#, "started_on"), (#""ended_on":"2023""#, "ended_on"),
            (#""ended_on":"2026-01-01T00:00:00Z""#, "ended_on"), (#""ended_on":20260101"#, "ended_on"),
            (#""started_on":"2026-01-02","ended_on":"2026-01-01""#, "ended_on"),
            (#""quotes":[{"page":1}]"#, "quotes"), (#""quotes":[{"text":"a","page":-1}]"#, "page"),
            (#""progress":[{"page":1}]"#, "day"), (#""progress":[{"day":"2026-01-01","page":100001}]"#, "page"),
            (#""progress":[{"day":"2026-01-01","percent":101}]"#, "percent"),
            (#""client_id":"x""#, "client_id"), (#""client_id":"00000000-0000-0000-0000-00000000000g""#, "client_id"),
            (#""time_zone":"Nowhere""#, "time_zone"), (#""version":-1"#, "version"), (#""book_id":"7""#, "book_id"),
        ]
        let lengths: [(json: String, field: String)] = [
            (#""one_line":"# + long(limits.oneLine), "one_line"), (#""review":"# + long(limits.review), "review"),
            (#""quotes":[{"text":"# + long(limits.quote) + "}]", "text"),
            (
                #""quotes":["# + Array(repeating: #"{"text":"a"}"#, count: limits.quotes + 1).joined(separator: ",")
                    + "]", "quotes"
            ),
        ]
        return texts + lengths
    }()

    private static let badBooks: [(json: String, field: String)] = {
        let limits = LibraryLimits()
        func long(_ count: Int) -> String { "\"\(String(repeating: "글", count: count + 1))\"" }
        return [
            (#"{}"#, "title"), (#"{"title":" "}"#, "title"), (#"{"title":"\#u{200B}"}"#, "title"),
            (#"{"title":"# + long(limits.title) + "}", "title"),
            (#"{"title":"a","isbn13":"9788932917246"}"#, "isbn13"), (#"{"title":"a","isbn10":"123"}"#, "isbn10"),
            (#"{"title":"a","pages":0}"#, "pages"), (#"{"title":"a","pages":100001}"#, "pages"),
            (#"{"title":"a","published_on":"2026-02-30"}"#, "published_on"),
            (#"{"title":"a","language":"klingonese"}"#, "language"),
            (#"{"title":"a","cover_url":"javascript:alert(1)"}"#, "cover_url"),
            (#"{"title":"a","link":"ftp://a.example"}"#, "link"),
            (#"{"title":"a","link":"https://u@a.example"}"#, "link"),
            (#"{"title":"a","authors":["# + long(limits.name) + "]}", "authors"),
            (
                #"{"title":"a","authors":["# + Array(repeating: "\"x\"", count: limits.names + 1).joined(separator: ",")
                    + "]}", "authors"
            ),
            (#"{"title":"a","publisher":"# + long(limits.publisher) + "}", "publisher"),
            (#"{"title":"a","description":"# + long(limits.bookDescription) + "}", "description"),
        ]
    }()

    @Test func whatIsWrongIsNamed() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let records = Self.bad.map { (#"{"book":{"title":"a"},\#($0.json)}"#, $0.field) }
                .map { ($0.0.contains("book_id") ? #"{"book_id":"7"}"# : $0.0, $0.1) }
            let books = Self.badBooks.map { (#"{"book":\#($0.json)}"#, $0.field) }
            for (json, field) in records + books + [("{}", "book")] {
                let answer = try await world.post("/api/v1/shelf/records", as: mina, json: json)
                #expect(answer.code == 422, "\(json.prefix(120)): \(answer.text)")
                let fields = try answer.object["fields"]
                #expect("\(fields ?? "")".contains(field), "\(json.prefix(120)): \(answer.text)")
            }
            #expect(try await world.titles("/api/v1/shelf", as: mina) == [])
        }
    }

    @Test func textsAreKeptAsTheyAreButForWhatNobodySees() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let review = "  줄\n\t바꿈 \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \\ \" ' ; -- %\u{7} "
            let id = try await world.shelve("제목\u{202E}\u{0}".filter { $0 != "\0" }, as: mina, ["review": review])
            let record = try await world.record(id, as: mina)
            #expect(record["review"] as? String == "줄\n\t바꿈 \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \\ \" ' ; -- %")
            #expect((record["book"] as? [String: Any])?["title"] as? String == "제목")
        }
    }

    @Test func namesOfTimeZonesHaveTheirForm() {
        for name in [
            "UTC", "Asia/Seoul", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Etc/GMT+12", "Etc/GMT-14",
            "Etc/GMT", "Etc/GMT0",
        ] {
            #expect(Today.isName(name), "\(name)")
        }
        for name in [
            "", "KST", "ABC+3", "A/B+3", "A/B3", "/UTC", "A//B", "A/B/C/D", "Etc/GMT+13", "Etc/GMT-15", "Etc/GMT+012",
            "Etc/GMT+99", "Etc/GMT/X", "A/../B", "A/B\n", "A/한", "<A>/B",
        ] {
            #expect(!Today.isName(name), "\(name)")
        }
    }

    @Test func uuidsHaveTheirForm() {
        let text = "0F8fad5b-d9cb-469f-a165-70867728950E"
        #expect(ClientID(text)?.description == text.lowercased())
        for bad in [
            "", "0F8fad5b", text + "0", text.replacing("-", with: ""), text.replacing("0", with: "٠"), "{\(text)}",
        ] {
            #expect(ClientID(bad) == nil, "\(bad)")
        }
    }
}
