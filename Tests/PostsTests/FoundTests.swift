// SPDX-License-Identifier: Apache-2.0
// What search found, as its owner shows it, and what search is told of it.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct FoundTests {
    /// Ids of what is shown of some, for each of whom it is asked for.
    private static func shown(_ path: String, _ ids: [String], to viewer: Person?, _ world: GraphWorld) async throws
        -> [String]
    {
        let answer = try await world.ask(.post, "/internal/found/\(path)", as: viewer, ["ids": ids])
        return try answer.list.compactMap { $0["id"] as? String }
    }

    @Test func projectsAreShownInTheOrderAskedForToThoseWhoMaySeeThem() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let open = try await world.project(by: ann).id
            let draft = try await world.project(by: ann, ["publish": false]).id
            let other = try await world.project(by: bob).id
            let gone = try await world.project(by: bob).id
            try await world.ask(.delete, "/api/v1/projects/\(gone)", as: bob)
            try await world.relate("block", cat, as: ann)
            let all = [other, gone, "5", draft, open]
            #expect(try await Self.shown("projects", all, to: ann, world) == [other, draft, open])
            #expect(try await Self.shown("projects", all, to: bob, world) == [other, open])
            #expect(try await Self.shown("projects", all, to: cat, world) == [other])
            #expect(try await Self.shown("projects", all, to: nil, world) == [other, open])
            let many = (1...101).map { "\($0)" }
            try await world.ask(.post, "/internal/found/projects", as: nil, ["ids": many], code: 422)
        }
    }

    @Test func recordsAreShownInTheOrderAskedForToThoseWhoMaySeeThem() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let open = try await world.shelve("하나", as: ann, ["visibility": "public"])
            let shown = try await world.shelve("둘", as: ann, ["visibility": "followers"])
            let hidden = try await world.shelve("셋", as: ann, ["visibility": "private"])
            let other = try await world.shelve("넷", as: bob, ["visibility": "public"])
            try await world.relate("follow", ann, as: bob)
            try await world.relate("block", cat, as: ann)
            let all = [other, hidden, shown, "5", open]
            #expect(try await Self.shown("records", all, to: ann, world) == [other, hidden, shown, open])
            #expect(try await Self.shown("records", all, to: bob, world) == [other, shown, open])
            #expect(try await Self.shown("records", all, to: cat, world) == [other])
            #expect(try await Self.shown("records", all, to: nil, world) == [other, open])
        }
    }

    @Test func aBookThatChangesIsToldWithEachRecordOfIt() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let open = try await world.shelve("어린 왕자", as: ann, ["visibility": "public"])
            try await world.shelve("어린 왕자", as: ann, ["visibility": "private"])
            #expect(try await world.told(RecordUpdated.self).isEmpty)
            let book = try #require(try await world.record(open, as: ann)["book_id"] as? String)
            let path = "/api/v1/shelf/books/\(book)"
            try await world.ask(.put, path, as: ann, ["title": "어린 왕자", "publisher": "열린책들"])
            // The same again is no news.
            try await world.ask(.put, path, as: ann, ["title": "어린 왕자", "publisher": "열린책들"])
            let edited = try await world.told(RecordUpdated.self)
            #expect(edited.map(\.record.id.description) == [open])
            #expect(edited.last?.record.book.publisher == "열린책들")
            // What the next record knows of the book besides is told of those before as well.
            let more: [String: any Sendable] = ["isbn13": "9788932917245"]
            try await world.ask(.put, path, as: ann, ["title": "어린 왕자", "isbn13": "9788932917245"])
            try await world.shelve("어린 왕자", as: ann, book: more.merging(["authors": ["생텍쥐페리"]]) { $1 })
            let told = try await world.told(RecordUpdated.self)
            #expect(told.count == 3)
            #expect(told.last?.record.book.authors == ["생텍쥐페리"])
            let versions = try await world.told(RecordPublished.self).map(\.record.version) + told.map(\.record.version)
            #expect(zip(versions, versions.dropFirst()).allSatisfy(<), "\(versions)")
            try await world.ask(.delete, "/api/v1/shelf/records/\(open)", as: ann)
            let withdrawn = try #require(try await world.told(RecordWithdrawn.self).last)
            #expect(withdrawn.subjectVersion > versions.last ?? .max)
        }
    }
}
