// SPDX-License-Identifier: Apache-2.0
// What the gateway asks: rooms, what was missed, gaps, positions.

import Domain
import Events
import Foundation
import HTTPTypes
import Testing
import Web

@testable import ChatService

@Suite struct GatewayCallTests {
    @Test func roomsAreWhereOneTakesPart() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            #expect(try await world.get("/internal/rooms", as: a).text == #"{"rooms":[],"playground_ids":[]}"#)
            let room = try await world.room([a, b])
            let outside = try await world.room([b], outside: [a])
            let direct = try await world.direct(a, b)
            let request = try await world.open(c, [a])
            try await world.said("hi", in: room, as: a)
            let answer = try await world.get("/internal/rooms", as: a)
            let rooms = try #require(try answer.object["rooms"] as? [[String: Any]])
            #expect(Set(rooms.compactMap { $0["channel_id"] as? String }) == [room, direct])
            #expect(rooms.first { $0["channel_id"] as? String == room }?["last_seq"] as? Int == 1)
            #expect(rooms.first { $0["channel_id"] as? String == room }?["type"] as? String == "public")
            #expect((try answer.object["playground_ids"] as? [String])?.count == 2)
            #expect(outside != request)
            // A blocked pair has no room; a group does not care.
            try await world.block(b, a, version: 1)
            let left = try #require(try await world.get("/internal/rooms", as: a).object["rooms"] as? [[String: Any]])
            #expect(left.compactMap { $0["channel_id"] as? String } == [room])
        }
    }

    @Test func whatWasMissedIsWhole() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            let other = try await world.room([a, b])
            let foreign = try await world.room([b])
            var ids: [String] = []
            for index in 1...4 { ids.append(try await world.said("m\(index)", in: room, as: b)) }
            for index in 1...6 { try await world.said("o\(index)", in: other, as: b) }
            try await world.said("f", in: foreign, as: b)
            _ = try await world.patch("/api/v1/messages/\(ids[0])", as: b, ["text": "m1 edited"])
            _ = try await world.put("/api/v1/messages/\(ids[3])/reactions/👍", as: b)
            func missed(_ channels: [[String: any Sendable]], limit: Int = 500) async throws -> [[String: Any]] {
                let answer = try await world.post("/internal/missed", as: a, ["channels": channels, "limit": limit])
                try #require(answer.code == 200, "\(answer.text)")
                return try #require(try answer.object["channels"] as? [[String: Any]])
            }
            func texts(_ channel: [String: Any]?, _ name: String) -> [String] {
                ((channel?[name] as? [[String: Any]]) ?? []).compactMap { $0["text"] as? String }
            }
            let some = try await missed([
                ["id": other, "seq": 4], ["id": room, "seq": 2, "change": 4], ["id": foreign, "seq": 0],
                ["id": "1", "seq": 0],
            ])
            #expect(some.map { $0["id"] as? String } == [other, room])
            #expect(texts(some.first, "messages") == ["o5", "o6"])
            #expect(texts(some.first, "changed") == [])
            #expect(texts(some.last, "messages") == ["m3", "m4"])
            // Known but changed; what is new is not told twice.
            #expect(texts(some.last, "changed") == ["m1 edited"])
            #expect(some.last?["last_seq"] as? Int == 4)
            #expect(some.last?["last_change"] as? Int == 6)
            #expect(some.last?["resync"] as? Bool == false)
            let nothing = try await missed([["id": room, "seq": 4, "change": 6]])
            #expect(texts(nothing.first, "messages") + texts(nothing.first, "changed") == [])
            #expect(nothing.first?["resync"] as? Bool == false)
            let much = try await missed([["id": other, "seq": 0], ["id": room, "seq": 1]], limit: 5)
            #expect(much.map { $0["resync"] as? Bool } == [true, false])
            #expect(texts(much.first, "messages") == [])
            // A claim about one channel does not make room for more of another.
            let claimed = try await missed(
                [["id": room, "seq": Int.max], ["id": other, "seq": 2]] as [[String: any Sendable]],
                limit: 5
            )
            #expect(claimed.map { $0["resync"] as? Bool } == [true, false])
            let changes = try await missed([["id": room, "seq": 4, "change": 0]], limit: 3)
            #expect(changes.first?["resync"] as? Bool == true)
            // A client that knows more than we have lives in another time.
            for ahead in [["id": room, "seq": 5], ["id": room, "seq": 4, "change": 7]] as [[String: any Sendable]] {
                #expect(try await missed([ahead]).first?["resync"] as? Bool == true)
            }
            for bad in [["id": room, "seq": -1], ["id": room], ["id": "x", "seq": 1]] as [[String: any Sendable]] {
                let answer = try await world.post("/internal/missed", as: a, ["channels": [bad]])
                #expect(answer.code == 422 || answer.code == 400, "\(bad)")
            }
            let most = try await missed([["id": room, "seq": Int.max]])
            #expect(most.first?["resync"] as? Bool == true)
        }
    }

    @Test func gapsAndPositionsAreForOurselves() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            for index in 1...3 { try await world.said("m\(index)", in: room, as: a) }
            let secret: HTTPFields = [.internalSecret: ChatWorld.secret]
            let gap = try await world.send(
                .get,
                "/internal/channels/\(room)/messages?after_seq=1&limit=1",
                headers: secret
            )
            #expect((try gap.object["messages"] as? [[String: Any]])?.compactMap { $0["text"] as? String } == ["m2"])
            #expect(try gap.int("last_seq") == 3)
            let end = try await world.send(.get, "/internal/channels/\(room)/messages?after_seq=3", headers: secret)
            #expect(try end.object["messages"] as? [String] == [])
            #expect(try await world.get("/internal/channels/\(room)/messages", as: a).code == 404)
            #expect(try await world.send(.get, "/internal/channels/1/messages", headers: secret).code == 404)
            let first = try #require(
                try await world.get("/api/v1/channels/\(room)/messages?after_seq=0", as: a).list.first
            )
            let id = try #require(first["id"] as? String)
            _ = try await world.patch("/api/v1/messages/\(id)", as: a, ["text": "m1 edited"])
            let changed = try await world.send(
                .get,
                "/internal/channels/\(room)/messages?after_change=2",
                headers: secret
            )
            #expect(
                (try changed.object["messages"] as? [[String: Any]])?.compactMap { $0["text"] as? String }
                    == ["m3", "m1 edited"]
            )
            let positions = try await world.send(
                .post,
                "/internal/positions",
                type: "application/json",
                body: #"{"channel_ids":["\#(room)","1"]}"#,
                headers: secret
            )
            #expect(positions.text == #"{"positions":[{"id":"\#(room)","last_seq":3,"last_change":4}]}"#)
            #expect(try await world.post("/internal/positions", as: a).code == 404)
        }
    }

    @Test func nothingIsMissedOfWhatIsNotAccepted() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            let direct = try await world.open(a, [b])
            let group = try await world.open(a, [b, c])
            for id in [direct, group] { try await world.said("a secret", in: id, as: a) }
            let asked: [[String: any Sendable]] = [direct, group].map { ["id": $0, "seq": 0, "change": 0] }
            for person in [b, c] {
                let missed = try await world.post("/internal/missed", as: person, ["channels": asked])
                #expect(missed.text == #"{"channels":[]}"#)
                #expect(try await world.get("/internal/rooms", as: person).text == #"{"rooms":[],"playground_ids":[]}"#)
            }
            // Declining lets nothing in either; accepting does, and only there.
            #expect(try await world.post("/api/v1/channels/\(group)/decline", as: b).code == 200)
            #expect(try await world.post("/api/v1/channels/\(direct)/accept", as: b).code == 200)
            let missed = try await world.post("/internal/missed", as: b, ["channels": asked])
            let channels = try #require(try missed.object["channels"] as? [[String: Any]])
            #expect(channels.map { $0["id"] as? String } == [direct])
            #expect(missed.text.contains("a secret"))
        }
    }
}
