// SPDX-License-Identifier: Apache-2.0
// How far somebody has read: the routes, and the counts against a naive model over random histories.

import Domain
import Events
import Foundation
import Postgres
import Support
import Testing
import Web

@testable import ChatService

@Suite struct ReadingTests {
    @Test func readingGoesForwardAndUnreadBack() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            for index in 1...5 { try await world.said("m\(index) @bo", in: room, as: a) }
            #expect(try await world.unread(room, as: b) == [5, 5])
            #expect(try await world.unread(room, as: a) == [0, 0])
            let read = try await world.post("/api/v1/channels/\(room)/read", as: b, ["seq": 3])
            #expect(
                read.text
                    == #"{"channel_id":"\#(room)","unread_count":2,"mentions_count":2,"last_read_seq":3,"last_seq":5}"#
            )
            // Never back, and nothing is told of what did not move.
            let before = try await world.updates().count
            #expect(try await world.post("/api/v1/channels/\(room)/read", as: b, ["seq": 1]).int("last_read_seq") == 3)
            #expect(try await world.updates().count == before)
            let told = try #require(try await world.updates().last)
            #expect(told.event == "read")
            #expect(told.channelID == nil)
            #expect(told.accountIDs == [b.id])
            #expect(told.text == #"{"channel_id":"\#(room)","unread_count":2,"mentions_count":2,"last_read_seq":3}"#)
            #expect(try await world.post("/api/v1/channels/\(room)/read", as: b).int("last_read_seq") == 5)
            #expect(try await world.post("/api/v1/channels/\(room)/unread", as: b, ["seq": 2]).int("unread_count") == 4)
            #expect(try await world.post("/api/v1/channels/\(room)/unread", as: b, ["seq": 6]).code == 422)
            #expect(try await world.post("/api/v1/channels/\(room)/unread", as: b).code == 422)
            #expect(try await world.recorded(ConversationRead.self).map(\.lastReadSeq) == [3, 5, 1])
            // What one says oneself is read, and all before it.
            try await world.said("mine", in: room, as: b)
            #expect(try await world.unread(room, as: b) == [0, 0])
        }
    }

    @Test func unreadSinceAMoment() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            try await world.said("old", in: room, as: a)
            world.clock.advance(.seconds(10))
            try await world.said("new @channel", in: room, as: a)
            try await world.said("mine", in: room, as: b)
            let answer = try await world.get(
                "/api/v1/channels/\(room)/unread?after=2026-01-02T03:04:06.000Z",
                as: b
            )
            #expect(try answer.int("unread_count") == 1)
            #expect(try answer.int("mentions_count") == 1)
            #expect(try answer.int("last_read_seq") == 3)
            #expect(try await world.get("/api/v1/channels/\(room)/unread?after=x", as: b).code == 422)
        }
    }

    /// What the server must know, told in the simplest way.
    private struct Model {
        struct Said {
            let author: Int
            var named: Set<Int>
            var isWide: Bool
            var isDeleted = false
        }
        var messages: [Said] = []
        var read: [Int]

        func unread(_ reader: Int) -> [Int] {
            let left = messages.dropFirst(read[reader]).filter { $0.author != reader && !$0.isDeleted }
            return [left.count, left.filter { $0.isWide || $0.named.contains(reader) }.count]
        }
    }

    @Test(arguments: TestSeed.list(1...6)) func countsAreExactOverAnyHistory(seed: UInt64) async throws {
        try await ChatWorld.run { world in
            var chance = TestSeed(seed)
            var people: [Somebody] = []
            for index in 0..<4 { people.append(try await world.person("p\(index)")) }
            let rooms = [try await world.room(people), try await world.room(people, type: "private")]
            var models = [Model(read: [0, 0, 0, 0]), Model(read: [0, 0, 0, 0])]
            var ids: [[String]] = [[], []]
            for _ in 0..<70 {
                let place = Int.random(in: 0..<2, using: &chance)
                let who = Int.random(in: 0..<4, using: &chance)
                let room = rooms[place]
                let count = models[place].messages.count
                let pick = count > 0 ? Int.random(in: 0..<count, using: &chance) : 0
                let (text, named, isWide) = words(&chance)
                switch Int.random(in: 0..<10, using: &chance) {
                case 0...4:
                    ids[place].append(try await world.said(text, in: room, as: people[who]))
                    models[place].messages.append(Model.Said(author: who, named: named, isWide: isWide))
                    models[place].read[who] = count + 1
                case 5 where count > 0:
                    // The author deletes; the same again changes nothing.
                    let author = people[models[place].messages[pick].author]
                    #expect(try await world.delete("/api/v1/messages/\(ids[place][pick])", as: author).code == 200)
                    models[place].messages[pick].isDeleted = true
                case 6 where count > 0:
                    let message = models[place].messages[pick]
                    let path = "/api/v1/messages/\(ids[place][pick])"
                    let edited = try await world.patch(path, as: people[message.author], ["text": text])
                    #expect(edited.code == (message.isDeleted ? 404 : 200))
                    if !message.isDeleted {
                        models[place].messages[pick].named = named
                        models[place].messages[pick].isWide = isWide
                    }
                case 7:
                    let seq = Int.random(in: 0...(count + 2), using: &chance)
                    _ = try await world.post("/api/v1/channels/\(room)/read", as: people[who], ["seq": seq])
                    models[place].read[who] = max(models[place].read[who], min(seq, count))
                case 8 where count > 0:
                    _ = try await world.post("/api/v1/channels/\(room)/unread", as: people[who], ["seq": pick + 1])
                    models[place].read[who] = pick
                default:
                    _ = try await world.post("/api/v1/channels/\(room)/read", as: people[who])
                    models[place].read[who] = count
                }
                let reader = Int.random(in: 0..<4, using: &chance)
                #expect(try await world.unread(room, as: people[reader]) == models[place].unread(reader))
            }
            for reader in 0..<4 {
                let overview = try await world.get("/api/v1/conversations-overview", as: people[reader]).object
                let channels = try #require(overview["channels"] as? [[String: Any]])
                #expect(channels.count == 2)
                for (place, room) in rooms.enumerated() {
                    let channel = try #require(channels.first { $0["id"] as? String == room })
                    let counts = [channel["unread_count"] as? Int, channel["mentions_count"] as? Int]
                    #expect(counts == models[place].unread(reader))
                    let last = channel["last_message"] as? [String: Any]
                    let expected = models[place].messages.lastIndex { !$0.isDeleted }
                    #expect(last?["id"] as? String == expected.map { ids[place][$0] })
                    // The very message that its own route answers.
                    if let last, let id = last["id"] as? String {
                        let alone = try await world.message(id, as: people[reader])
                        #expect(NSDictionary(dictionary: last) == NSDictionary(dictionary: alone))
                    }
                }
                let playgrounds = try #require(overview["playgrounds"] as? [[String: Any]])
                let sums = playgrounds.map { [$0["unread_count"] as? Int ?? -1, $0["mentions_count"] as? Int ?? -1] }
                #expect(sums.count == 2)
                #expect(Set(sums) == Set(models.map { $0.unread(reader) }))
            }
        }
    }

    private func words(_ chance: inout TestSeed) -> (String, Set<Int>, Bool) {
        let named = Set((0..<4).filter { _ in Int.random(in: 0..<4, using: &chance) == 0 })
        let isWide = Int.random(in: 0..<8, using: &chance) == 0
        let text = "t\(Int.random(in: 0...Int.max, using: &chance)) " + named.map { "@p\($0) " }.joined()
        return (text + (isWide ? (named.isEmpty ? "@channel" : "@here") : ""), named, isWide)
    }

    @Test func theOverviewHoldsEverything() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            #expect(
                try await world.get("/api/v1/conversations-overview", as: a).text
                    == #"{"playgrounds":[],"channels":[],"direct_channels":[]}"#
            )
            let room = try await world.room([a, b])
            // In a playground without being in any of its channels.
            _ = try await world.room([b], outside: [a])
            let known = try await world.direct(b, a)
            let request = try await world.open(c, [a])
            try await world.said("hi", in: room, as: b)
            world.clock.advance(.seconds(1))
            try await world.said("psst", in: known, as: b)
            try await world.said("let me in", in: request, as: c)
            _ = try await world.database.query(
                "UPDATE channel_members SET muted_until = \(world.dependencies.now() + .seconds(9)) WHERE account_id = \(a.id)"
            )
            let overview = try await world.get("/api/v1/conversations-overview", as: a).object
            #expect((overview["playgrounds"] as? [[String: Any]])?.compactMap { $0["unread_count"] as? Int } == [1, 0])
            #expect(
                (overview["playgrounds"] as? [[String: Any]])?.compactMap { $0["role"] as? String } == [
                    "owner", "member",
                ]
            )
            let channels = try #require(overview["channels"] as? [[String: Any]])
            #expect(channels.map { $0["id"] as? String } == [room])
            #expect(channels.first?["muted"] as? Bool == true)
            // Requests wait elsewhere.
            let direct = try #require(overview["direct_channels"] as? [[String: Any]])
            #expect(direct.map { $0["id"] as? String } == [known])
            #expect((direct.first?["last_message"] as? [String: Any])?["text"] as? String == "psst")
            #expect(
                (direct.first?["members"] as? [[String: Any]])?.compactMap { $0["username"] as? String } == [
                    "ann", "bo",
                ]
            )
        }
    }
}
