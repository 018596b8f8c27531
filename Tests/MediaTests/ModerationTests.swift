// SPDX-License-Identifier: Apache-2.0
// What media says of reported GIFs, and what goes because a moderator removed it.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Support
import Testing
import Web

@testable import MediaService

@Suite struct ModerationTests {
    private func hear(_ event: some Event, _ world: MediaWorld) async throws {
        let message = try Envelope(id: EventID.new(), time: MediaWorld.start, traceparent: nil, data: event).message()
        try await Moderation.queue(world.dependencies).apply([message], in: world.dependencies.database)
    }

    @Test func theCatalogueSaysNoNameOfWhomNobodyMaySee() async throws {
        try await MediaWorld.runGifs { world in
            _ = try await world.gif("wave")
            let name = MediaWorld.admin.username.text
            func shown() async throws -> String {
                #expect(try await world.gifs("/search", "q=wave").titles == ["wave"])
                return try await world.send(.get, "/api/v1/gifs/search", query: "q=wave", as: nil).text
            }
            func tell(_ restrictions: [Restriction], version: Int64) async throws {
                let event = AccountRestricted(
                    accountID: MediaWorld.admin.id,
                    restrictions: restrictions,
                    subjectVersion: version
                )
                let message = try Envelope(id: EventID.new(), time: MediaWorld.start, traceparent: nil, data: event)
                    .message()
                try await Restrictions.queue.apply([message], in: world.dependencies.database)
            }
            #expect(try await shown().contains("\"username\":\"\(name)\""))
            for kind in [Restriction.suspended, .leaving] {
                try await tell([kind], version: kind == .suspended ? 1 : 3)
                #expect(try await !shown().contains(name), "\(kind)")
                try await tell([.limited], version: kind == .suspended ? 2 : 4)
                #expect(try await shown().contains("\"username\":\"\(name)\""))
            }
            // What is older changes nothing.
            try await tell([.suspended], version: 1)
            #expect(try await shown().contains(name))
        }
    }

    @Test func aGifIsToldAndTakenOut() async throws {
        try await MediaWorld.runGifs { world in
            let id = try await world.gif("wave")
            let things = ["\(id)", "1"].map { Thing(kind: .gif, id: $0) } + [Thing(kind: .message, id: "2")]
            let report = ThingReported(reportID: ReportID(9), reporterID: MediaWorld.minji.id, things: things)
            try await hear(report, world)
            let told = try await recorded(ReportedThingTold<ThingKeepers.Media>.self, in: world.dependencies.database)
            #expect(told.map { $0.snapshot?.title } == ["wave", nil])
            #expect(told.first?.authorID == MediaWorld.admin.id)
            #expect(try await world.gifs("/search", "q=wave").titles == ["wave"])
            let removal = DecisionMade(
                decisionID: DecisionID(5),
                accountID: MediaWorld.admin.id,
                action: .remove,
                thing: Thing(kind: .gif, id: "\(id)"),
                reason: "",
                decidedAt: MediaWorld.start,
                subjectVersion: 1
            )
            for _ in 0..<2 { try await hear(removal, world) }
            #expect(try await world.gifs("/search", "q=wave").titles == [])
        }
    }
}
