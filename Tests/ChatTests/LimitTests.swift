// SPDX-License-Identifier: Apache-2.0
// Everything of chat at its limits: what is told fits, and no number that a client sends breaks anything.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Surface
import Testing
import Web

@testable import ChatService

@Suite struct LimitTests {
    /// Fills a playground with people who never act.
    private func crowd(_ count: Int, in channel: String, alsoIn other: String? = nil, _ world: ChatWorld) async throws {
        let ids = try (0..<count).map { _ in try world.dependencies.ids.next(AccountID.self) }
        let channels = [channel, other].compactMap { $0.flatMap { ChannelID($0) } }
        try await world.database.transaction { transaction in
            transaction.enqueue(
                """
                INSERT INTO playground_members (playground_id, account_id, role, joined_at, version)
                SELECT c.playground_id, p.id, 'member', now(), 1
                FROM channels c, unnest(\(ids)) AS p (id) WHERE c.id = \(channels[0])
                ON CONFLICT DO NOTHING
                """
            )
            transaction.enqueue(
                """
                INSERT INTO channel_members (channel_id, account_id, role, joined_at, version)
                SELECT c.id, p.id, 'member', now(), 1
                FROM unnest(\(channels)) AS c (id), unnest(\(ids)) AS p (id)
                """
            )
        }
    }

    @Test(arguments: [true, false]) func aChannelOfAnySizeIsHidden(isCrowdInside: Bool) async throws {
        try await ChatWorld.run { world in
            let owner = try await world.person("ann")
            let outside = try await world.person("out")
            let inside = try await world.person("ins")
            let id = try await world.playground(of: owner)
            try await world.enter(id, outside, inside)
            let general = try await world.general(of: id, as: owner)
            let club = try await world.channel("club", in: id, by: owner)
            try await world.join(club, inside)
            try await crowd(24_000, in: general, alsoIn: isCrowdInside ? club : nil, world)
            let before = try await world.updates().count
            let answer = try await world.patch("/api/v1/channels/\(club)", as: owner, ["type": "private"])
            try #require(answer.code == 200, "\(answer.text)")
            // Whoever is not in it is told once that it is gone; nobody in it is.
            let everybody = try await world.database.query(
                "SELECT account_id FROM playground_members ORDER BY account_id"
            ).map { row in
                var columns = row.columns
                return try columns.next(AccountID.self)
            }
            let members = Set(
                try await world.database.query(
                    "SELECT account_id FROM channel_members WHERE channel_id = \(try #require(ChannelID(club)))"
                ).map { row in
                    var columns = row.columns
                    return try columns.next(AccountID.self)
                }
            )
            var told: [AccountID: Int] = [:]
            for update in try await world.updates().dropFirst(before) where update.text.contains("\"deleted\"") {
                let receivers =
                    update.channelID == nil ? update.accountIDs : everybody.filter { !update.except.contains($0) }
                for receiver in receivers { told[receiver, default: 0] += 1 }
            }
            #expect(Set(told.keys) == Set(everybody).subtracting(members))
            #expect(told.values.allSatisfy { $0 == 1 })
        }
    }

    /// The longest texts that are let in, by what they are made of.
    private static let heavy: [(name: String, character: String)] = [
        ("letters", "a"), ("quotes", "\""), ("backslashes", "\\"), ("hangul", "한"), ("emoji", "😀"),
        ("families", "👩‍👩‍👧‍👦"), ("marks", "e" + String(repeating: "\u{0301}", count: 7)), ("ampersands", "&"),
    ]

    /// The longest text of `character` that `accepted` takes, found by halving.
    private func longest(_ character: String, _ accepted: (String) async throws -> Bool) async throws -> String {
        var low = 0
        var high = 4001
        while high - low > 1 {
            let middle = (low + high) / 2
            if try await accepted(String(repeating: character, count: middle)) { low = middle } else { high = middle }
        }
        return String(repeating: character, count: low)
    }

