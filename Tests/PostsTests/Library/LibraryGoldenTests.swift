// SPDX-License-Identifier: Apache-2.0
// Whole exchanges with a shelf, as they were agreed on.

import Domain
import Foundation
import HTTPTypes
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct LibraryGoldenTests {
    private static let name = "0f8fad5b-d9cb-469f-a165-70867728950e"
    private static let shelf = "/api/v1/shelf"

    @Test func shelves() async throws {
        try await GraphWorld.run { world in
            var record = Exchanges(world: world)
            let mina = try await world.person("mina")
            let jun = try await world.person("jun")
            let id = try await books(&record, mina)
            try await readings(&record, mina, id)
            try await devices(&record, mina)
            try await files(&record, mina)
            try await others(&record, mina, jun, id)
            let routes = Routes.library.map { "\($0.method) \($0.path)" }
            #expect(record.asked == Set(routes))
            try expectGolden("posts/library", record.text)
        }
    }

    private func books(_ record: inout Exchanges, _ mina: Person) async throws -> String {
        let draft = #"""
            {"book":{"title":"어린 왕자","authors":["생텍쥐페리"],"publisher":"열린책들","isbn13":"9788932917245","pages":136,\#
            "published_on":"2015-10"},"state":"reading","rating":4.5,"one_line":"다시 읽는 중","started_on":"2025-12-20"}
            """#
        let records = "\(Self.shelf)/records"
        let id = try #require(try await record.ask(.post, records, as: mina, draft).string("id"))
        try await record.ask(.post, records, as: mina, #"{"book":{"title":" "}}"#)
        try await record.ask(.post, records, as: mina, #"{"book":{"title":"데미안"},"state":"planned"}"#)
        try await record.ask(.get, Self.shelf, as: mina)
        try await record.ask(.get, Self.shelf, query: "q=%EC%99%95%EC%9E%90", as: mina)
        let book = try #require(try await record.world.ids("\(Self.shelf)?q=%EC%99%95%EC%9E%90", as: mina).first)
        try await record.ask(.get, "\(Self.shelf)/books/:id", book, as: mina)
        try await record.ask(
            .put,
            "\(Self.shelf)/books/:id",
            book,
            as: mina,
            #"{"title":"어린 왕자","isbn13":"9788932917245","pages":140}"#
        )
        try await record.ask(.get, "\(Self.shelf)/books/:id/records", book, as: mina)
        try await record.ask(.get, "\(Self.shelf)/books/:id", "1", as: mina)
        return id
    }

    private func readings(_ record: inout Exchanges, _ mina: Person, _ id: String) async throws {
        let one = "\(Self.shelf)/records/:id"
        try await record.ask(.get, "\(Self.shelf)/records", query: "state=planned", as: mina)
        try await record.ask(.post, "\(one)/progress", id, as: mina, #"{"page":70,"time_zone":"Asia/Seoul"}"#)
        try await record.ask(.put, "\(Self.shelf)/goals/:period", "2026", as: mina, #"{"books":1}"#)
        try await record.ask(
            .put,
            one,
            id,
            as: mina,
            #"{"state":"finished","time_zone":"Asia/Seoul","version":1,"one_line":"좋다"}"#
        )
        try await record.ask(.get, "\(one)/texts", id, as: mina)
        try await record.ask(.get, "\(Self.shelf)/goals", as: mina)
        try await record.ask(.get, "\(Self.shelf)/statistics", query: "year=2026&time_zone=Asia/Seoul", as: mina)
        try await record.ask(.get, "\(Self.shelf)/statistics", query: "time_zone=KST", as: mina)
        try await record.ask(.post, "\(one)/favourite", id, as: mina)
        try await record.ask(.get, "\(Self.shelf)/favourites", as: mina)
        try await record.ask(.post, "\(one)/unfavourite", id, as: mina)
        try await record.ask(.get, one, id, as: mina)
    }

    private func devices(_ record: inout Exchanges, _ mina: Person) async throws {
        let one = "\(Self.shelf)/records/:id"
        let changes = "\(Self.shelf)/changes"
        let writes = #"""
            {"writes":[{"key":"00000000-0000-4000-8000-000000000001","type":"record","id":"\#(Self.name)",\#
            "data":{"book":{"title":"싯다르타"},"state":"planned"}},\#
            {"key":"00000000-0000-4000-8000-000000000002","type":"goal","id":"2026-03","data":{"books":2}},\#
            {"key":"00000000-0000-4000-8000-000000000003","type":"record","id":"7","data":{"rating":9}},\#
            {"key":"00000000-0000-4000-8000-000000000001","type":"record","id":"\#(Self.name)","op":"delete"}]}
            """#
        try await record.ask(.post, changes, as: mina, writes)
        try await record.ask(.get, changes, query: "limit=2", as: mina)
        try await record.ask(.get, changes, query: "since=6", as: mina)
        try await record.ask(.delete, one, Self.name, as: mina)
        try await record.ask(.delete, "\(Self.shelf)/goals/:period", "2026-03", as: mina)
        try await record.ask(.get, changes, query: "since=11", as: mina)
        try await record.ask(.get, changes, query: "since=99", as: mina)
    }

    private func files(_ record: inout Exchanges, _ mina: Person) async throws {
        try await record.ask(.get, "\(Self.shelf)/export", query: "format=csv", as: mina)
        try await record.ask(.get, "\(Self.shelf)/export", as: mina)
        let table = "title,author,state,ended_on\n데미안,,planned,\n수레바퀴 아래서,헤세,finished,2025-06-01\n,,read,\n"
        try await record.ask(.post, "\(Self.shelf)/import", as: mina, table, type: "text/csv")
    }

    private func others(_ record: inout Exchanges, _ mina: Person, _ jun: Person, _ id: String) async throws {
        let one = "\(Self.shelf)/records/:id"
        try await record.ask(.post, "\(one)/share", id, as: mina)
        try await record.ask(.put, one, id, as: mina, #"{"visibility":"public"}"#)
        try await record.ask(.post, "\(one)/share", id, as: mina)
        try await record.ask(.get, "/api/v1/accounts/:id/records", mina.id.description, as: jun)
        try await record.ask(.get, "/api/v1/records/:id", id, as: nil)
        try await record.ask(.get, "/api/v1/records/:id", "1", as: nil)
    }
}
