// SPDX-License-Identifier: Apache-2.0
// Direct messages: opening, strangers, blocks.

import Domain
import Events
import Foundation
import Support
import Testing
import Web

@testable import ChatService

@Suite struct DirectChannelTests {
    @Test func theSamePeopleMeetInOnePlace() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            _ = try await world.room([a, b, c])
            let answers = try await world.atOnce(10) { index in
                let (opener, other) = index % 2 == 0 ? (a, b) : (b, a)
                return try await world.post(
                    "/api/v1/direct_channels",
                    as: opener,
                    ["account_ids": [other.id.description, opener.id.description, other.id.description]]
                )
            }
            #expect(answers.filter { $0.code == 201 }.count == 1)
            #expect(answers.filter { $0.code == 200 }.count == 9)
            #expect(Set(try answers.map { try $0.string("id") }).count == 1)
            #expect(try await world.recorded(ConversationOpened.self).count == 1)
            let group = try await world.open(a, [c, b])
            #expect(try await world.open(c, [a, b]) == group)
            #expect(Set(try answers.map { try $0.string("id") }) != [group])
            let seen = try await world.get("/api/v1/direct_channels", as: b).list
            #expect(seen.compactMap { $0["type"] as? String } == ["group", "direct"])
            #expect(seen.compactMap { $0["requested"] as? Bool } == [false, false])
            #expect((seen.first?["members"] as? [[String: Any]])?.count == 3)
            let joined = try #require(try await world.updates().first { $0.event == "channel" })
            #expect(Set(joined.joined.map(\.accountID)) == [a.id, b.id])
            #expect(try await world.told("channel").first?["action"] as? String == "opened")
        }
    }

    @Test func aStrangerWaits() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let id = try await world.open(a, [b])
            let opened = try #require(try await world.recorded(ConversationOpened.self).first)
            #expect(opened.requestedIDs == [b.id])
            try await world.said("hello?", in: id, as: a)
            // Nothing of it reaches them but that there is something.
            #expect(try await world.recorded(MessageSent.self).first?.recipientIDs == [])
            let updates = try await world.updates()
            #expect(updates.filter { $0.accountIDs == [b.id] }.map(\.event) == ["channel", "channel"])
            #expect(updates.flatMap(\.joined).map(\.accountID) == [a.id])
            #expect(try await world.told("channel").last?["action"] as? String == "requested")
            #expect(try await world.get("/api/v1/direct_channels", as: b).text == "[]")
            #expect(try await world.get("/api/v1/direct_channels/requests", as: b).strings("id") == [id])
            #expect(try await world.get("/api/v1/direct_channels/requests", as: a).text == "[]")
            // They may look before they answer, but not speak.
            #expect(try await world.texts(id, as: b) == ["hello?"])
            #expect(try await world.say("hi", in: id, as: b).string("code") == "not-accepted")
            #expect(try await world.post("/api/v1/channels/\(id)/read", as: b).string("code") == "not-accepted")
            for _ in 0..<2 {
                let accepted = try await world.post("/api/v1/channels/\(id)/accept", as: b)
                #expect(accepted.code == 200)
                #expect(try accepted.bool("requested") == false)
                #expect(try accepted.bool("member") == true)
            }
            #expect(try await world.recorded(MemberJoined.self).map(\.account.id) == [b.id])
            #expect(try await world.updates().flatMap(\.joined).map(\.accountID) == [a.id, b.id])
            #expect(try await world.unread(id, as: b) == [1, 0])
            try await world.said("hi", in: id, as: b)
            #expect(try await world.recorded(MessageSent.self).last?.recipientIDs == [a.id])
            // They have written to each other: no stranger any more, elsewhere too.
            let c = try await world.person("cy")
            let group = try await world.open(a, [b, c])
            #expect(try await world.recorded(ConversationOpened.self).last?.requestedIDs == [c.id])
            #expect(group != id)
        }
    }

    @Test func aDeclinedRequestStaysAway() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let id = try await world.open(a, [b])
            for _ in 0..<2 { #expect(try await world.post("/api/v1/channels/\(id)/decline", as: b).text == "{}") }
            let told = try await world.updates().filter { $0.accountIDs == [b.id] }.count
            #expect(try await world.open(a, [b]) == id)
            try await world.said("still there?", in: id, as: a)
            #expect(try await world.get("/api/v1/direct_channels/requests", as: b).text == "[]")
            #expect(try await world.updates().filter { $0.accountIDs == [b.id] }.count == told)
            #expect(try await world.post("/api/v1/channels/\(id)/decline", as: a).code == 409)
            // Writing to them oneself is accepting.
            let opened = try await world.post("/api/v1/direct_channels", as: b, ["account_ids": [a.id.description]])
            #expect(opened.code == 200)
            #expect(try opened.bool("requested") == false)
            try await world.said("now", in: id, as: b)
            #expect(try await world.get("/api/v1/direct_channels", as: b).strings("id") == [id])
        }
    }

    @Test func blocksHoldBothWays() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            _ = try await world.room([a, b, c])
            let id = try await world.direct(a, b)
            let message = try await world.said("before", in: id, as: a)
            try await world.block(b, a, version: 1)
            let closed = try #require(try await world.updates().last)
            #expect(closed.closed.map(\.description) == [id])
            #expect(closed.event == "channel")
            for (one, other) in [(a, b), (b, a)] {
                #expect(try await world.say("hi", in: id, as: one).string("code") == "blocked")
                #expect(
                    try await world.post("/api/v1/direct_channels", as: one, ["account_ids": [other.id.description]])
                        .string("code") == "blocked"
                )
                let group = ["account_ids": [c.id.description, other.id.description]]
                #expect(try await world.post("/api/v1/direct_channels", as: one, group).string("code") == "blocked")
                #expect(try await world.put("/api/v1/messages/\(message)/reactions/👍", as: one).code == 403)
                // What was said stays.
                #expect(try await world.texts(id, as: one) == ["before"])
            }
            #expect(try await world.patch("/api/v1/messages/\(message)", as: a, ["text": "x"]).code == 403)
            #expect(try await world.delete("/api/v1/messages/\(message)", as: a).code == 200)
            // The other one's block still holds.
            try await world.block(a, b, version: 1)
            let before = try await world.updates().count
            try await world.block(b, a, active: false, version: 2)
            #expect(try await world.updates().count == before)
            #expect(try await world.say("hi", in: id, as: a).code == 403)
            try await world.block(a, b, active: false, version: 2)
            let open = try #require(try await world.updates().last)
            #expect(Set(open.joined.map(\.accountID)) == [a.id, b.id])
            #expect(try await world.say("hi", in: id, as: a).code == 201)
        }
    }

    @Test func blocksComeTwiceLateAndInAnyOrder() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            _ = try await world.room([a, b])
            let id = try await world.direct(a, b)
            let first = AccountBlocked(actorID: a.id, targetID: b.id, subjectVersion: 1)
            let second = AccountUnblocked(actorID: a.id, targetID: b.id, subjectVersion: 2)
            #expect(try await world.deliver(second))
            #expect(try await world.deliver(first))
            #expect(try await world.say("open", in: id, as: a).code == 201)
            let third = AccountBlocked(actorID: a.id, targetID: b.id, subjectVersion: 3)
            let key = UUID().uuidString
            #expect(try await world.deliver(third, id: key))
            let told = try await world.updates().count
            #expect(try await !world.deliver(third, id: key))
            #expect(try await world.deliver(third))
            #expect(try await world.updates().count == told)
            #expect(try await world.say("closed", in: id, as: b).code == 403)
        }
    }

    /// Whatever the order and however often: what was decided last holds.
    @Test(arguments: TestSeed.list(100..<108)) func blocksEndTheSameInAnyOrder(seed: UInt64) async throws {
        try await ChatWorld.run { world in
            var chance = TestSeed(seed)
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            _ = try await world.room([a, b])
            let id = try await world.direct(a, b)
            var holds = [false, false]
            var steps: [(way: Int, active: Bool, version: Int64)] = []
            for version in 1...Int64(8) {
                let way = Int.random(in: 0..<2, using: &chance)
                let active = Bool.random(using: &chance)
                holds[way] = active
                steps.append((way, active, version))
            }
            for step in (steps + steps.prefix(4)).shuffled(using: &chance) {
                let (one, other) = step.way == 0 ? (a, b) : (b, a)
                try await world.block(one, other, active: step.active, version: step.version)
            }
            let isOpen = !holds[0] && !holds[1]
            #expect(try await world.say("x", in: id, as: a).code == (isOpen ? 201 : 403))
            #expect(try await world.say("x", in: id, as: b).code == (isOpen ? 201 : 403))
            // The connections are where the last thing that they were told puts them.
            let told = try await world.updates().last {
                !$0.closed.isEmpty || $0.joined.count == 2 && $0.channelID == nil
            }
            if let told { #expect(told.closed.isEmpty == isOpen) } else { #expect(isOpen) }
        }
    }

    @Test func directMessagesOfAPlayground() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            let room = try await world.room([a, b])
            let playground = try #require(try await world.say("hi", in: room, as: a).string("playground_id"))
            func open(_ opener: Somebody, _ other: Somebody) async throws -> Answer {
                try await world.post(
                    "/api/v1/direct_channels",
                    as: opener,
                    ["account_ids": [other.id.description], "playground_id": playground]
                )
            }
            let inside = try await open(a, b)
            #expect(inside.code == 201)
            #expect(try inside.string("playground_id") == playground)
            let outside = try await world.open(a, [b])
            #expect(try inside.string("id") != outside)
            #expect(try await open(a, c).code == 422)
            #expect(try await open(c, a).code == 404)
            let listed = try await world.get("/api/v1/direct_channels?playground_id=\(playground)", as: b)
            #expect(try listed.strings("id") == [try #require(try inside.string("id"))])
            let page = try await world.get("/api/v1/direct_channels?limit=1", as: b)
            #expect(try page.strings("id") == [outside])
            let next = try await world.get(try #require(try page.pageLink("next")), as: b)
            #expect(try next.strings("id") == [try #require(try inside.string("id"))])
        }
    }

    @Test func oneCanLeaveAGroup() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            _ = try await world.room([a, b, c])
            let group = try await world.open(a, [b, c])
            let pair = try await world.open(a, [b])
            let leaving = "/api/v1/channels/\(group)/leave"
            #expect(try await world.post("/api/v1/channels/\(pair)/leave", as: a).code == 403)
            #expect(try await world.post(leaving, as: a).code == 200)
            #expect(try await world.post(leaving, as: a).code == 404)
            #expect(try await world.updates().flatMap(\.left).map(\.accountID) == [a.id])
            #expect(try await world.told("member").last?["action"] as? String == "left")
            #expect(try await world.get("/api/v1/direct_channels", as: a).strings("id") == [pair])
            // The others talk on, and whoever left sees nothing of it, even when somebody writes to all of them again.
            try await world.said("alone at last", in: group, as: b)
            #expect(try await world.get("/api/v1/channels/\(group)/messages", as: a).code == 404)
            let another = try await world.open(b, [a, c])
            #expect(another != group)
            #expect(try await world.get("/api/v1/channels/\(group)/messages", as: a).code == 404)
            #expect(try await world.get("/api/v1/direct_channels", as: c).strings("id") == [another, group])
            // With the last of them it is gone.
            for person in [b, c] { #expect(try await world.post(leaving, as: person).code == 200) }
            #expect(try await world.recorded(ChannelDeleted.self).map(\.channelID.description) == [group])
            #expect(try await world.recorded(MemberLeft.self).map(\.accountID) == [a.id, b.id, c.id])
        }
    }

    @Test func badWishesAreRefused() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            let wishes: [[String: any Sendable]] = [
                [:], ["account_ids": [String]()], ["account_ids": [a.id.description]], ["account_ids": ["x"]],
                ["account_ids": ["1"]], ["account_ids": (1...20).map(String.init)], ["account_ids": ["-5"]],
                ["account_ids": [b.id.description, "99999999999999999999"]],
            ]
            for wish in wishes {
                #expect(try await world.post("/api/v1/direct_channels", as: a, wish).code == 422, "\(wish)")
            }
            for action in ["accept", "decline"] {
                #expect(try await world.post("/api/v1/channels/\(room)/\(action)", as: a).code == 404)
                #expect(try await world.post("/api/v1/channels/1/\(action)", as: a).code == 404)
            }
        }
    }
}
