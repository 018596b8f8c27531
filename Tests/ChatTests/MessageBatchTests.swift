// SPDX-License-Identifier: Apache-2.0
// What people say at the same time: each is answered as if nobody else had spoken.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import ChatService

@Suite struct MessageBatchTests {
    private typealias Said = [String: any Sendable]

    private static let path = "/internal/messages"

    private static func said(_ statement: String, _ channel: String, _ message: Said, language: String? = nil) -> Said {
        var said: Said = ["principal": statement, "channel_id": channel, "message": message]
        said["language"] = language
        return said
    }

    private func send(_ said: [Said], _ world: ChatWorld, secret: String = ChatWorld.secret) async throws -> Answer {
        let body = try JSONSerialization.data(withJSONObject: ["messages": said])
        return try await world.send(
            .post,
            MessageBatchTests.path,
            type: "application/json",
            body: String(decoding: body, as: UTF8.self),
            headers: [.internalSecret: secret]
        )
    }

    private func answers(_ said: [Said], _ world: ChatWorld) async throws -> [(status: Int, body: [String: Any])] {
        let answer = try await send(said, world)
        try #require(answer.code == 200, "\(answer.text)")
        return try #require(try answer.object["answers"] as? [[String: Any]]).map { one in
            (try #require(one["status"] as? Int), try #require(one["body"] as? [String: Any]))
        }
    }

    @Test func whatIsRefusedHarmsNoOther() async throws {
        try await ChatWorld.run { world in
            let (a, b, c) = (try await world.person("ann"), try await world.person("bo"), try await world.person("cy"))
            let (one, two) = (try await world.room([a, b]), try await world.room([b]))
            let (ann, bo) = (try ChatWorld.statement(a), try ChatWorld.statement(b))
            let frozen = Somebody(id: b.id, username: b.username, isFrozen: true)
            let cases: [(what: String, said: Said, status: Int, code: String?)] = [
                ("a message", MessageBatchTests.said(ann, one, ["text": "1", "client_id": "x"]), 201, nil),
                ("nothing said", MessageBatchTests.said(bo, one, ["text": ""]), 422, "invalid"),
                (
                    "an outsider", MessageBatchTests.said(try ChatWorld.statement(c), one, ["text": "2"]), 404,
                    "not-found"
                ),
                ("no channel", MessageBatchTests.said(ann, "1", ["text": "3"]), 404, "not-found"),
                (
                    "forged", MessageBatchTests.said(String(ann.dropLast(4)) + "AAAA", one, ["text": "4"]), 401,
                    "unauthorized"
                ),
                (
                    "for another service",
                    MessageBatchTests.said(try ChatWorld.statement(a, for: "posts"), one, ["text": "5"]),
                    401,
                    "unauthorized"
                ),
                (
                    "may only read",
                    MessageBatchTests.said(try ChatWorld.statement(a, scopes: "read"), one, ["text": "6"]),
                    403,
                    nil
                ),
                (
                    "frozen", MessageBatchTests.said(try ChatWorld.statement(frozen), one, ["text": "7"]), 403,
                    "account-frozen"
                ),
                (
                    "an app alone", MessageBatchTests.said(try ChatWorld.statement(nil), one, ["text": "8"]), 422,
                    "account-required"
                ),
                ("in another channel", MessageBatchTests.said(bo, two, ["text": "9"]), 201, nil),
                (
                    "an answer to nothing", MessageBatchTests.said(bo, one, ["text": "10", "reply_to_id": "1"]), 422,
                    "invalid"
                ),
                ("no member", MessageBatchTests.said(ann, two, ["text": "11"]), 404, "not-found"),
                ("somebody else", MessageBatchTests.said(bo, one, ["text": "12"]), 201, nil),
            ]
            let answers = try await answers(cases.map(\.said), world)
            try #require(answers.count == cases.count)
            for (one, answer) in zip(cases, answers) {
                #expect(answer.status == one.status, "\(one.what): \(answer)")
                if let code = one.code { #expect(answer.body["code"] as? String == code, "\(one.what): \(answer)") }
                let text = (one.said["message"] as? Said)?["text"] as? String
                if one.status == 201 { #expect(answer.body["text"] as? String == text, "\(one.what)") }
            }
            let stored = try await world.database.query("SELECT text FROM messages ORDER BY channel_id, seq").map {
                var columns = $0.columns
                return try columns.next(String.self)
            }
            #expect(Set(stored) == ["1", "9", "12"] && stored.count == 3)
            #expect(try await world.number("SELECT count(*) FROM channels WHERE last_seq = 2") == 1)
            #expect(try await world.recorded(MessageSent.self).count == 3)
            // Asked again, a message with a number of its client's is the same.
            let again = try await self.answers([cases[0].said, cases[9].said], world)
            #expect(again.map(\.status) == [200, 201])
            #expect(again[0].body["id"] as? String == answers[0].body["id"] as? String)
        }
    }

    @Test func itIsToldInTheLanguageOfWhoeverSpoke() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let answers = try await answers(
                [nil, "ko", "ja;q=0.9"].map {
                    MessageBatchTests.said(try ChatWorld.statement(a), room, ["text": ""], language: $0)
                },
                world
            )
            let texts = answers.compactMap { $0.body["error"] as? String }
            #expect(Set(texts).count == 3, "\(texts)")
        }
    }

