// SPDX-License-Identifier: Apache-2.0
// Applications: who may make them, who decides, and that no role is ever over-filled.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ApplicationTests {
    @Test func anApplicationIsReadAndDecided() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let made = try await world.project(by: ann)
            let id = try made.id
            let applied = try await world.apply(to: made, as: bob, "저요!")
            #expect(applied.code == 200, "\(applied.text)")
            let application = try #require(try applied.string("id"))
            let path = "/api/v1/applications/\(application)"
            #expect(try applied.string("message") == "저요!" && applied.string("state") == "open")
            #expect(try await world.apply(to: made, as: bob).code == 409, "one at a time")
            #expect(try await world.apply(to: made, as: ann).code == 409, "the leader is in it")
            for reader in [ann, bob] { #expect(try await world.get(path, as: reader).text == applied.text) }
            #expect(try await world.get(path, as: cat).code == 404)
            #expect(try await world.get("/api/v1/projects/\(id)/applications", as: bob).code == 403)
            #expect(try await world.ids("/api/v1/projects/\(id)/applications", as: ann) == [application])
            #expect(try await world.ids("/api/v1/projects/\(id)/applications?state=declined", as: ann).isEmpty)
            #expect(try await world.ids("/api/v1/applications?state=open", as: bob) == [application])
            let seen = try #require(try await world.project(id, as: bob)["application"] as? [String: Any])
            #expect(seen["id"] as? String == application && seen["state"] as? String == "open")
            #expect(try await world.project(id)["applications_count"] as? Int == 1)
            for action in ["accept", "decline"] {
                #expect(try await world.decide(action, application, as: bob).code == 403, "\(action)")
                #expect(try await world.decide(action, application, as: cat).code == 404, "\(action)")
            }
            #expect(try await world.decide("withdraw", application, as: ann).code == 403)
            let accepted = try await world.decide("accept", application, as: ann, "환영해요")
            #expect(try accepted.string("state") == "accepted" && accepted.string("note") == "환영해요")
            #expect(try await world.decide("accept", application, as: ann).text == accepted.text, "again is no error")
            #expect(try await world.decide("decline", application, as: ann).code == 409)
            #expect(try await world.decide("withdraw", application, as: bob).code == 409)
            #expect(try await world.apply(to: made, as: bob).code == 409, "who is in it does not apply")
            #expect(try await world.members(of: id) == [ann.id.description, bob.id.description])
            #expect(try await world.ids("/api/v1/accounts/\(bob.id)/projects?as=member") == [id])
            let received = try await world.told(ApplicationReceived.self)
            #expect(received.map(\.recipientID) == [ann.id] && received.map(\.actor.id) == [bob.id])
            let told = try await world.told(ApplicationAccepted.self)
            #expect(told.map(\.recipientID) == [bob.id] && told.map(\.application.version) == [2])
            let list = try #require(try await world.told(ProjectMembersChanged.self).last)
            #expect(Set(list.members.map(\.accountID)) == [ann.id, bob.id])
            #expect(list.members.first { $0.accountID == bob.id }?.since == list.subjectVersion)
        }
    }

    @Test func whoTakesItBackMayApplyAgain() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann)
            let id = try made.id
            for number in 0..<10 {
                let application = try #require(try await world.apply(to: made, as: bob).string("id"))
                let action = number == 9 ? "decline" : "withdraw"
                #expect(try await world.decide(action, application, as: number == 9 ? ann : bob).code == 200)
            }
            let refused = try await world.apply(to: made, as: bob)
            #expect(refused.code == 409 && refused.text.contains("too-many-applications"))
            #expect(try await world.project(id)["applications_count"] as? Int == 1, "what was withdrawn is not counted")
            #expect(try await world.told(ApplicationWithdrawn.self).count == 9)
            #expect(try await world.told(ApplicationDeclined.self).count == 1)
        }
    }

    @Test func membersGoAndMayComeAgain() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(by: ann, ["roles": [["name": "iOS"]] as [[String: any Sendable]]])
            let id = try made.id
            try await world.join(made, as: bob, leader: ann)
            let cat = try await world.person("cat")
            #expect(try await world.apply(to: made, as: cat).code == 409, "the role is full")
            let path = "/api/v1/projects/\(id)/members"
            #expect(try await world.send(.delete, "\(path)/\(bob.id)", as: bob).code == 403)
            #expect(try await world.send(.delete, "\(path)/\(cat.id)", as: ann).code == 404)
            #expect(try await world.send(.delete, "\(path)/\(ann.id)", as: ann).code == 409)
            #expect(try await world.send(.delete, "\(path)/\(bob.id)", as: ann).code == 200)
            #expect(try await world.step("leave", id, as: bob).code == 404)
            try await world.join(made, as: bob, leader: ann)
            let lists = try await world.told(ProjectMembersChanged.self)
            let memberships = lists.compactMap { list in list.members.first { $0.accountID == bob.id }?.since }
            #expect(Set(memberships).count == 2, "another membership has another beginning")
            #expect(lists.map(\.subjectVersion) == lists.map(\.subjectVersion).sorted())
            #expect(try await world.step("leave", id, as: bob).code == 200)
            #expect(try await world.members(of: id) == [ann.id.description])
        }
    }

    @Test func rolesInUseStayAndMayGrow() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let made = try await world.project(by: ann)
            let path = "/api/v1/projects/\(try made.id)"
            let (ios, design) = (try world.role("iOS", of: made), try world.role("디자이너", of: made))
            try await world.join(made, as: bob, leader: ann)
            #expect(try await world.apply(to: made, as: cat, role: "디자이너").code == 200)
            func set(_ roles: [[String: any Sendable]]) async throws -> Int {
                try await world.send(.patch, path, as: ann, ["roles": roles]).code
            }
            #expect(try await set([["id": ios, "name": "iOS"]]) == 409, "somebody applied for the other one")
            #expect(try await set([["id": design, "name": "디자이너"]]) == 409, "somebody is in the other one")
            #expect(
                try await set([["id": ios, "name": "앱", "wanted": 1], ["id": design, "name": "그림", "wanted": 3]]) == 200
            )
            #expect(try await set([["id": "5", "name": "x"]]) == 422)
            let roles = try #require(try await world.get(path).object["roles"] as? [[String: Any]])
            #expect(roles.compactMap { $0["name"] as? String } == ["앱", "그림"])
            #expect(roles.compactMap { $0["filled"] as? Int } == [1, 0])
            #expect(try await world.ids("/api/v1/projects?role=iOS").isEmpty)
            #expect(try await world.ids("/api/v1/projects?role=%EA%B7%B8%EB%A6%BC").count == 1)
            let application = try #require(try await world.get("/api/v1/applications", as: cat).list.first)
            let role = try #require(application["role"] as? [String: Any])
            #expect(role["name"] as? String == "디자이너", "as it was called when they applied")
        }
    }

    /// Whoever blocks the other is met no more, whatever was between the two.
    @Test func blocksAreRespected() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            for (blocker, blocked) in [(ann, bob), (bob, ann)] {
                let made = try await world.project(by: ann)
                let id = try made.id
                let application = try #require(try await world.apply(to: made, as: bob).string("id"))
                try await world.relate("block", blocked, as: blocker)
                #expect(try await world.get("/api/v1/projects/\(id)", as: bob).code == 404)
                #expect(try await world.apply(to: made, as: bob).code == 404)
                #expect(try await world.ids("/api/v1/projects", as: bob).isEmpty)
                #expect(try await world.ids("/api/v1/projects/\(id)/applications", as: ann).isEmpty)
                #expect(try await world.ids("/api/v1/applications", as: bob).isEmpty)
                for (action, actor) in [("accept", ann), ("decline", ann), ("withdraw", bob)] {
                    #expect(try await world.decide(action, application, as: actor).code == 404, "\(action)")
                }
                try await world.relate("unblock", blocked, as: blocker)
                #expect(try await world.decide("accept", application, as: ann).code == 200)
                try await world.relate("block", blocked, as: blocker)
                #expect(try await world.step("leave", id, as: bob).code == 200, "one may always go")
                try await world.relate("unblock", blocked, as: blocker)
                #expect(try await world.send(.delete, "/api/v1/projects/\(id)", as: ann).code == 200)
            }
        }
    }

    /// Fifty who accept at once fill a role exactly.
    @Test func racingAcceptancesNeverOverfillARole() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let made = try await world.project(
                by: ann,
                ["roles": [["name": "iOS", "wanted": 7], ["name": "서버", "wanted": 5]] as [[String: any Sendable]]]
            )
            let id = try made.id
            var applications: [String] = []
            for number in 0..<50 {
                let person = try await world.person("p\(number)")
                let answer = try await world.apply(to: made, as: person, role: number % 2 == 0 ? "iOS" : "서버")
                applications.append(try #require(try answer.string("id")))
            }
            let all = applications
            let codes = try await world.atOnce(50) { try await world.decide("accept", all[$0], as: ann).code }
            #expect(codes.count { $0 == 200 } == 12 && codes.count { $0 == 409 } == 38)
            let shown = try await world.project(id)
            let roles = try #require(shown["roles"] as? [[String: Any]])
            #expect(roles.compactMap { $0["filled"] as? Int } == [7, 5])
            #expect(shown["members_count"] as? Int == 13 && shown["applications_count"] as? Int == 50)
            #expect(try await world.ids("/api/v1/projects/\(id)/applications?state=accepted", as: ann).count == 12)
            let versions = try await world.told(ProjectMembersChanged.self).map(\.subjectVersion)
            #expect(versions.count == 12 && Set(versions).count == 12)
            let last = try #require(
                try await world.told(ProjectMembersChanged.self).max { $0.subjectVersion < $1.subjectVersion }
            )
            #expect(Set(last.members.map(\.accountID.description)) == (try await world.members(of: id)))
        }
    }

    /// Applying, deciding, leaving and removing at once: counts, members and lists agree afterwards.
    @Test func whateverHappensCountsAndRowsAgree() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let made = try await world.project(
                by: ann,
                ["roles": [["name": "iOS", "wanted": 4]] as [[String: any Sendable]]]
            )
            let id = try made.id
            let role = try world.role("iOS", of: made)
            var people: [Person] = []
            for number in 0..<8 { people.append(try await world.person("p\(number)")) }
            let everyone = people
            let codes = try await world.atOnce(240) { index -> Int in
                let person = everyone[index % 8]
                switch index / 8 % 5 {
                case 0, 1:
                    let body = #"{"role_id":"\#(role)"}"#
                    let path = "/api/v1/projects/\(id)/applications"
                    return try await world.post(path, as: person, json: body).code
                case 2:
                    let open = try await world.ids("/api/v1/projects/\(id)/applications?state=open&limit=3", as: ann)
                    guard let first = open.first else { return 200 }
                    return try await world.decide(index % 3 == 0 ? "decline" : "accept", first, as: ann).code
                case 3: return try await world.step("leave", id, as: person).code
                default:
                    let open = try await world.ids("/api/v1/applications?state=open", as: person)
                    guard let first = open.first else { return 200 }
                    return try await world.decide("withdraw", first, as: person).code
                }
            }
            #expect(codes.allSatisfy { [200, 404, 409].contains($0) }, "\(codes)")
            let wrong = try await world.number(
                """
                SELECT count(*) FROM projects p
                WHERE p.applications_count
                        <> (SELECT count(*) FROM applications q WHERE q.project_id = p.id AND q.state <> 'withdrawn')
                    OR p.open_count <> (SELECT count(*) FROM applications q WHERE q.project_id = p.id AND q.state = 'open')
                    OR EXISTS (
                        SELECT FROM project_facets f
                        WHERE f.project_id = p.id AND f.applications_count <> p.applications_count
                    )
                    OR (SELECT count(*) FROM project_members m WHERE m.project_id = p.id AND m.role_id IS NOT NULL) > 4
                """
            )
            #expect(wrong == 0)
            let lists = try await world.told(ProjectMembersChanged.self)
            #expect(Set(lists.map(\.subjectVersion)).count == lists.count)
            if let last = lists.max(by: { $0.subjectVersion < $1.subjectVersion }) {
                #expect(Set(last.members.map(\.accountID.description)) == (try await world.members(of: id)))
            }
        }
    }
}
