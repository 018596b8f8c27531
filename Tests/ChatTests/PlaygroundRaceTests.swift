// SPDX-License-Identifier: Apache-2.0
// What happens at the same time ends as if it had happened one after another.

import Domain
import Events
import Foundation
import Postgres
import Testing
import Web

@testable import ChatService

@Suite struct PlaygroundRaceTests {
    @Test func theLastUseOfAnInviteIsOnePersons() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann, isOpen: false)
            let people = try await world.people(12)
            let path = "/api/v1/playgrounds/\(id)/invites"
            let code = try #require(try await world.post(path, as: ann, ["max_uses": 5]).string("code"))
            let codes = try await world.atOnce(24) { index in
                try await world.post("/api/v1/invites/\(code)/accept", as: people[index / 2]).code
            }
            #expect(codes.allSatisfy { $0 == 200 || $0 == 410 })
            #expect(try await world.number("SELECT uses FROM invites") == 5)
            #expect(try await world.number("SELECT count(*) FROM playground_members") == 6)
            #expect(try await world.number("SELECT count(*) FROM channel_members") == 6)
            let joined = try await world.news(after: 0).filter { $0 == "MemberJoined" }
            #expect(joined.count == 12)
            #expect(try await world.membersAreConsistent())
        }
    }

    @Test func oneOfTwoTransfersWins() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let people = try await world.people(6)
            for person in people { try await world.enter(id, person) }
            let channel = try await world.channel("talk", in: id, by: people[0])
            for person in people.dropFirst() { try await world.join(channel, person) }
            let codes = try await world.atOnce(6) { index in
                try await world.post(
                    "/api/v1/playgrounds/\(id)/transfer",
                    as: ann,
                    ["account_id": people[index].id.description]
                ).code
            }
            #expect(codes.filter { $0 == 200 }.count == 1)
            #expect(codes.filter { $0 == 403 }.count == 5)
            let inChannel = try await world.atOnce(5) { index in
                try await world.post(
                    "/api/v1/channels/\(channel)/transfer",
                    as: people[0],
                    ["account_id": people[index + 1].id.description]
                ).code
            }
            // Who owns the playground may do it again and again.
            #expect(inChannel.contains(200))
            #expect(inChannel.allSatisfy { $0 == 200 || $0 == 403 })
            #expect(try await world.membersAreConsistent())
        }
    }

    @Test func whoWasJustDemotedMayNot() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            let people = try await world.people(8)
            try await world.enter(id, bo)
            for person in people { try await world.enter(id, person) }
            _ = try await world.put("\(path)/members/\(bo.id)", as: ann, ["role": "admin"])
            let before = try await world.events().count
            let codes = try await world.atOnce(9) { index in
                index == 4
                    ? try await world.put("\(path)/members/\(bo.id)", as: ann, ["role": "member"]).code
                    : try await world.delete("\(path)/members/\(people[index < 4 ? index : index - 1].id)", as: bo).code
            }
            #expect(codes[4] == 200)
            #expect(codes.allSatisfy { $0 == 200 || $0 == 403 })
            // In the order in which it was told, nobody goes by the hand of somebody who is no admin any more.
            let news = try await world.news(after: before)
            let demoted = try #require(news.firstIndex(of: "RoleChanged"))
            #expect(!news[demoted...].contains("MemberLeft"))
            #expect(news.filter { $0 == "MemberLeft" }.count == 2 * (codes.filter { $0 == 200 }.count - 1))
            #expect(try await world.membersAreConsistent())
        }
    }

    @Test func banningWhileTheyComeIn() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let people = try await world.people(8)
            _ = try await world.atOnce(24) { index in
                let person = people[index % 8]
                return index < 16
                    ? try await world.post("/api/v1/playgrounds/\(id)/join", as: person).code
                    : try await world.post(
                        "/api/v1/playgrounds/\(id)/bans",
                        as: ann,
                        ["account_id": person.id.description]
                    ).code
            }
            #expect(try await world.number("SELECT count(*) FROM playground_bans") == 8)
            #expect(try await world.number("SELECT count(*) FROM playground_members") == 1)
            #expect(try await world.number("SELECT count(*) FROM channel_members") == 1)
            // Who came in was also told to have gone.
            let news = try await world.news(after: 4)
            #expect(news.filter { $0 == "MemberJoined" }.count == news.filter { $0 == "MemberLeft" }.count)
        }
    }

    @Test func enteringAChannelWhileLeavingThePlayground() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let people = try await world.people(8)
            for person in people { try await world.enter(id, person) }
            let channels = [
                try await world.channel("a", in: id, by: ann), try await world.channel("b", in: id, by: ann),
                try await world.channel("c", in: id, by: people[7]),
            ]
            let codes = try await world.atOnce(32) { index in
                let person = people[index % 8]
                return index >= 24
                    ? try await world.post("/api/v1/playgrounds/\(id)/leave", as: person).code
                    : try await world.post("/api/v1/channels/\(channels[index % 3])/join", as: person).code
            }
            #expect(codes.allSatisfy { $0 == 200 || $0 == 404 })
            #expect(codes.suffix(8).allSatisfy { $0 == 200 })
            #expect(try await world.number("SELECT count(*) FROM playground_members") == 1)
            #expect(try await world.membersAreConsistent())
        }
    }

    @Test func deletingWhileEverythingGoesOn() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let path = "/api/v1/playgrounds/\(id)"
            let people = try await world.people(6)
            for person in people { try await world.enter(id, person) }
            let channel = try await world.channel("a", in: id, by: people[0])
            let codes = try await world.atOnce(30) { index in
                let person = people[index % 6]
                return switch index {
                case 15: try await world.delete(path, as: ann).code
                case let index where index % 3 == 0:
                    try await world.post("\(path)/channels", as: person, ["name": "c\(index)"]).code
                case let index where index % 3 == 1:
                    try await world.post("/api/v1/channels/\(channel)/join", as: person).code
                default: try await world.post("\(path)/leave", as: person).code
                }
            }
            #expect(codes[15] == 200)
            #expect(codes.allSatisfy { $0 < 500 })
            #expect(try await world.number("SELECT count(*) FROM channel_members") == 0)
            #expect(try await world.number("SELECT count(*) FROM channels WHERE deleted_at IS NULL") == 0)
            #expect(try await world.news(after: 0).last == "PlaygroundDeleted")
        }
    }

    @Test func oneNameOneChannel() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let codes = try await world.atOnce(8) { index in
                try await world.post(
                    "/api/v1/playgrounds/\(id)/channels",
                    as: ann,
                    ["name": index % 2 == 0 ? "Talk" : "tALK"]
                ).code
            }
            #expect(codes.filter { $0 == 201 }.count == 1)
            #expect(codes.filter { $0 == 422 }.count == 7)
        }
    }
}

