// SPDX-License-Identifier: Apache-2.0
// Channels of playgrounds: what is made, changed and told.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import ChatService

@Suite struct ChannelTests {
    @Test func aChannelIsMadeAndEntered() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            let general = try await world.general(of: id, as: ann)
            let before = try await world.events().count
            let live = try await world.updates().count
            let path = "/api/v1/playgrounds/\(id)/channels"
            let made = try await world.post(path, as: bo, ["name": "Talk", "description": "about it"])
            #expect(made.code == 201)
            #expect(try made.string("type") == "public")
            #expect(try made.string("role") == "owner")
            #expect(try made.bool("member") == true)
            let channel = try #require(try made.string("id"))
            #expect(try await world.news(after: before) == ["ChannelCreated", "MemberJoined"])
            let created = try #require(try await world.updates().dropFirst(live).first)
            #expect(created.channelID?.description == general)
            #expect(created.joined.map { "\($0.channelID)-\($0.accountID)" } == ["\(channel)-\(bo.id)"])
            #expect(!created.text.contains("last_read_seq"))
            let seen = try await world.get("/api/v1/channels/\(channel)", as: ann)
            #expect(try seen.bool("member") == false)
            #expect(try seen.object["role"] is NSNull)

            _ = try await world.database.query("UPDATE channels SET last_seq = 5 WHERE name = 'Talk'")
            let told = try await world.updates().count
            for _ in 0..<2 { try await world.join(channel, ann) }
            let joined = try await world.get("/api/v1/channels/\(channel)", as: ann)
            #expect(try joined.int("last_read_seq") == 5)
            #expect(try joined.int("members_count") == 2)
            #expect(try await world.news(after: before + 2) == ["MemberJoined"])
            let updates = try await world.updates().dropFirst(told)
            #expect(updates.map(\.event) == ["channel", "member"])
            #expect(updates.first?.accountIDs == [ann.id])
            #expect(updates.first?.joined.count == 1)