    @Test func everythingAtItsLimitsIsTold() async throws {
        try await ChatWorld.run { world in
            let owner = try await world.person("ann")
            let id = try await world.playground(of: owner)
            let general = try await world.general(of: id, as: owner)
            let names = (0..<100).map { "name_\($0)_abcdefghijklmnopqr" }
            for name in names { try await world.enter(id, try await world.person(name)) }
            let many = "@channel " + names.map { "@\($0)" }.joined(separator: " ") + " "
            let gif: [String: any Sendable] = [
                "id": String(repeating: "g", count: 100),
                "url": "https://gifs.example/" + String(repeating: "u", count: 2000),
                "preview_url": "https://gifs.example/" + String(repeating: "p", count: 2000),
                "width": 20_000, "height": 20_000, "title": String(repeating: "t", count: 300),
            ]
            for (kind, character) in LimitTests.heavy {
                // The account as large as an event may make it.
                try await world.deliver(
                    ProfileUpdated(
                        account: AccountSnapshot(
                            id: owner.id,
                            username: owner.username,
                            displayName: String(repeating: "이", count: 30),
                            note: String(repeating: "글", count: 500),
                            fields: (0..<4).map { _ in
                                ProfileField(
                                    name: String(repeating: "이", count: 255),
                                    value: String(repeating: "값", count: 255)
                                )
                            },
                            createdAt: owner.id.timestamp,
                            version: 9
                        )
                    )
                )
                let name = try await longest(character) { text in
                    try await world.patch("/api/v1/channels/\(general)", as: owner, ["name": text]).code == 200
                }
                let description = try await longest(character) { text in
                    try await world.patch("/api/v1/channels/\(general)", as: owner, ["description": text]).code == 200
                }
                let changes: [String: any Sendable] = ["name": name + "!", "description": description]
                let edited = try await world.patch("/api/v1/channels/\(general)", as: owner, changes)
                #expect(edited.code == 200 || edited.code == 422, "\(kind): \(edited.text.prefix(200))")
                let place = try await world.patch("/api/v1/playgrounds/\(id)", as: owner, changes)
                #expect(place.code == 200 || place.code == 422, "\(kind): \(place.text.prefix(200))")
                let text = try await longest(character) { text in
                    let answer = try await world.say(many + text, in: general, as: owner, ["gif": gif])
                    #expect(answer.code == 201 || answer.code == 422, "\(kind): \(answer.text.prefix(200))")
                    return answer.code == 201
                }
                let message = try await world.said(many + text, in: general, as: owner, ["gif": gif])
                let again = try await world.patch("/api/v1/messages/\(message)", as: owner, ["text": text + many])
                #expect(again.code == 200 || again.code == 422, "\(kind): \(again.text.prefix(200))")
                let pinned = try await world.post("/api/v1/messages/\(message)/pin", as: owner)
                #expect(pinned.code == 200, "\(kind): \(pinned.text.prefix(200))")
            }
            // The second longest list of people that an event carries.
            try await crowd(20_000, in: general, world)
            let last = try await world.say(many, in: general, as: owner)
            #expect(last.code == 201, "\(last.text.prefix(200))")
            let raised = try await world.recorded(MentionRaised.self).filter { $0.message.seq == last.seq }
            #expect(Set(raised.flatMap(\.mentionedIDs)).count == 20_100)
        }
    }

    /// Values that are numbers, moments or cursors, or would like to be.
    private static let values = [
        "0", "-1", "1", "2147483647", "2147483648", "4294967296", "9007199254740993", "9223372036854775806",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "99999999999999999999", "1e400", "1e18",
        "5.0", "-0", "NaN", "", " ", "null", "true", "0x10", "٣", "\u{0}", "a\u{0}b", "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00Z", "9999-12-31T23:59:60.999Z", "9999-12-31T23:59:59-23:59", "2026-02-30T00:00:00Z",
        "2026-01-01T00:00:00+24:00", "2016-12-31T23:59:60Z", "😀", "\u{202E}abc", "[]", "{}",
    ]

    private static let names = [
        "limit", "max_id", "since_id", "min_id", "before_seq", "after_seq", "after_change", "before", "after", "seq",
        "change", "channels", "channel_ids", "account_id", "account_ids", "messages", "reply_to_id", "thread_id",
        "attachment_ids",
        "text", "name", "description", "type", "cover_id", "open", "role", "reason", "expires_in", "max_uses",
        "mute_for", "muted_until", "notify", "q", "client_id", "language", "gif", "playground_id", "version",
    ]

