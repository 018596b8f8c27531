// SPDX-License-Identifier: Apache-2.0
// Blocks, mutes and notes.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct GraphBlockTests {
    @Test func aBlockEndsWhatWasBetweenTheTwo() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            _ = try await world.post("/api/v1/accounts/\(b.id)/follow", as: a)
            _ = try await world.post("/api/v1/accounts/\(a.id)/follow", as: b)
            let answer = try await world.post("/api/v1/accounts/\(b.id)/block", as: a)
            #expect(try answer.bool("blocking") == true)
            #expect(try answer.bool("following") == false)
            #expect(try answer.bool("followed_by") == false)
            #expect(try await world.counts(a) == [0, 0])
            #expect(try await world.counts(b) == [0, 0])
            let other = try await world.get("/api/v1/accounts/relationships?id[]=\(a.id)", as: b).list
            #expect(other.first?["blocked_by"] as? Bool == true)
            #expect(other.first?["blocking"] as? Bool == false)
            #expect(try await world.get("/api/v1/accounts/\(a.id)", as: b).code == 200)
            #expect(try await world.get("/api/v1/blocks", as: a).names() == ["b"])
            #expect(try await world.get("/api/v1/blocks", as: b).text == "[]")

            _ = try await world.post("/api/v1/accounts/\(b.id)/block", as: a)
            let types = try await world.events().map(\.type)
            #expect(
                types.suffix(3) == [
                    "posts.AccountUnfollowed.v1", "posts.AccountUnfollowed.v1", "posts.AccountBlocked.v1",
                ]
            )
            let end = try await world.post("/api/v1/accounts/\(b.id)/unblock", as: a)
            #expect(try end.bool("blocking") == false)
            _ = try await world.post("/api/v1/accounts/\(b.id)/unblock", as: a)
            let last = try await world.events().map(\.type).suffix(2)
            #expect(last == ["posts.AccountBlocked.v1", "posts.AccountUnblocked.v1"])
            #expect(try await world.post("/api/v1/accounts/\(b.id)/follow", as: a).code == 200)
        }
    }

    @Test func aBlockClosesRequests() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            _ = try await world.send(
                .patch,
                "/api/v1/accounts/update_credentials",
                as: b,
                type: "application/json",
                body: #"{"locked":true}"#
            )
            _ = try await world.post("/api/v1/accounts/\(b.id)/follow", as: a)
            _ = try await world.post("/api/v1/accounts/\(a.id)/block", as: b)
            #expect(try await world.get("/api/v1/follow_requests", as: b).text == "[]")
            #expect(
                try await world.events().map(\.type).suffix(2) == [
                    "posts.FollowRequestClosed.v1", "posts.AccountBlocked.v1",
                ]
            )
        }
    }

    @Test func aMuteMayEndByItself() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            let c = try await world.person("c")
            _ = try await world.post("/api/v1/accounts/\(c.id)/mute", as: a)
            let answer = try await world.post(
                "/api/v1/accounts/\(b.id)/mute",
                as: a,
                json: #"{"notifications":false,"duration":3600}"#
            )
            #expect(try answer.bool("muting") == true)
            #expect(try answer.bool("muting_notifications") == false)
            #expect(try answer.string("muting_expires_at") == "2026-01-02T04:04:05.678Z")
            let event = try #require(try await world.events().last)
            #expect(event.type == "posts.AccountMuted.v1")
            #expect(event.text.contains(#""notifications":false"#))
            let list = try await world.get("/api/v1/mutes", as: a)
            #expect(try list.names() == ["b", "c"])
            #expect(try list.list.first?["mute_expires_at"] as? String == "2026-01-02T04:04:05.678Z")
            #expect(try list.list.last?["mute_expires_at"] is NSNull)

            world.clock.advance(.seconds(3601))
            #expect(try await world.get("/api/v1/mutes", as: a).names() == ["c"])
            let after = try await world.get("/api/v1/accounts/relationships?id[]=\(b.id)", as: a).list
            #expect(after.first?["muting"] as? Bool == false)
            #expect(after.first?["muting_expires_at"] is NSNull)

            let forever = try await world.post("/api/v1/accounts/\(b.id)/mute", as: a)
            #expect(try forever.bool("muting_notifications") == true)
            #expect(try forever.object["muting_expires_at"] is NSNull)
            _ = try await world.post("/api/v1/accounts/\(b.id)/unmute", as: a)
            _ = try await world.post("/api/v1/accounts/\(b.id)/unmute", as: a)
            let types = try await world.events().map(\.type)
            #expect(types.filter { $0 == "posts.AccountUnmuted.v1" }.count == 1)
            for duration in ["-1", "9223372036854775807", "99999999999999999999", "x"] {
                let bad = try await world.post("/api/v1/accounts/\(b.id)/mute", as: a, form: "duration=\(duration)")
                #expect(bad.code == 422 || bad.code == 400, "\(duration)")
            }
        }
    }

    @Test func aNoteIsOnlyOnesOwn() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            let path = "/api/v1/accounts/\(b.id)/note"
            let noted = try await world.post(path, as: a, json: #"{"comment":"met in Busan"}"#)
            #expect(try noted.string("note") == "met in Busan")
            let other = try await world.get("/api/v1/accounts/relationships?id[]=\(a.id)", as: b).list
            #expect(other.first?["note"] as? String == "")
            #expect(try await world.post(path, as: a, form: "comment=").string("note") == "")
            let long = String(repeating: "a", count: 2001)
            #expect(try await world.post(path, as: a, form: "comment=\(long)").code == 422)
            #expect(try await world.events().count == 2)
        }
    }

    @Test func ononeselfNothingChanges() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            for action in ["block", "mute", "unfollow"] {
                let answer = try await world.post("/api/v1/accounts/\(a.id)/\(action)", as: a)
                #expect(answer.code == 200)
                #expect(try answer.bool("blocking") == false)
                #expect(try answer.bool("muting") == false)
            }
            #expect(try await world.events().count == 1)
        }
    }
}
