// SPDX-License-Identifier: Apache-2.0
// What chat says of reported messages and playgrounds, and what goes because a moderator removed it.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Support
import Testing
import Web

@testable import ChatService

@Suite struct ModerationTests {
    private static let report = ReportID(9)

    private func hear(_ event: some Event, _ world: ChatWorld) async throws {
        let message = try Envelope(id: EventID.new(), time: ChatWorld.start, traceparent: nil, data: event).message()
        try await Moderation.queue(world.dependencies).apply([message], in: world.database)
    }

    private func told(_ world: ChatWorld) async throws -> [ReportedThingTold<ThingKeepers.Chat>] {
        try await recorded(in: world.database)
    }

    private func removal(_ kind: ThingKind, _ id: String, of account: AccountID) -> DecisionMade {
        DecisionMade(
            decisionID: DecisionID(5),
            accountID: account,
            action: .remove,
            thing: Thing(kind: kind, id: id),
            reason: "",
            decidedAt: ChatWorld.start,
            subjectVersion: 1
        )
    }

    @Test func aMessageIsToldToWhoeverSeesIt() async throws {
        try await ChatWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let room = try await world.room([ann, bob], type: "private", outside: [cat])
            let id = try await world.said("rude", in: room, as: bob)
            let thing = Thing(kind: .message, id: id)
            for reporter in [ann, cat] {
                let event = ThingReported(
                    reportID: Self.report,
                    reporterID: reporter.id,
                    things: [thing, Thing(kind: .gif, id: "1"), Thing(kind: .message, id: "1")]
                )
                try await hear(event, world)
            }
            let told = try await told(world)
            #expect(told.map(\.thing.id) == [id, "1", id, "1"])
            #expect(told.map { $0.snapshot?.text } == ["rude", nil, nil, nil])
            #expect(told.first?.authorID == bob.id && told.first?.snapshot?.placeID == room)
        }
    }

    @Test func aPlaygroundIsToldToWhoeverSeesIt() async throws {
        try await ChatWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let open = try await world.playground("Open", of: bob)
            let closed = try await world.playground("Closed", of: bob, isOpen: false)
            let things = [open, closed].map { Thing(kind: .playground, id: $0) }
            try await hear(ThingReported(reportID: Self.report, reporterID: ann.id, things: things), world)
            let told = try await told(world)
            #expect(told.map { $0.snapshot?.title } == ["Open", nil] && told.first?.authorID == bob.id)
        }
    }

    @Test func thisPlaceItselfSeesEverything() async throws {
        try await ChatWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let room = try await world.room([ann, bob], type: "private")
            let message = try await world.said("rude", in: room, as: bob)
            let closed = try await world.playground("Closed", of: bob, isOpen: false)
            let things = [
                Thing(kind: .message, id: message), Thing(kind: .playground, id: closed),
                Thing(kind: .message, id: "1"),
            ]
            try await hear(ThingReported(reportID: Self.report, reporterID: nil, things: things), world)
            let told = try await told(world)
            #expect(told.map { $0.snapshot?.text ?? "gone" } == ["rude", "", "gone"])
            #expect(told.map { $0.snapshot?.title } == [nil, "Closed", nil])
            #expect(told.map(\.authorID) == [bob.id, bob.id, nil])
        }
    }

    @Test func whatAModeratorRemovesGoes() async throws {
        try await ChatWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let room = try await world.room([ann, bob])
            let id = try await world.said("rude", in: room, as: bob)
            let playground = try await world.playground("Open", of: bob)
            for _ in 0..<2 {
                try await hear(removal(.message, id, of: bob.id), world)
                try await hear(removal(.playground, playground, of: bob.id), world)
            }
            #expect(try await world.texts(room, as: ann).contains("rude") == false)
            #expect(try await world.get("/api/v1/playgrounds/\(playground)", as: bob).code == 404)
            let news = try await world.news(after: 0)
            #expect(news.count { $0 == "MessageDeleted" } == 1 && news.count { $0 == "PlaygroundDeleted" } == 1)
        }
    }

    @Test func otherDecisionsAreNothingToChat() async throws {
        try await ChatWorld.run { world in
            let bob = try await world.person("bob")
            let room = try await world.room([bob])
            let id = try await world.said("fine", in: room, as: bob)
            let warning = DecisionMade(
                decisionID: DecisionID(5),
                accountID: bob.id,
                action: .warn,
                thing: Thing(kind: .message, id: id),
                reason: "",
                decidedAt: ChatWorld.start,
                subjectVersion: 1
            )
            try await hear(warning, world)
            #expect(try await world.texts(room, as: bob) == ["fine"])
        }
    }
}
