// SPDX-License-Identifier: Apache-2.0
// What a blocked word flags: a report that this place itself makes.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct FlagTests {
    private static let term = BlockedTermID(71)

    /// A world in which `gamble` is reported.
    private func run(_ body: @Sendable (GraphWorld) async throws -> Void) async throws {
        try await GraphWorld.run { world in
            let term = BlockedTermChanged(
                termID: Self.term,
                text: "gamble",
                action: .report,
                seesThroughDigits: false,
                changedAt: world.clock.now,
                subjectVersion: 1
            )
            try await world.hear(term, on: BlockedTerms.queue)
            try await body(world)
        }
    }

    private func queue(_ world: GraphWorld, as moderator: Person) async throws -> [[String: Any]] {
        try await world.moderate(.get, "/api/v1/moderation/reports", as: moderator).list
    }

    private func flagged(_ thing: Thing, of account: AccountID, _ world: GraphWorld) -> ThingFlagged {
        ThingFlagged(
            thing: thing,
            accountID: account,
            termID: Self.term,
            flaggedAt: world.clock.now,
            subjectVersion: world.dependencies.ids.number()
        )
    }

    @Test func aFlaggedPostIsReportedAsItWas() async throws {
        try await run { world in
            let (bob, mod) = (try await world.person("bob"), try await world.moderator("mod"))
            _ = try await world.write("hello", as: bob)
            let post = try await world.write("let us gamble", as: bob)
            #expect(try await world.send(.delete, "/api/v1/statuses/\(post)", as: bob).code == 200)
            let reports = try await queue(world, as: mod)
            let report = try #require(reports.first)
            #expect(reports.count == 1 && report["account"] is NSNull && report["category"] as? String == "violation")
            #expect((report["comment"] as? String)?.contains("gamble") == true)
            #expect((report["target_account"] as? [String: Any])?["id"] as? String == bob.id.description)
            let things = try #require(report["things"] as? [[String: Any]])
            #expect(things.compactMap { $0["id"] as? String } == [post])
            #expect((things.first?["snapshot"] as? [String: Any])?["text"] as? String == "let us gamble")
            let told = try await world.told(ReportFiled.self)
            #expect(told.count == 1 && told.first?.reporter == nil && told.first?.target.id == bob.id)
            let admin = try await world.moderate(.get, "/api/v1/admin/reports/\(try report.id)", as: mod).object
            #expect((admin["account"] as? [String: Any])?["id"] as? String == bob.id.description)
        }
    }

    @Test func aThingHasOneOpenReport() async throws {
        try await run { world in
            let (bob, mod) = (try await world.person("bob"), try await world.moderator("mod"))
            let post = try await world.write("let us gamble", as: bob)
            func edit(_ text: String) async throws {
                let edited = try await world.send(.put, "/api/v1/statuses/\(post)", as: bob, ["status": text])
                #expect(edited.code == 200)
            }
            let first = try await queue(world, as: mod)
            try await edit("let us gamble again")
            #expect(try await queue(world, as: mod).map { try $0.id } == first.map { try $0.id })
            let id = try #require(first.first).id
            let closed = try await world.moderate(.post, "/api/v1/moderation/reports/\(id)/close", as: mod)
            #expect(closed.code == 200)
            #expect(try await queue(world, as: mod).isEmpty)
            try await edit("let us gamble once more")
            let second = try await queue(world, as: mod)
            #expect(try second.count == 1 && second.first?.id != id)
            #expect(try await world.told(ReportFiled.self).count == 2)
        }
    }

    @Test func aReportOfAPersonIsAnother() async throws {
        try await run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let post = try await world.write("hello", as: bob)
            _ = try await world.filed(["status_ids": [post]], as: ann)
            let edited = try await world.send(.put, "/api/v1/statuses/\(post)", as: bob, ["status": "let us gamble"])
            #expect(edited.code == 200)
            #expect(try await queue(world, as: mod).count == 2)
        }
    }

    @Test func aProfileIsKeptAsItWas() async throws {
        try await run { world in
            let (bob, mod) = (try await world.person("bob"), try await world.moderator("mod"))
            let path = "/api/v1/accounts/update_credentials"
            #expect(try await world.send(.patch, path, as: bob, ["note": "I gamble"]).code == 200)
            #expect(try await world.send(.patch, path, as: bob, ["note": "I do not"]).code == 200)
            let things = try #require(try await queue(world, as: mod).first?["things"] as? [[String: Any]])
            #expect(things.count == 1 && things.first?["kind"] as? String == "account")
            #expect((things.first?["snapshot"] as? [String: Any])?["text"] as? String == "I gamble")
        }
    }

    @Test func aFlaggedMessageIsAskedOfChat() async throws {
        try await run { world in
            let (bob, mod) = (try await world.person("bob"), try await world.moderator("mod"))
            let thing = Thing(kind: .message, id: "7")
            let queue = FileFlag.queue(world.dependencies)
            for _ in 0..<2 { try await world.hear(flagged(thing, of: bob.id, world), on: queue) }
            let asked = try await world.told(ThingReported.self)
            #expect(asked.map(\.things) == [[thing]] && asked.first?.reporterID == nil)
            #expect(try await world.told(ReportFiled.self).isEmpty)
            let report = try #require(asked.first).reportID
            let snapshot = ThingSnapshot(text: "let us gamble", placeID: "3", createdAt: world.clock.now)
            let told = ReportedThingTold<ThingKeepers.Chat>(
                reportID: report,
                thing: thing,
                authorID: bob.id,
                snapshot: snapshot
            )
            try await world.hear(told, on: ReportedThings.queue)
            let queued = try await world.queued(report.description, as: mod)
            #expect(queued["account"] is NSNull)
            #expect((queued["target_account"] as? [String: Any])?["id"] as? String == bob.id.description)
            let things = try #require(queued["things"] as? [[String: Any]])
            #expect((things.first?["snapshot"] as? [String: Any])?["text"] as? String == "let us gamble")
            #expect(try await world.told(ReportFiled.self).map(\.reporter) == [nil])
        }
    }

    @Test func aFlaggedMessageThatIsGoneIsNotReported() async throws {
        try await run { world in
            let bob = try await world.person("bob")
            let thing = Thing(kind: .message, id: "7")
            try await world.hear(flagged(thing, of: bob.id, world), on: FileFlag.queue(world.dependencies))
            let report = try #require(try await world.told(ThingReported.self).first).reportID
            let nothing = ReportedThingTold<ThingKeepers.Chat>(reportID: report, thing: thing)
            try await world.hear(nothing, on: ReportedThings.queue)
            #expect(try await world.number("SELECT count(*) FROM reports") == 0)
        }
    }
}