            for _ in 0..<2 { #expect(try await world.post("/api/v1/channels/\(channel)/leave", as: ann).code == 200) }
            #expect(try await world.news(after: before + 3) == ["MemberLeft"])
            #expect(try await world.updates().last?.left.map(\.accountID) == [ann.id])
            #expect(try await world.post("/api/v1/channels/\(channel)/leave", as: bo).code == 409)
            for taken in ["talk", "TALK", "General"] {
                let refused = try await world.post(path, as: ann, ["name": taken])
                #expect(refused.code == 422)
                #expect(refused.text.contains(#""code":"taken""#))
            }
        }
    }

    @Test func everybodyStaysInTheDefaultChannel() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            let path = "/api/v1/channels/\(try await world.general(of: id, as: ann))"
            let answers = [
                try await world.post("\(path)/leave", as: bo), try await world.delete(path, as: ann),
                try await world.post("\(path)/archive", as: ann),
                try await world.patch(path, as: ann, ["type": "private"]),
                try await world.delete("\(path)/members/\(bo.id)", as: ann),
            ]
            for answer in answers { #expect(try answer.string("code") == "default-channel") }
            #expect(try await world.patch(path, as: ann, ["name": "잡담"]).string("name") == "잡담")
        }
    }

    @Test func aChannelIsEditedHiddenAndArchived() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            let general = try await world.general(of: id, as: ann)
            let channel = try await world.channel("talk", in: id, by: ann)
            let path = "/api/v1/channels/\(channel)"
            let before = try await world.events().count
            #expect(try await world.patch(path, as: ann, ["name": "talk"]).code == 200)
            #expect(try await world.events().count == before)
            #expect(try await world.patch(path, as: ann, ["description": "d"]).string("description") == "d")
            for _ in 0..<2 { #expect(try await world.post("\(path)/archive", as: ann).string("archived_at") != nil) }
            for _ in 0..<2 {
                #expect(try await world.post("\(path)/unarchive", as: ann).object["archived_at"] is NSNull)
            }
            #expect(
                try await world.news(after: before) == ["ChannelUpdated", "ChannelArchived", "ChannelArchived"]
            )
            let live = try await world.updates().count
            #expect(try await world.patch(path, as: ann, ["type": "private", "name": "secret"]).code == 200)
            #expect(try await world.get(path, as: bo).code == 404)
            let told = Array(try await world.updates().dropFirst(live))
            #expect(told.map { $0.channelID?.description } == [general, channel])
            // Those who lose sight of it do not learn its new name.
            #expect(told.first?.text.contains("secret") == false)
            #expect(told.first?.except == [ann.id])
            #expect(try await world.patch(path, as: ann, ["type": "public"]).code == 200)
            #expect(try await world.get(path, as: bo).string("name") == "secret")
            #expect(try await world.patch(path, as: ann, ["name": "GENERAL"]).code == 422)
            for type in ["direct", "group", "", "x"] {
                #expect(try await world.patch(path, as: ann, ["type": type]).code == 422)
            }
        }
    }

    @Test func peopleAreBroughtIn() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let cy = try await world.person("cy")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            let channel = try await world.channel("hidden", in: id, by: ann, type: "private")
            let path = "/api/v1/channels/\(channel)/members"
            let outsider = try await world.post(path, as: ann, ["account_ids": [cy.id.description]])
            #expect(outsider.code == 422)
            let before = try await world.events().count
            for _ in 0..<2 {
                let answer = try await world.post(
                    path,
                    as: ann,
                    ["account_ids": [bo.id.description, ann.id.description]]
                )
                #expect(try answer.int("members_count") == 2)
            }
            #expect(try await world.news(after: before) == ["MemberJoined"])
            #expect(try await world.get("/api/v1/channels/\(channel)", as: bo).code == 200)
            #expect(try await world.get(path, as: bo).strings("role") == ["member", "owner"])
            #expect(try await world.put("\(path)/\(bo.id)", as: bo, ["role": "admin"]).code == 403)
            #expect(try await world.put("\(path)/\(bo.id)", as: ann, ["role": "admin"]).code == 200)
            #expect(try await world.delete("\(path)/\(ann.id)", as: bo).code == 409)
            let moved = try await world.post(
                "/api/v1/channels/\(channel)/transfer",
                as: ann,
                ["account_id": bo.id.description]
            )
            #expect(try moved.string("owner_id") == bo.id.description)
            #expect(try moved.string("role") == "admin")
            #expect(try await world.delete("\(path)/\(ann.id)", as: bo).code == 200)
            #expect(try await world.get("/api/v1/channels/\(channel)", as: ann).code == 404)
            #expect(
                try await world.news(after: before) == [
                    "MemberJoined", "RoleChanged", "RoleChanged", "OwnershipTransferred", "RoleChanged", "MemberLeft",
                ]
            )
            let events = try await world.events()
            #expect(Set(events.map { "\($0.subject) \($0.version)" }).count == events.count)
        }
    }

    @Test func levelsAndMutesAreOnesOwn() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            let general = try await world.general(of: id, as: ann)
            let path = "/api/v1/channels/\(general)/notifications"
            let live = try await world.updates().count
            let answer = try await world.put(path, as: ann, ["notify": "mentions", "mute_for": 60])
            #expect(try answer.string("notify") == "mentions")
            #expect(try answer.string("muted_until") == "2026-01-02T03:05:05.678Z")
            _ = try await world.put(path, as: ann, ["notify": "mentions"])
            let told = try await world.updates().dropFirst(live)
            #expect(told.count == 1)
            #expect(told.first?.accountIDs == [ann.id])
            #expect(told.first?.channelID == nil)
            let until = try await world.put(path, as: ann, ["muted_until": "2026-02-01T00:00:00Z"])
            #expect(try until.string("muted_until") == "2026-02-01T00:00:00.000Z")
            #expect(try until.string("notify") == "mentions")
            #expect(try await world.put(path, as: ann, ["mute_for": 0]).object["muted_until"] is NSNull)
            #expect(try await world.get("/api/v1/channels/\(general)", as: bo).string("notify") == "all")
            // To ask for what one begins with is a wish, too, and said once.
            let wished = try await world.updates().count
            for _ in 0..<2 { _ = try await world.put(path, as: bo, ["notify": "all"]) }
            #expect(try await world.updates().count == wished + 1)
            let chosen = try await world.database.query(
                "SELECT account_id FROM channel_members WHERE channel_id = \(ChannelID(general)) AND notify_chosen"
            ).all { try $0.next(AccountID.self) }
            #expect(Set(chosen) == [ann.id, bo.id])
            let wrong: [[String: any Sendable]] = [
                ["notify": "some"], ["mute_for": -1], ["mute_for": Int64.max], ["muted_until": "tomorrow"],
                ["muted_until": "9999-12-31T00:00:00Z"], ["mute_for": "x"], ["notify": ["all"]],
            ]
            for body in wrong {
                let code = try await world.put(path, as: ann, body).code
                #expect(code == 422 || code == 400, "\(body)")
            }
        }
    }
}
