// SPDX-License-Identifier: Apache-2.0
// What one may not see answers as what never was, and what one may not set is not set.

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

@Suite struct SecrecyTests {
    /// An answer without what is another for each request.
    private func face(_ answer: Answer) throws -> String {
        var text = answer.text
        if let members = try? answer.object {
            var members = members
            for name in ["request_id", "instance"] { members[name] = nil }
            text = String(
                decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys),
                as: UTF8.self
            )
        }
        let headers = answer.headers.map { "\($0.name): \($0.value)" }.sorted()
        return "\(answer.code) \(headers) \(text)"
    }

    private func body(_ route: Route<Dependencies>, _ person: Somebody) -> [String: any Sendable] {
        [
            "text": "hello", "name": "another", "role": "admin", "account_id": person.id.description,
            "account_ids": [person.id.description], "seq": 1, "notify": "none", "type": "public",
        ]
    }

    @Test func foreignDeletedAndNeverMadeAreTheSame() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let eve = try await world.person("eve")
            let closed = try await world.playground(of: ann, isOpen: false)
            let hidden = try await world.channel("hidden", in: closed, by: ann, type: "private")
            let secret = try await world.said("secret", in: hidden, as: ann)
            let direct = try await world.direct(ann, bo)
            let whispered = try await world.said("whispered", in: direct, as: ann)
            let ended = try await world.playground("Ended", of: eve)
            let gone = try await world.general(of: ended, as: eve)
            let lost = try await world.said("lost", in: gone, as: eve)
            #expect(try await world.delete("/api/v1/playgrounds/\(ended)", as: eve).code == 200)
            let kinds: [(prefix: String, foreign: [String], deleted: String)] = [
                ("/api/v1/playgrounds/", [closed], ended), ("/api/v1/channels/", [hidden, direct], gone),
                ("/api/v1/messages/", [secret, whispered], lost),
            ]
            var asked = 0
            for kind in kinds {
                let routes = Routes.all.filter { $0.path.hasPrefix(kind.prefix + ":id") }
                #expect(routes.count > 5)
                for route in routes {
                    var faces: Set<String> = []
                    for id in kind.foreign + [kind.deleted, "1", "123456789012345678"] {
                        let path = route.path.replacingOccurrences(of: ":id", with: id)
                            .replacingOccurrences(of: ":account_id", with: bo.id.description)
                            .replacingOccurrences(of: ":emoji", with: "👍")
                            .replacingOccurrences(of: ":code", with: "aaaaaaaaaaaaaaaa")
                        let answer = try await world.send(route.method, path, as: eve, body(route, bo))
                        #expect(answer.code == 404, "\(route.method) \(path): \(answer.text)")
                        faces.insert(try face(answer))
                        asked += 1
                    }
                    #expect(faces.count == 1, "\(route.method) \(route.path): \(faces)")
                }
            }
            print("S2 \(asked) answers of chat: foreign, deleted and never made differ in 0/0")
        }
    }

    /// Every name that a row, an answer or an event has, and that is nobody's to set.
    private static let internals: [String: any Sendable] = [
        "id": "1", "owner_id": "1", "author_id": "1", "account": ["id": "1"], "actor_id": "1", "version": 1,
        "subject_version": 1, "last_seq": 900, "last_change": 900, "change": 900, "created_at": "2001-01-01T00:00:00Z",
        "updated_at": "2001-01-01T00:00:00Z", "edited_at": "2001-01-01T00:00:00Z",
        "deleted_at": "2001-01-01T00:00:00Z", "archived_at": "2001-01-01T00:00:00Z",
        "pinned_at": "2001-01-01T00:00:00Z", "pinned_by": "1", "pinner_id": "1", "joined_at": "2001-01-01T00:00:00Z",
        "members_count": 900, "members": ["1"], "default": true, "default_channel_id": "1", "party": "1,2",
        "requested": true, "declined_at": "2001-01-01T00:00:00Z", "last_read_seq": 900, "uses": 900, "code": "mine",
        "creator_id": "1", "revoked_at": "2001-01-01T00:00:00Z", "mentions": [["id": "1"]], "wide_mention": "channel",
        "reactions": [["emoji": "👍", "count": 900] as [String: any Sendable]], "thread": ["replies_count": 900],
        "client_hash": "00",
        "channel_id": "1", "snapshot": ["id": "1"], "blocked": true, "channel_type": "group", "unread_count": 900,
    ]

    @Test func whatIsNobodysToSetIsNotSet() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            func ask(
                _ method: HTTPRequest.Method,
                _ path: String,
                _ own: [String: any Sendable] = [:],
                as person: Somebody? = nil
            ) async throws -> Answer {
                let all = SecrecyTests.internals.merging(own) { $1 }
                let answer = try await world.send(method, path, as: person ?? ann, all)
                try #require(answer.code < 300, "\(method) \(path): \(answer.text)")
                return answer
            }
            let playground = try #require(
                try await ask(.post, "/api/v1/playgrounds", ["name": "Yard", "open": true]).string("id")
            )
            let general = try await world.general(of: playground, as: ann)
            _ = try await ask(.patch, "/api/v1/playgrounds/\(playground)", ["name": "Yard 2"])
            _ = try await ask(.post, "/api/v1/playgrounds/\(playground)/join", as: bo)
            let channel = try #require(
                try await ask(.post, "/api/v1/playgrounds/\(playground)/channels", ["name": "talk"]).string("id")
            )
            _ = try await ask(.patch, "/api/v1/channels/\(channel)", ["name": "talk 2"])
            _ = try await ask(.post, "/api/v1/channels/\(channel)/join", as: bo)
            let path = "/api/v1/channels/\(channel)/messages"
            let message = try #require(try await ask(.post, path, ["text": "one"]).string("id"))
            _ = try await ask(.patch, "/api/v1/messages/\(message)", ["text": "two"])
            _ = try await ask(.put, "/api/v1/messages/\(message)/reactions/👍", as: bo)
            _ = try await ask(.post, "/api/v1/channels/\(channel)/read", as: bo)
            _ = try await ask(.put, "/api/v1/channels/\(channel)/notifications", ["notify": "mentions"], as: bo)
            let invites = "/api/v1/playgrounds/\(playground)/invites"
            let invite = try await ask(.post, invites, ["max_uses": 5])
            _ = try await ask(.post, "/api/v1/direct_channels", ["account_ids": [bo.id.description]])

            let made = try await world.get("/api/v1/playgrounds/\(playground)", as: ann)
            #expect(try made.string("owner_id") == ann.id.description)
            #expect(try made.string("created_at") == "2026-01-02T03:04:05.678Z")
            #expect(try made.int("members_count") == 2)
            #expect(try made.string("default_channel_id") == general)
            let seen = try await world.get("/api/v1/channels/\(channel)", as: bo)
            #expect(try seen.string("owner_id") == ann.id.description)
            #expect(try [seen.int("last_seq"), seen.int("last_change"), seen.int("last_read_seq")] == [1, 3, 1])
            #expect(try seen.string("role") == "member")
            #expect(try seen.object["archived_at"] is NSNull)
            #expect(try seen.string("created_at") == "2026-01-02T03:04:05.678Z")
            let kept = try await world.message(message, as: bo)
            #expect(kept["seq"] as? Int == 1)
            #expect((kept["account"] as? [String: Any])?["id"] as? String == ann.id.description)
            #expect(kept["pinned_at"] is NSNull && kept["deleted_at"] is NSNull && kept["wide_mention"] is NSNull)
            #expect((kept["mentions"] as? [Any])?.isEmpty == true)
            #expect(((kept["reactions"] as? [[String: Any]])?.first?["count"] as? Int) == 1)
            #expect(try invite.int("uses") == 0)
            #expect(try invite.string("code") != "mine")
            #expect(try invite.string("creator_id") == ann.id.description)
            #expect(try await world.number("SELECT count(*) FROM accounts WHERE id = 1") == 0)
            #expect(try await world.number("SELECT count(*) FROM channel_members WHERE account_id = 1") == 0)
        }
    }

    @Test func readingToTheEndMeetsEveryMessageOnce() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let room = try await world.room([ann])
            let channel = try #require(ChannelID(room))
            let count = 6000
            _ = try await world.database.query(
                """
                WITH made AS (
                    INSERT INTO messages (id, channel_id, seq, author_id, text, created_at, change)
                    SELECT 5000000 + n, \(channel), n, \(ann.id), 'm' || n, now() + n * interval '1 s', n
                    FROM generate_series(1, \(count)) n
                )
                UPDATE channels SET last_seq = \(count), last_change = \(count) WHERE id = \(channel)
                """
            )
            var times: [Duration] = []
            func walk(_ first: String, _ relation: String) async throws -> [Int] {
                var seqs: [Int] = []
                var path: String? = first
                while let asked = path {
                    let began = ContinuousClock.now
                    let answer = try await world.get(asked, as: ann)
                    times.append(ContinuousClock.now - began)
                    let page = try answer.list.compactMap { $0["seq"] as? Int }
                    seqs += page
                    path = page.isEmpty ? nil : try answer.pageLink(relation)
                }
                return seqs
            }
            let path = "/api/v1/channels/\(room)/messages?limit=200"
            #expect(try await walk(path, "next") == (1...count).reversed())
            #expect(try await walk(path + "&after_seq=0", "prev") == Array(1...count))
            #expect(try await walk(path + "&after_change=0", "next") == Array(1...count))
            // The last page costs what the first does: each is found by its number.
            let slowest = try #require(times.max())
            print("L14 \(times.count) pages of \(count) messages, slowest \(slowest)/200 ms")
        }
    }

    @Test func namesOfEveryKindAreClean() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let marks =
                "\u{061C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"
            func isClean(_ answer: Answer) -> Bool {
                answer.code < 300 && !answer.text.unicodeScalars.contains { marks.unicodeScalars.contains($0) }
            }
            let named: [String: any Sendable] = ["name": "a\(marks)b", "description": "\(marks)c", "open": true]
            let made = try await world.post("/api/v1/playgrounds", as: ann, named)
            #expect(isClean(made), "\(made.text)")
            let id = try #require(try made.string("id"))
            #expect(isClean(try await world.patch("/api/v1/playgrounds/\(id)", as: ann, named)))
            let channel = try await world.post("/api/v1/playgrounds/\(id)/channels", as: ann, named)
            #expect(isClean(channel), "\(channel.text)")
            let path = "/api/v1/channels/\(try #require(try channel.string("id")))"
            #expect(isClean(try await world.patch(path, as: ann, ["name": "x\(marks)y", "description": marks])))
            let banned = try await world.post(
                "/api/v1/playgrounds/\(id)/bans",
                as: ann,
                ["account_id": bo.id.description, "reason": "no\(marks)"]
            )
            #expect(isClean(banned), "\(banned.text)")
            let gif: [String: any Sendable] = [
                "id": "g", "url": "https://gifs.example/g", "width": 1, "height": 1, "title": "a\(marks)b",
            ]
            let shown = try await world.post("\(path)/messages", as: ann, ["gif": gif])
            #expect(isClean(shown), "\(shown.text)")
            // Nothing but marks is no name.
            #expect(try await world.post("/api/v1/playgrounds", as: ann, ["name": marks]).code == 422)
            #expect(try await world.patch(path, as: ann, ["name": marks]).code == 422)
        }
    }

    @Test func invitesThatEndedAreForgotten() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let id = try await world.playground(of: ann, isOpen: false)
            let path = "/api/v1/playgrounds/\(id)/invites"
            func invite(_ wish: [String: any Sendable] = [:]) async throws -> String {
                try #require(try await world.post(path, as: ann, wish).string("code"))
            }
            let lasting = try await invite()
            let half = try await invite(["max_uses": 2])
            let used = try await invite(["max_uses": 1])
            let timed = try await invite(["expires_in": 60])
            let revoked = try await invite()
            #expect(try await world.post("/api/v1/invites/\(used)/accept", as: bo).code == 200)
            #expect(try await world.delete("\(path)/\(revoked)", as: ann).code == 200)
            world.clock.advance(.seconds(29 * 86_400))
            try await world.sweep()
            #expect(try await world.number("SELECT count(*) FROM invites") == 5)
            world.clock.advance(.seconds(2 * 86_400))
            try await world.sweep()
            #expect(try await world.number("SELECT count(*) FROM invites") == 2)
            for code in [lasting, half] { #expect(try await world.get("/api/v1/invites/\(code)").code == 200) }
            for code in [used, timed, revoked] { #expect(try await world.get("/api/v1/invites/\(code)").code == 404) }
        }
    }
}
