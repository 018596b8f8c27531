// SPDX-License-Identifier: Apache-2.0
// Messages while people come and go.

import Domain
import Events
import Foundation
import Postgres
import Support
import Testing
import Web

@testable import ChatService

@Suite struct MembershipTests {
    /// In the order in which it is told, nobody says anything in a channel before they are in it or after they went.
    @Test func nobodySpeaksWhereTheyAreNot() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            let general = try await world.general(of: id, as: ann)
            let people = try await world.people(4)
            _ = try await world.atOnce(80) { index in
                let person = people[index % 4]
                return switch index / 4 % 5 {
                case 0: try await world.post("\(path)/join", as: person).code
                case 3: try await world.delete("\(path)/members/\(person.id)", as: ann).code
                default: try await world.post("/api/v1/channels/\(general)/messages", as: person, ["text": "hi"]).code
                }
            }
            var inside: Set<String> = []
            var said = 0
            for event in try await world.events() {
                let data = try #require(try event.member("data"))
                switch event.type {
                case MemberJoined.type where data["channel_id"] as? String == general:
                    let account = try #require(data["account"] as? [String: Any])
                    let person = try #require(account["id"] as? String)
                    #expect(inside.insert(person).inserted)
                case MemberLeft.type where data["channel_id"] as? String == general:
                    let person = try #require(data["account_id"] as? String)
                    #expect(inside.remove(person) != nil)
                case MessageSent.type:
                    said += 1
                    let author = try #require(data["author"] as? [String: Any])
                    let person = try #require(author["id"] as? String)
                    #expect(inside.contains(person))
                default: break
                }
            }
            #expect(try await world.number("SELECT count(*) FROM messages") == said)
            #expect(try await world.number("SELECT count(*) FROM channel_members") == inside.count)
            #expect(try await world.number("SELECT last_seq FROM channels") == said)
            #expect(try await world.membersAreConsistent())
        }
    }

    /// Rooms follow exactly: what open connections were told to join and leave is what the tables say.
    @Test func roomsAreTheMemberships() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let people = try await world.people(5)
            for person in people { try await world.enter(id, person) }
            let channels = [
                try await world.channel("a", in: id, by: people[0]),
                try await world.channel("b", in: id, by: people[1]),
                try await world.channel("c", in: id, by: ann, type: "private"),
            ]
            _ = try await world.atOnce(60) { index in
                let person = people[index % 5]
                let channel = channels[index % 3]
                let one = ["account_ids": [person.id.description]]
                return switch index % 8 {
                case 0, 1, 2: try await world.post("/api/v1/channels/\(channel)/join", as: person).code
                case 3: try await world.post("/api/v1/channels/\(channel)/leave", as: person).code
                case 4: try await world.post("/api/v1/channels/\(channel)/members", as: ann, one).code
                case 5: try await world.delete("/api/v1/channels/\(channel)/members/\(person.id)", as: ann).code
                case 6: try await world.post("/api/v1/playgrounds/\(id)/leave", as: person).code
                default: try await world.post("/api/v1/playgrounds/\(id)/join", as: person).code
                }
            }
            #expect(try await world.delete("/api/v1/channels/\(channels[0])", as: ann).code == 200)
            var rooms: Set<ChatUpdate.Membership> = []
            for update in try await world.updates() {
                for one in update.joined { #expect(rooms.insert(one).inserted) }
                for one in update.left { #expect(rooms.remove(one) != nil) }
                rooms = rooms.filter { !update.closed.contains($0.channelID) }
            }
            let rows = try await world.database.query("SELECT channel_id, account_id FROM channel_members")
            let stored = try rows.map { row in
                var columns = row.columns
                return ChatUpdate.Membership(channelID: try columns.next(), accountID: try columns.next())
            }
            #expect(rooms == Set(stored))
            #expect(try await world.membersAreConsistent())
        }
    }
}

extension TestEvent {
    /// A member of the envelope.
    fileprivate func member(_ name: String) throws -> [String: Any]? {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return object?[name] as? [String: Any]
    }
}
