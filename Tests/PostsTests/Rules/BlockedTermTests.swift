// SPDX-License-Identifier: Apache-2.0
// Words and links that are blocked: what is refused, what is reported, and from when on.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

@Suite struct BlockedTermTests {
    private static func word(
        _ text: String,
        _ action: TermAction? = .refuse,
        id: Int64 = 1,
        version: Int64 = 1
    ) -> BlockedTermChanged {
        BlockedTermChanged(
            termID: BlockedTermID(id),
            text: action == nil ? "" : text,
            action: action,
            seesThroughDigits: false,
            changedAt: GraphWorld.start,
            subjectVersion: version
        )
    }

    private static func envelope(_ event: some Event) throws -> [UInt8] {
        let id = UUID().uuidString.lowercased()
        return Array(try JSONEncoder().encode(Envelope(id: id, time: GraphWorld.start, traceparent: nil, data: event)))
    }

    private static func hear(_ event: some Event, _ world: GraphWorld) async throws {
        _ = try await BlockedTerms.queue.apply(try envelope(event), in: world.database)
    }

    private static func flags(_ world: GraphWorld) async throws -> [String] {
        try await world.database.query(
            "SELECT t.kind FROM report_things t JOIN reports r ON r.id = t.report_id WHERE r.reporter_id IS NULL ORDER BY t.kind"
        ).all { try $0.next() }
    }

    @Test func nothingWithABlockedWordIsTaken() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let before = try await world.write("나쁜말 전", as: ann)
            try await Self.hear(Self.word("나쁜말"), world)
            for text in ["나쁜말", "아주나쁜말!", "나\u{200B}쁜말", "\u{1102}\u{1161}쁜말"] {
                let answer = try await world.publish(text, as: ann)
                #expect(answer.code == 422, "\(text)")
                #expect(try answer.string("code") == "blocked-content")
                #expect(!answer.text.contains("나쁜말"))
            }
            #expect(try await world.publish("x", as: ann, ["spoiler_text": "나쁜말"]).code == 422)
            #expect(try await world.publish("x", as: ann, ["in_reply_to_id": before]).code == 200)
            #expect(try await world.publish("나쁜말", as: ann, ["in_reply_to_id": before]).code == 422)
            let edit = try await world.send(.put, "/api/v1/statuses/\(before)", as: ann, ["status": "더 나쁜말"])
            #expect(edit.code == 422)
            for profile in [["display_name": "나쁜말"], ["note": "나쁜말"]] {
                let answer = try await world.send(.patch, "/api/v1/accounts/update_credentials", as: ann, profile)
                #expect(answer.code == 422)
            }
            var idea = GraphWorld.idea
            idea["summary"] = "나쁜말"
            #expect(try await world.send(.post, "/api/v1/projects", as: ann, idea).code == 422)
            #expect(try await Self.flags(world).isEmpty)
            // Freed again; what comes late does not bring it back.
            try await Self.hear(Self.word("나쁜말", nil, version: 3), world)
            try await Self.hear(Self.word("나쁜말", version: 2), world)
            #expect(try await world.publish("나쁜말", as: ann).code == 200)
        }
    }

    @Test func whatIsReportedIsShownAndNoted() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await Self.hear(Self.word("odd", .report), world)
            let id = try await world.write("an odd thing", as: ann)
            #expect(try await world.status(id)["id"] as? String == id)
            _ = try await world.project(by: ann, ["title": "odd"])
            let answer = try await world.send(.patch, "/api/v1/accounts/update_credentials", as: ann, ["note": "odd"])
            #expect(answer.code == 200)
            #expect(try await Self.flags(world) == ["account", "post", "project"])
            // What is reported weighs less than what is refused.
            try await Self.hear(Self.word("worse", id: 2, version: 2), world)
            #expect(try await world.publish("odd and worse", as: ann).code == 422)
        }
    }

    @Test func aRecordIsItsOwnersUntilOthersReadIt() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await Self.hear(Self.word("나쁜말"), world)
            var record: [String: any Sendable] = [
                "book": ["title": "책"] as [String: any Sendable], "state": "finished", "one_line": "나쁜말",
            ]
            let made = try await world.send(.post, "/api/v1/shelf/records", as: ann, record)
            #expect(made.code == 200)
            record["visibility"] = "public"
            #expect(try await world.send(.post, "/api/v1/shelf/records", as: ann, record).code == 422)
            let id = try #require(try made.string("id"))
            let path = "/api/v1/shelf/records/\(id)"
            #expect(try await world.send(.put, path, as: ann, ["visibility": "public"]).code == 422)
            #expect(try await world.send(.put, path, as: ann, ["rating": "4"]).code == 200)
        }
    }

    @Test func aLinkToABlockedDomainIsRefused() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let blocked = BlockedDomainChanged(
                domainID: BlockedDomainID(1),
                domain: "trash.example",
                blocksMail: false,
                blocksLinks: true,
                changedAt: GraphWorld.start,
                subjectVersion: 1
            )
            try await Self.hear(blocked, world)
            for text in ["https://trash.example/a", "see http://WWW.Trash.example:8080", "https://a.b.trash.example?x"]
            {
                let answer = try await world.publish(text, as: ann)
                #expect(answer.code == 422, "\(text)")
                #expect(try answer.string("code") == "blocked-link")
            }
            for text in ["trash.example", "https://nottrash.example/", "https://example/trash.example"] {
                #expect(try await world.publish(text, as: ann).code == 200, "\(text)")
            }
        }
    }
}
