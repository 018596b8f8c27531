// SPDX-License-Identifier: Apache-2.0
// Playgrounds: what is made, changed and told.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import ChatService

@Suite struct PlaygroundTests {
    @Test func aPlaygroundBeginsWithItsOwnerAndAChannel() async throws {
        try await ChatWorld.run { world in
            // Who signed up a moment ago acts at once: the row comes from the principal.
            let ann = try world.stranger("ann")
            let answer = try await world.post(
                "/api/v1/playgrounds",
                as: ann,
                ["name": " 마당\u{202E} \n 하나 ", "description": "  First\nline \u{0007}"]
            )
            #expect(answer.code == 201)
            #expect(try answer.string("name") == "마당  하나" || answer.string("name") == "마당   하나")
            #expect(try answer.string("description") == "First\nline")
            #expect(try answer.string("role") == "owner")
            #expect(try answer.bool("open") == false)
            #expect(try answer.int("members_count") == 1)
            #expect(try answer.object["cover"] is NSNull)
            let id = try #require(try answer.string("id"))
            let general = try #require(try answer.string("default_channel_id"))
            let channel = try await world.get("/api/v1/channels/\(general)", as: ann)
            #expect(try channel.string("name") == "general")
            #expect(try channel.string("role") == "owner")
            #expect(try channel.bool("default") == true)
            #expect(try await world.get("/api/v1/playgrounds", as: ann).strings("id") == [id])
            #expect(
                try await world.news(after: 0) == [
                    "PlaygroundCreated", "ChannelCreated", "MemberJoined", "MemberJoined",
                ]
            )
            let updates = try await world.updates()
            #expect(updates.map(\.event) == ["playground", "member"])
            #expect(updates.first?.accountIDs == [ann.id])
            #expect(updates.first?.joined.map { "\($0.channelID)" } == [general])
            #expect(updates.last?.channelID?.description == general)
            let events = try await world.events()
            #expect(Set(events.map(\.version)).count == events.count)
            #expect(events.first?.subject == id)
            #expect(events.last?.subject == "\(general)-\(ann.id)")
        }
    }

    @Test func comingInTwiceIsComingInOnce() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            let general = try await world.general(of: id, as: ann)
            let before = try await world.events().count
            let live = try await world.updates().count
            for _ in 0..<2 {
                let answer = try await world.post("/api/v1/playgrounds/\(id)/join", as: bo)
                #expect(try answer.string("role") == "member")
                #expect(try answer.int("members_count") == 2)
            }
            #expect(try await world.news(after: before) == ["MemberJoined", "MemberJoined"])
            let told = try await world.updates().dropFirst(live)
            #expect(told.map(\.event) == ["playground", "member"])
            #expect(told.first?.joined.map { "\($0.channelID)-\($0.accountID)" } == ["\(general)-\(bo.id)"])
            #expect(told.last?.text.contains(#""action":"joined""#) == true)
            #expect(
                try await world.get("/api/v1/playgrounds/\(id)/members", as: bo).strings("username") == ["bo", "ann"]
            )
        }
    }

    @Test func goingEndsEveryMembership() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let cy = try await world.person("cy")
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            try await world.enter(id, bo, cy)
            _ = try await world.put("\(path)/members/\(bo.id)", as: ann, ["role": "admin"])
            let talk = try await world.channel("talk", in: id, by: bo)
            try await world.join(talk, cy, ann)
            _ = try await world.put("/api/v1/channels/\(talk)/members/\(ann.id)", as: bo, ["role": "admin"])
            let alone = try await world.channel("alone", in: id, by: bo, type: "private")
            let empty = try await world.channel("empty", in: id, by: bo)
            let general = try await world.general(of: id, as: ann)
            let before = try await world.events().count
            let live = try await world.updates().count
            #expect(try await world.post("\(path)/leave", as: bo).code == 200)
            #expect(
                try await world.news(after: before) == [
                    "MemberLeft", "MemberLeft", "MemberLeft", "MemberLeft", "MemberLeft", "OwnershipTransferred",
                    "RoleChanged", "ChannelDeleted", "ChannelUpdated",
                ]
            )
            let told = try await world.updates().dropFirst(live)
            #expect(told.first?.event == "playground")
            #expect(told.first?.accountIDs == [bo.id])
            let left = told.first { $0.event == "member" }
            #expect(left?.channelID?.description == general)
            #expect(Set(left?.left.map(\.channelID.description) ?? []) == [general, talk, alone, empty])
            #expect(left?.left.allSatisfy { $0.accountID == bo.id } == true)
            // The admin comes next, what nobody is in belongs to nobody, and what nobody could see is gone.
            let channel = try await world.get("/api/v1/channels/\(talk)", as: ann)
            #expect(try channel.string("owner_id") == ann.id.description)
            #expect(try channel.string("role") == "owner")
            #expect(try await world.get("/api/v1/channels/\(empty)", as: cy).object["owner_id"] is NSNull)
            #expect(try await world.number("SELECT count(*) FROM channels WHERE deleted_at IS NOT NULL") == 1)
            #expect(try await world.get(path, as: bo).string("role") == nil)
            #expect(try await world.number("SELECT count(*) FROM channel_members WHERE account_id = \(bo.id)") == 0)
            let handed = try await world.post(
                "/api/v1/channels/\(empty)/transfer",
                as: ann,
                ["account_id": cy.id.description]
            )
            #expect(handed.code == 422)
        }
    }

    @Test func theOwnerStaysUntilSomebodyElseOwns() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            try await world.enter(id, bo)
            let refused = try await world.post("\(path)/leave", as: ann)
            #expect(refused.code == 409)
            #expect(try refused.string("code") == "owner-must-transfer")
            #expect(try await world.put("\(path)/members/\(ann.id)", as: ann, ["role": "member"]).code == 409)
            #expect(try await world.put("\(path)/members/\(bo.id)", as: ann, ["role": "owner"]).code == 422)
            let before = try await world.events().count
            let handed = try await world.post("\(path)/transfer", as: ann, ["account_id": bo.id.description])
            #expect(try handed.string("owner_id") == bo.id.description)
            #expect(try handed.string("role") == "admin")
            #expect(try await world.news(after: before) == ["OwnershipTransferred", "RoleChanged", "RoleChanged"])
            #expect(try await world.post("\(path)/transfer", as: ann, ["account_id": bo.id.description]).code == 403)
            #expect(try await world.post("\(path)/transfer", as: bo, ["account_id": bo.id.description]).code == 200)
            #expect(try await world.delete("\(path)/members/\(bo.id)", as: ann).code == 403)
            #expect(try await world.post("\(path)/bans", as: ann, ["account_id": bo.id.description]).code == 403)
            #expect(try await world.news(after: before).count == 3)
            #expect(try await world.post("\(path)/leave", as: ann).code == 200)
        }
    }

    @Test func aChangeThatChangesNothingTellsNothing() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground("Yard", of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            try await world.enter(id, bo)
            let before = try await world.events().count
            let live = try await world.updates().count
            #expect(try await world.patch(path, as: ann, ["name": "Yard", "open": true]).code == 200)
            #expect(try await world.put("\(path)/members/\(bo.id)", as: ann, ["role": "member"]).code == 200)
            #expect(try await world.delete("\(path)/bans/\(bo.id)", as: ann).code == 200)
            #expect(try await world.events().count == before)
            #expect(try await world.updates().count == live)
            let answer = try await world.patch(path, as: ann, ["name": "Garden", "description": "green"])
            #expect(try answer.string("name") == "Garden")
            #expect(try await world.news(after: before) == ["PlaygroundUpdated"])
            let told = try #require(try await world.updates().last)
            #expect(told.event == "playground")
            #expect(!told.text.contains(#""role""#))
            #expect(told.text.contains(#""action":"updated""#))
        }
    }

    @Test func aCoverIsAnImageOfOnesOwn() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            func ready(_ id: Int64, _ owner: Somebody, _ type: MediaType) async throws {
                let media = MediaProcessed(
                    mediaID: MediaID(id),
                    ownerID: owner.id,
                    type: type,
                    original: RenditionSnapshot(url: "https://madang.example/m/\(id)", width: 640, height: 480),
                    mimeType: "image/png",
                    bytes: 10,
                    subjectVersion: 1
                )
                let snapshot = String(decoding: try JSONEncoder().encode(media), as: UTF8.self)
                _ = try await world.database.query(
                    """
                    INSERT INTO media (id, version, owner_id, snapshot)
                    VALUES (\(id), 1, \(owner.id), CAST(\(snapshot) AS text)::jsonb)
                    """
                )
            }
            try await ready(1, ann, .image)
            try await ready(2, bo, .image)
            try await ready(3, ann, .audio)
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            for wrong in ["2", "3", "4"] {
                #expect(try await world.patch(path, as: ann, ["cover_id": wrong]).code == 422, "\(wrong)")
            }
            let covered = try await world.patch(path, as: ann, ["cover_id": "1"])
            let cover = try #require(try covered.object["cover"] as? [String: Any])
            #expect(cover["url"] as? String == "https://madang.example/o/https://madang.example/m/1")
            #expect(try await world.patch(path, as: ann, ["name": "Other"]).object["cover"] is [String: Any])
            #expect(try await world.patch(path, as: ann, ["cover_id": ""]).object["cover"] is NSNull)
        }
    }

    @Test func invitesEnd() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let people = [
                try await world.person("b"), try await world.person("c"), try await world.person("d"),
                try await world.person("e"),
            ]
            let id = try await world.playground(of: ann, isOpen: false)
            let path = "/api/v1/playgrounds/\(id)/invites"
            let made = try await world.post(path, as: ann, ["expires_in": 3600, "max_uses": 2])
            #expect(made.code == 201)
            #expect(try made.string("expires_at") == "2026-01-02T04:04:05.678Z")
            let code = try #require(try made.string("code"))
            let accept = "/api/v1/invites/\(code)/accept"
            // Who is in already uses nothing up.
            #expect(try await world.post(accept, as: ann).string("role") == "owner")
            #expect(try await world.post(accept, as: people[0]).string("role") == "member")
            #expect(try await world.post(accept, as: people[0]).code == 200)
            #expect(try await world.get(path, as: ann).list.first?["uses"] as? Int == 1)
            #expect(try await world.post(accept, as: people[1]).code == 200)
            let late = try await world.post(accept, as: people[2])
            #expect(late.code == 410)
            #expect(try late.string("code") == "invite-expired")
            #expect(try await world.get("/api/v1/invites/\(code)").code == 410)
            #expect(try await world.get(path, as: ann).text == "[]")

            let timed = try #require(try await world.post(path, as: ann, ["expires_in": 60]).string("code"))
            #expect(try await world.get("/api/v1/invites/\(timed)").code == 200)
            world.clock.advance(.seconds(60))
            #expect(try await world.post("/api/v1/invites/\(timed)/accept", as: people[2]).code == 410)

            let revoked = try #require(try await world.post(path, as: ann).string("code"))
            for _ in 0..<2 { #expect(try await world.delete("\(path)/\(revoked)", as: ann).code == 200) }
            #expect(try await world.post("/api/v1/invites/\(revoked)/accept", as: people[3]).code == 410)
            #expect(try await world.get("/api/v1/invites/nothing").code == 404)
            let other = try await world.playground(of: ann, isOpen: false)
            #expect(try await world.delete("/api/v1/playgrounds/\(other)/invites/\(revoked)", as: ann).code == 404)
            #expect(Set((0..<100).map { _ in InviteCode.random() }).count == 100)
            #expect(InviteCode.isWellFormed(InviteCode.random()))
        }
    }

    @Test func banningSendsOutAndKeepsOut() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            try await world.enter(id, bo)
            let before = try await world.events().count
            for reason in ["spam", "again"] {
                let body = ["account_id": bo.id.description, "reason": reason]
                let answer = try await world.post("\(path)/bans", as: ann, body)
                #expect(try answer.string("reason") == "spam")
            }
            #expect(try await world.news(after: before) == ["MemberLeft", "MemberLeft"])
            #expect(try await world.get("\(path)/bans", as: ann).list.count == 1)
            let nobody = try await world.post("\(path)/bans", as: ann, ["account_id": "1"])
            #expect(nobody.code == 422)
            #expect(try await world.post("\(path)/bans", as: ann, ["account_id": ann.id.description]).code == 403)
            #expect(try await world.delete("\(path)/members/\(bo.id)", as: ann).code == 404)
        }
    }

    @Test func everythingFoundIsPartOfAName() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            var people: [Somebody] = []
            for name in ["minji", "haruto", "lee"] { people.append(try await world.person(name)) }
            for person in people { try await world.enter(id, person) }
            for (person, name) in zip(people, ["김민지", "はると", "Élodie LEE"]) {
                let snapshot = AccountSnapshot(
                    id: person.id,
                    username: person.username,
                    displayName: name,
                    createdAt: ChatWorld.start,
                    version: 1
                )
                try await world.database.transaction { try AccountStore.keep(snapshot, in: $0) }
            }
            let cases: [(String, [String])] = [
                ("민지", ["minji"]), ("ると", ["haruto"]), ("LOD", ["lee"]), ("élo", ["lee"]), ("nobody", []), ("%", []),
            ]
            for (text, members) in cases {
                let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let found = try await world.get("\(path)/members?q=\(query)", as: ann)
                #expect(try found.strings("username") == members, "\(text)")
            }
            let decomposed =
                "민지".decomposedStringWithCanonicalMapping
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            #expect(try await world.get("\(path)/members?q=\(decomposed)", as: ann).strings("username") == ["minji"])
        }
    }

    @Test func pagesMeet() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            for number in 0..<7 { try await world.enter(id, try await world.person("p\(number)")) }
            var path: String? = "/api/v1/playgrounds/\(id)/members?limit=3"
            var names: [String] = []
            var last = ""
            while let next = path {
                let page = try await world.get(next, as: ann)
                names += try page.strings("username")
                last = try page.pageLink("prev") ?? last
                path = try page.pageLink("next")
            }
            #expect(names == ["p6", "p5", "p4", "p3", "p2", "p1", "p0", "ann"])
            #expect(try await world.get(last, as: ann).strings("username") == ["p3", "p2", "p1"])
            for _ in 0..<3 { _ = try await world.playground(of: ann) }
            let first = try await world.get("/api/v1/playgrounds?limit=3", as: ann)
            let rest = try await world.get(try #require(try first.pageLink("next")), as: ann)
            #expect(try first.list.count == 3)
            #expect(try rest.strings("id") == [id])
        }
    }
}