    @Test func aStatementThatRanOutIsNone() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let said = MessageBatchTests.said(try ChatWorld.statement(a), room, ["text": "in time"])
            #expect(try await answers([said], world).map(\.status) == [201])
            world.clock.advance(.seconds(301))
            #expect(try await answers([said], world).map(\.status) == [401])
        }
    }

    @Test func onlyThisServerAsksAndOnlyForWhatCanBeUnderstood() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let good = MessageBatchTests.said(try ChatWorld.statement(a), room, ["text": "good"])
            #expect(try await send([good], world, secret: "another").code == 404)
            #expect(try await world.post(MessageBatchTests.path, as: a, ["messages": [good]]).code == 404)
            var without: [Said] = []
            for name in ["principal", "channel_id", "message"] {
                var said = good
                said[name] = nil
                without.append(said)
            }
            for bad in [[], Array(repeating: good, count: 65)] + without.map({ [good, $0] }) {
                #expect(try await send(bad, world).code == 422)
            }
            #expect(try await world.number("SELECT count(*) FROM messages") == 0)
        }
    }

    @Test func manyAtOnceLeaveNoGaps() async throws {
        try await ChatWorld.run { world in
            var people: [Somebody] = []
            for name in ["ann", "bo", "cy"] { people.append(try await world.person(name)) }
            var rooms: [String] = []
            for _ in 0..<3 { rooms.append(try await world.room(people)) }
            let (all, channels) = (people, rooms)
            let statuses = try await world.atOnce(6) { index in
                let said = try (0..<20).map { number in
                    MessageBatchTests.said(
                        try ChatWorld.statement(all[(index + number) % 3]),
                        channels[number % 3],
                        ["text": "\(index)-\(number)", "client_id": "\(index)-\(number)"]
                    )
                }
                // Twice at the same time: the same messages.
                async let first = answers(said, world)
                async let second = answers(said, world)
                let both = try await [first, second].map { $0.map { $0.body["id"] as? String } }
                #expect(both[0] == both[1])
                return both[0].count
            }
            #expect(statuses == Array(repeating: 20, count: 6))
            #expect(try await world.number("SELECT count(*) FROM messages") == 120)
            #expect(
                try await world.number(
                    """
                    SELECT count(*)
                    FROM channels c
                    WHERE c.last_seq > 0
                        AND c.last_seq = (SELECT count(DISTINCT m.seq) FROM messages m WHERE m.channel_id = c.id)
                    """
                ) == 3
            )
        }
    }
}