extension ChatWorld {
    func people(_ count: Int) async throws -> [Somebody] {
        var people: [Somebody] = []
        for number in 0..<count { people.append(try await person("p\(number)")) }
        return people
    }

    /// Owners are owners in both places, everybody in a channel is in its playground, and in its default channel.
    func membersAreConsistent() async throws -> Bool {
        let wrong = try await number(
            """
            SELECT
                (SELECT count(*) FROM playgrounds p WHERE NOT EXISTS (SELECT FROM playground_members m
                    WHERE m.playground_id = p.id AND m.account_id = p.owner_id AND m.role = 'owner'))
                + (SELECT count(*) FROM playground_members m JOIN playgrounds p ON p.id = m.playground_id
                    WHERE (m.role = 'owner') <> (p.owner_id = m.account_id))
                + (SELECT count(*) FROM channel_members m JOIN channels c ON c.id = m.channel_id
                    WHERE (m.role = 'owner') <> (c.owner_id IS NOT DISTINCT FROM m.account_id))
                + (SELECT count(*) FROM channel_members m JOIN channels c ON c.id = m.channel_id
                    WHERE NOT EXISTS (SELECT FROM playground_members o
                        WHERE o.playground_id = c.playground_id AND o.account_id = m.account_id))
                + (SELECT count(*) FROM playground_members m JOIN playgrounds p ON p.id = m.playground_id
                    WHERE NOT EXISTS (SELECT FROM channel_members o
                        WHERE o.channel_id = p.default_channel_id AND o.account_id = m.account_id))
            """
        )
        return wrong == 0
    }
}
