// SPDX-License-Identifier: Apache-2.0
// What becomes of projects by itself: once, whatever is restarted and however many processes look.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ProjectDutyTests {
    private static func moment(_ seconds: Int64) -> String { (GraphWorld.start + .seconds(seconds)).rfc3339 }

    @Test func aDeadlineClosesAProjectOnce() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann, ["deadline": Self.moment(3600)])
            let id = try made.id
            #expect(try await world.apply(to: made, as: bob).code == 200)
            try await world.seeToDuties()
            #expect(try await world.project(id).state == "recruiting")
            world.clock.advance(.seconds(3600))
            #expect(try await world.apply(to: made, as: try await world.person("late")).code == 409)
            // As many processes as may look at once.
            _ = try await world.atOnce(8) { _ in try await world.seeToDuties() }
            #expect(try await world.project(id).state == "closed")
            #expect(try await world.told(ProjectClosed.self).count == 1)
            let announced = try await world.told(ProjectAnnounced.self).filter { $0.type == "project_update" }
            #expect(announced.map { Set($0.recipients) } == [[ann.id, bob.id]], "the leader hears of it, too")
            #expect(try await world.step("reopen", id, as: ann).code == 422, "the deadline has passed")
            let path = "/api/v1/projects/\(id)"
            #expect(try await world.send(.patch, path, as: ann, ["deadline": Self.moment(7200)]).code == 200)
            #expect(try await world.step("reopen", id, as: ann).code == 200)
            #expect(try await world.ids("/api/v1/projects?sort=deadline") == [id])
        }
    }

    @Test func peopleAreRemindedOnceOfEachDeadline() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann, ["deadline": Self.moment(3 * 86_400)])
            let (id, path) = (try made.id, "/api/v1/projects/\(try made.id)")
            #expect(try await world.step("bookmark", id, as: bob).code == 200)
            func reminded() async throws -> [Set<AccountID>] {
                try await world.seeToDuties()
                return try await world.told(ProjectAnnounced.self).filter { $0.type == "project_deadline" }
                    .map { Set($0.recipients) }
            }
            world.clock.advance(.seconds(2 * 86_400 - 1))
            #expect(try await reminded().isEmpty)
            world.clock.advance(.seconds(2))
            _ = try await world.atOnce(8) { _ in try await world.seeToDuties() }
            #expect(try await reminded() == [[ann.id, bob.id]])
            // Put off, they are reminded of the new one; brought nearer than that, it is too late.
            #expect(try await world.send(.patch, path, as: ann, ["deadline": Self.moment(5 * 86_400)]).code == 200)
            #expect(try await reminded().count == 1)
            world.clock.advance(.seconds(2 * 86_400))
            #expect(try await reminded().count == 2)
            #expect(
                try await world.send(.patch, path, as: ann, ["deadline": Self.moment(4 * 86_400 + 7200)]).code == 200
            )
            #expect(try await reminded().count == 2)
            let short = try await world.project(by: ann, ["deadline": Self.moment(4 * 86_400 + 7200)])
            #expect(try await reminded().count == 2, "whoever publishes it that late knows")
            #expect(short.state == "recruiting")
        }
    }

    @Test func whoAppliedToWhatIsOverIsTold() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let made = try await world.project(by: ann)
            let id = try made.id
            for number in 0..<120 {
                let person = try await world.person("p\(number)")
                #expect(try await world.apply(to: made, as: person).code == 200)
            }
            #expect(try await world.step("finish", id, as: ann).code == 200)
            #expect(try await world.ids("/api/v1/projects/\(id)/applications?state=open&limit=80", as: ann).count == 80)
            _ = try await world.atOnce(4) { _ in try await world.seeToDuties() }
            #expect(try await world.ids("/api/v1/projects/\(id)/applications?state=open", as: ann).isEmpty)
            let told = try await world.told(ApplicationDeclined.self)
            #expect(told.count == 120 && Set(told.map(\.application.id)).count == 120)
            #expect(told.allSatisfy { $0.actor.id == ann.id && $0.application.version == 2 })
            #expect(try await world.number("SELECT count(*) FROM projects WHERE open_count > 0") == 0)
        }
    }

    /// What always fails hinders nothing else, and is tried again.
    @Test func whatFailsIsLeftForTheNextRound() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            var ids: [String] = []
            for number in 0..<3 {
                ids.append(try await world.project(by: ann, ["deadline": Self.moment(3600 + Int64(number))]).id)
            }
            world.clock.advance(.seconds(7200))
            _ = try await world.database.query(
                "UPDATE projects SET roles = '{}' WHERE id = \(try #require(ProjectID(ids[0])))"
            )
            try await world.seeToDuties()
            #expect(try await world.ids("/api/v1/projects?state=closed") == [ids[2], ids[1]])
            _ = try await world.database.query(
                "UPDATE projects SET roles = '[]' WHERE id = \(try #require(ProjectID(ids[0])))"
            )
            try await world.seeToDuties()
            #expect(try await world.ids("/api/v1/projects?state=closed") == [ids[2], ids[1], ids[0]])
        }
    }
}
