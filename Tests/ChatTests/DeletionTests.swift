// SPDX-License-Identifier: Apache-2.0
// The end of channels and playgrounds, and of what was said in them.

import Domain
import Events
import Foundation
import Postgres
import Support
import Testing
import Web

@testable import ChatService

@Suite struct DeletionTests {
    @Test func aPlaygroundEndsForEverybodyAtOnce() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            let general = try await world.general(of: id, as: ann)
            let talk = try await world.channel("talk", in: id, by: bo)
            try await world.fill(talk, by: bo, messages: 4500)
            try await world.direct(ann, bo, id: 77, in: id)
            try await world.direct(ann, bo, id: 78, in: nil)
            let other = try await world.playground("Other", of: ann)
            let code = try #require(try await world.post("/api/v1/playgrounds/\(id)/invites", as: ann).string("code"))
            let before = try await world.events().count
            let live = try await world.updates().count
            #expect(try await world.delete("/api/v1/playgrounds/\(id)", as: ann).code == 200)
            #expect(try await world.news(after: before) == ["PlaygroundDeleted"])
            let event = try #require(try await world.events().last)
            for channel in [general, talk, "77"] { #expect(event.text.contains("\"\(channel)\"")) }
            #expect(!event.text.contains("\"78\""))
            let told = try #require(try await world.updates().dropFirst(live).first)
            #expect(told.channelID?.description == general)
            #expect(Set(told.closed.map(\.description)) == [general, talk, "77"])
            #expect(told.text == #"{"action":"deleted","playground":{"id":"\#(id)"}}"#)

            #expect(try await world.delete("/api/v1/playgrounds/\(id)", as: ann).code == 404)
            #expect(try await world.get("/api/v1/channels/\(talk)", as: bo).code == 404)
            #expect(try await world.get("/api/v1/channels/77", as: bo).code == 404)
            #expect(try await world.get("/api/v1/channels/78", as: bo).code == 200)
            #expect(try await world.get("/api/v1/invites/\(code)").code == 404)
            #expect(try await world.get("/api/v1/playgrounds", as: ann).strings("id") == [other])
            // The messages were not waited for, and go in small steps.
            #expect(try await world.number("SELECT count(*) FROM messages") == 4500)
            try await world.sweep()
            #expect(try await world.number("SELECT count(*) FROM messages") == 0)
            #expect(try await world.number("SELECT count(*) FROM channels WHERE deleted_at IS NOT NULL") == 0)
            #expect(try await world.number("SELECT count(*) FROM channels") == 2)
        }
    }

    /// More channels than one event may carry: each part is told, and each is newer than the one before.
    @Test func aPlaygroundOfManyChannelsIsToldInParts() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let place = try #require(PlaygroundID(id))
            _ = try await world.database.query(
                """
                INSERT INTO channels (id, type, playground_id, name, description, party, created_at, updated_at, version)
                SELECT n, 'direct', \(place), '', '', CAST(n AS text), \(ChatWorld.start), \(ChatWorld.start), 1
                FROM generate_series(1, 6100) n
                """
            )
            let before = try await world.events().count
            let live = try await world.updates().count
            #expect(try await world.delete("/api/v1/playgrounds/\(id)", as: ann).code == 200)
            let told = try await world.events().dropFirst(before)
            #expect(told.map(\.type) == Array(repeating: PlaygroundDeleted.type, count: 4))
            #expect(told.map(\.version) == told.map(\.version).sorted())
            let updates = try await world.updates().dropFirst(live)
            #expect(updates.map(\.closed.count) == [5000, 1101])
            #expect(updates.map { $0.channelID == nil } == [true, false])
        }
    }

    @Test func twoProcessesForgetSideBySide() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let talk = try await world.channel("talk", in: id, by: ann)
            let kept = try await world.channel("kept", in: id, by: ann)
            try await world.fill(talk, by: ann, messages: 9000)
            try await world.fill(kept, by: ann, messages: 10)
            #expect(try await world.delete("/api/v1/channels/\(talk)", as: ann).code == 200)
            _ = try await world.atOnce(3) { _ in try await world.sweep() }
            try await world.sweep()
            #expect(try await world.number("SELECT count(*) FROM messages") == 10)
            #expect(try await world.number("SELECT count(*) FROM channels") == 2)
        }
    }

    @Test func aChannelEnds() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            let general = try await world.general(of: id, as: ann)
            let talk = try await world.channel("talk", in: id, by: bo)
            let hidden = try await world.channel("hidden", in: id, by: ann, type: "private")
            let before = try await world.events().count
            let live = try await world.updates().count
            #expect(try await world.delete("/api/v1/channels/\(talk)", as: bo).code == 200)
            #expect(try await world.delete("/api/v1/channels/\(hidden)", as: ann).code == 200)
            #expect(try await world.news(after: before) == ["ChannelDeleted", "ChannelDeleted"])
            let told = try await world.updates().dropFirst(live)
            #expect(told.map { $0.channelID?.description } == [general, hidden])
            #expect(told.map { $0.closed.map(\.description) } == [[talk], [hidden]])
            // The name is free again.
            _ = try await world.channel("talk", in: id, by: bo)
        }
    }

    @Test func limitsHold() async throws {
        var limits = Limits()
        limits.ownedPlaygrounds = 2
        limits.channels = 2
        limits.invites = 1
        limits.added = 1
        try await ChatWorld.run(limits: limits) { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            try await world.enter(id, bo)
            _ = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            let more = try await world.post("/api/v1/playgrounds", as: ann, ["name": "x"])
            #expect(try more.string("code") == "too-many-playgrounds")
            _ = try await world.channel("talk", in: id, by: ann)
            #expect(
                try await world.post("\(path)/channels", as: ann, ["name": "x"]).string("code") == "too-many-channels"
            )
            #expect(try await world.post("\(path)/invites", as: ann).code == 201)
            #expect(try await world.post("\(path)/invites", as: ann).string("code") == "too-many-invites")
            for _ in 0..<2 { _ = try await world.playground(of: bo) }
            let handed = try await world.post("\(path)/transfer", as: ann, ["account_id": bo.id.description])
            #expect(try handed.string("code") == "too-many-playgrounds")
            let general = try await world.general(of: id, as: ann)
            let both = [ann.id.description, bo.id.description]
            #expect(
                try await world.post("/api/v1/channels/\(general)/members", as: ann, ["account_ids": both]).code == 422
            )
        }
    }
}

extension ChatWorld {
    /// Messages as rows, without saying each.
    func fill(_ channel: String, by author: Somebody, messages: Int) async throws {
        let id = try #require(ChannelID(channel))
        _ = try await database.query(
            """
            INSERT INTO messages (id, channel_id, seq, author_id, text, created_at, change)
            SELECT \(id) + n * 65536, \(id), n, \(author.id), 'x', \(ChatWorld.start), n
            FROM generate_series(1, CAST(\(messages) AS int)) n
            """
        )
    }

    /// Direct messages as rows.
    func direct(_ a: Somebody, _ b: Somebody, id: Int64, in playground: String?) async throws {
        let place = playground.flatMap { PlaygroundID($0) }
        _ = try await database.query(
            """
            INSERT INTO channels (id, type, playground_id, name, description, party, created_at, updated_at, version)
            VALUES (\(id), 'direct', \(place), '', '', \("\(a.id),\(b.id)"), \(ChatWorld.start), \(ChatWorld.start), 1)
            """
        )
        for person in [a, b] {
            _ = try await database.query(
                """
                INSERT INTO channel_members (channel_id, account_id, role, joined_at, version)
                VALUES (\(id), \(person.id), 'member', \(ChatWorld.start), 1)
                """
            )
        }
    }
}