    @Test func noNumberMomentOrCursorBreaksARoute() async throws {
        var dice = TestSeed()
        let seed = dice.seed
        let asked = dice.next()
        try await ChatWorld.run { world in
            var dice = TestSeed(asked)
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let id = try await world.playground(of: a)
            try await world.enter(id, b)
            let channel = try await world.general(of: id, as: a)
            let message = try await world.said("hi", in: channel, as: a)
            let direct = try await world.direct(a, b)
            let known = [channel, direct]
            let secret: HTTPFields = [.internalSecret: ChatWorld.secret]
            for route in Routes.all {
                // What would end the world for the others is asked elsewhere.
                if route.method == .delete, !route.path.contains("reactions") { continue }
                for turn in 0..<90 {
                    let path = LimitTests.path(route.path, [id, channel, direct, message], turn, &dice)
                    let picked = LimitTests.names.shuffled(using: &dice).prefix(turn < 40 ? 1 : 3)
                    var members: [String: any Sendable] = [:]
                    for name in picked {
                        members[name] = LimitTests.value(name, known, &dice)
                    }
                    let query = members.compactMap { name, value in
                        (value as? String)?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map {
                            "\(name)=\($0)"
                        }
                    }.joined(separator: "&")
                    let answer =
                        route.method == .get || turn.isMultiple(of: 3)
                        ? try await world.send(route.method, "\(path)?\(query)", as: a, headers: secret)
                        : try await world.send(
                            route.method,
                            path,
                            as: a,
                            type: "application/json",
                            body: String(
                                decoding: try JSONSerialization.data(withJSONObject: members),
                                as: UTF8.self
                            ),
                            headers: secret
                        )
                    #expect(answer.code < 500, "\(route.method) \(path) \(members) seed \(seed): \(answer.text)")
                }
            }
        }
    }

    private static func value(_ name: String, _ known: [String], _ dice: inout TestSeed) -> any Sendable {
        let text = values.randomElement(using: &dice) ?? ""
        switch name {
        case "channels":
            return known.map { id in
                let seq: any Sendable = dice.chance(1, in: 2) ? Int.max : text
                let change: any Sendable = dice.chance(1, in: 2) ? Int.max - 1 : dice.chance(1, in: 2) ? 0 : text
                return ["id": id, "seq": seq, "change": change] as [String: any Sendable]
            }
        case "messages": return [["text": text, "thread_id": text], ["text": "hi", "client_id": text]]
        case "channel_ids", "account_ids", "attachment_ids": return [text]
        case "gif":
            let gif: [String: any Sendable] = [
                "id": text, "url": "https://a.example/\(text)", "width": text, "height": Int.max,
            ]
            return gif
        default:
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: return Int(text) ?? Int.max
            case 1: return [text]
            default: return text
            }
        }
    }

    private static func path(_ pattern: String, _ ids: [String], _ turn: Int, _ dice: inout TestSeed) -> String {
        pattern.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix(":") else { return String(part) }
            if part == ":emoji" { return "👍" }
            if !turn.isMultiple(of: 5), let id = ids.randomElement(using: &dice) { return id }
            let value = values.filter { !$0.isEmpty && !$0.contains("/") && !$0.contains("\u{0}") }
                .randomElement(using: &dice)
            return value?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "1"
        }.joined(separator: "/")
    }

    @Test func aNumberBeyondTheNewestMeansFetchAgain() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            try await world.said("one", in: room, as: a)
            for seq in [2, Int.max - 1, Int.max] {
                for change in [0, 1, 2, Int.max - 1, Int.max] {
                    let asked: [String: any Sendable] = ["id": room, "seq": seq, "change": change]
                    let answer = try await world.post("/internal/missed", as: a, ["channels": [asked]])
                    #expect(answer.code == 200, "\(asked): \(answer.text)")
                    #expect(answer.text.contains(#""resync":true"#), "\(asked): \(answer.text)")
                }
            }
        }
    }
}

extension Answer {
    fileprivate var seq: Int64? { (try? int("seq")).flatMap { $0 }.map(Int64.init) }
}
