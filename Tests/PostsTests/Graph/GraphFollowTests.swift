// SPDX-License-Identifier: Apache-2.0
// Following, requests to follow, and the lists of both.

import Domain
import Events
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct GraphFollowTests {
    @Test func followingAnAccount() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            let path = "/api/v1/accounts/\(b.id)/follow"
            let answer = try await world.post(path, as: a, json: "")
            #expect(answer.code == 200)
            #expect(
                answer.text
                    == #"{"id":"\#(b.id)","following":true,"showing_reblogs":true,"notifying":false,"languages":null,"#
                    + #""followed_by":false,"blocking":false,"blocked_by":false,"muting":false,"#
                    + #""muting_notifications":false,"muting_expires_at":null,"requested":false,"requested_by":false,"#
                    + #""domain_blocking":false,"endorsed":false,"note":""}"#
            )
            #expect(try await world.counts(a) == [0, 1])
            #expect(try await world.counts(b) == [1, 0])
            let event = try #require(try await world.events().last)
            #expect(event.type == "posts.AccountFollowed.v1")
            #expect(event.subject == "\(a.id)-\(b.id)")
            #expect(event.text.contains(#""following_count":1"#))

            let options = #"{"reblogs":false,"notify":true,"languages":["ko","en"]}"#
            let again = try await world.post(path, as: a, json: options)
            #expect(try again.bool("showing_reblogs") == false)
            #expect(try again.bool("notifying") == true)
            #expect(try again.object["languages"] as? [String] == ["ko", "en"])
            let unchanged = try await world.post(path, as: a)
            #expect(unchanged.body == again.body)
            #expect(try await world.counts(b) == [1, 0])
            #expect(try await world.events().count == 3)

            let back = try await world.post("/api/v1/accounts/\(a.id)/follow", as: b)
            #expect(try back.bool("followed_by") == true)
            #expect(try await world.counts(a) == [1, 1])

            let end = try await world.post("/api/v1/accounts/\(b.id)/unfollow", as: a)
            #expect(try end.bool("following") == false)
            #expect(try end.bool("showing_reblogs") == false)
            #expect(try end.bool("followed_by") == true)
            #expect(try await world.post("/api/v1/accounts/\(b.id)/unfollow", as: a).code == 200)
            #expect(try await world.counts(a) == [1, 0])
            #expect(try await world.counts(b) == [0, 1])
            let types = try await world.events().map(\.type)
            #expect(types.filter { $0 == "posts.AccountUnfollowed.v1" }.count == 1)
        }
    }

    @Test func whomNobodyCanFollow() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            #expect(try await world.post("/api/v1/accounts/\(a.id)/follow", as: a).code == 403)
            for action in ["follow", "unfollow", "block", "unblock", "mute", "unmute", "note", "remove_from_followers"]
            {
                for id in ["1", "9223372036854775807", "99999999999999999999", "x", "-5"] {
                    let answer = try await world.post("/api/v1/accounts/\(id)/\(action)", as: a)
                    #expect(answer.code == 404, "\(action) \(id): \(answer.text)")
                }
            }
            #expect(try await world.post("/api/v1/accounts/\(a.id)/block", as: b).code == 200)
            #expect(try await world.post("/api/v1/accounts/\(b.id)/follow", as: a).code == 403)
            #expect(try await world.post("/api/v1/accounts/\(a.id)/follow", as: b).code == 403)
            let languages = try await world.post(
                "/api/v1/accounts/\(b.id)/follow",
                as: a,
                json: #"{"languages":["not a language"]}"#
            )
            #expect(languages.code == 422)
        }
    }

    @Test func aLockedAccountIsAsked() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            let c = try await world.person("c")
            _ = try await world.send(
                .patch,
                "/api/v1/accounts/update_credentials",
                as: b,
                type: "application/json",
                body: #"{"locked":true}"#
            )
            let asked = try await world.post("/api/v1/accounts/\(b.id)/follow", as: a, form: "reblogs=false")
            #expect(try asked.bool("requested") == true)
            #expect(try asked.bool("following") == false)
            #expect(try asked.bool("showing_reblogs") == false)
            _ = try await world.post("/api/v1/accounts/\(b.id)/follow", as: a)
            _ = try await world.post("/api/v1/accounts/\(b.id)/follow", as: c)
            #expect(try await world.counts(b) == [0, 0])

            let requests = try await world.get("/api/v1/follow_requests", as: b)
            #expect(try requests.names() == ["c", "a"])
            let own = try await world.get("/api/v1/accounts/verify_credentials", as: b).object
            #expect((own["source"] as? [String: Any])?["follow_requests_count"] as? Int == 2)
            let seen = try await world.get("/api/v1/accounts/relationships?id[]=\(a.id)", as: b).list
            #expect(seen.first?["requested_by"] as? Bool == true)

            let granted = try await world.post("/api/v1/follow_requests/\(a.id)/authorize", as: b)
            #expect(granted.code == 200)
            #expect(try granted.bool("followed_by") == true)
            #expect(try await world.counts(b) == [1, 0])
            let relationship = try await world.get("/api/v1/accounts/relationships?id=\(b.id)", as: a).list
            #expect(relationship.first?["following"] as? Bool == true)
            #expect(relationship.first?["showing_reblogs"] as? Bool == false)
            let refused = try await world.post("/api/v1/follow_requests/\(c.id)/reject", as: b)
            #expect(try refused.bool("requested_by") == false)
            #expect(try await world.post("/api/v1/follow_requests/\(c.id)/authorize", as: b).code == 404)
            #expect(try await world.post("/api/v1/follow_requests/\(c.id)/reject", as: b).code == 404)
            #expect(try await world.get("/api/v1/follow_requests", as: b).text == "[]")

            _ = try await world.post("/api/v1/accounts/\(b.id)/follow", as: c)
            _ = try await world.post("/api/v1/accounts/\(b.id)/unfollow", as: c)
            let types = try await world.events().map(\.type).filter { !$0.contains("ProfileUpdated") }
            #expect(
                types == [
                    "posts.FollowRequested.v1", "posts.FollowRequested.v1", "posts.FollowRequestClosed.v1",
                    "posts.AccountFollowed.v1", "posts.FollowRequestClosed.v1", "posts.FollowRequested.v1",
                    "posts.FollowRequestClosed.v1",
                ]
            )
        }
    }

    @Test func removingAFollower() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            _ = try await world.post("/api/v1/accounts/\(b.id)/follow", as: a)
            let answer = try await world.post("/api/v1/accounts/\(a.id)/remove_from_followers", as: b)
            #expect(try answer.bool("followed_by") == false)
            #expect(try await world.counts(b) == [0, 0])
            #expect(try await world.events().last?.subject == "\(a.id)-\(b.id)")
        }
    }

    @Test func listsArePagedByTheirEntries() async throws {
        try await GraphWorld.run { world in
            let star = try await world.person("star")
            var names: [String] = []
            for number in 1...5 {
                let fan = try await world.person("fan\(number)")
                _ = try await world.post("/api/v1/accounts/\(star.id)/follow", as: fan)
                names.insert("fan\(number)", at: 0)
            }
            let path = "/api/v1/accounts/\(star.id)/followers"
            #expect(try await world.get(path).names() == names)
            var seen: [String] = []
            var next: String? = "\(path)?limit=2"
            var first: Answer?
            while let page = next {
                let answer = try await world.get(page)
                if first == nil { first = answer }
                seen += try answer.names()
                next = answer.link("next")
                if try answer.list.isEmpty { break }
            }
            #expect(seen == names)
            let oldest = try await world.get("\(path)?limit=2&min_id=0")
            #expect(try oldest.names() == ["fan2", "fan1"])
            let forward = try await world.get(try #require(oldest.link("prev")))
            #expect(try forward.names() == ["fan4", "fan3"])
            let newer = try await world.get(try #require(first?.link("prev")))
            #expect(try newer.names() == [])
            #expect(try await world.get("\(path)?limit=100000").names().count == 5)
            #expect(try await world.get("/api/v1/accounts/1/followers").code == 404)
            for cursor in ["max_id=abc", "min_id=-1", "since_id=99999999999999999999", "limit=x"] {
                #expect(try await world.get("\(path)?\(cursor)").code == 400, "\(cursor)")
            }
            let fan = try await world.get("/api/v1/accounts/lookup?acct=fan3").string("id")
            #expect(try await world.get("/api/v1/accounts/\(fan ?? "")/following").names() == ["star"])
        }
    }

    @Test func familiarFollowersAreThoseOneFollows() async throws {
        try await GraphWorld.run { world in
            let me = try await world.person("me")
            let friend = try await world.person("friend")
            let other = try await world.person("other")
            let star = try await world.person("star")
            for (follower, followee) in [(me, friend), (friend, star), (other, star)] {
                _ = try await world.post("/api/v1/accounts/\(followee.id)/follow", as: follower)
            }
            let path = "/api/v1/accounts/familiar_followers?id[]=\(star.id)&id[]=\(other.id)"
            let list = try await world.get(path, as: me).list
            #expect(list.compactMap { $0["id"] as? String } == [star.id.description, other.id.description])
            let accounts = list.map { ($0["accounts"] as? [[String: Any]])?.compactMap { $0["username"] as? String } }
            #expect(accounts == [["friend"], []])
        }
    }
}

extension Answer {
    /// The path and query of a link of the `Link` header.
    func link(_ rel: String) -> String? {
        guard let name = HTTPField.Name("Link"), let value = headers[name] else { return nil }
        for link in value.components(separatedBy: ", ") where link.hasSuffix("rel=\"\(rel)\"") {
            guard let start = link.range(of: "https://madang.example"), let end = link.range(of: ">") else {
                return nil
            }
            return String(link[start.upperBound..<end.lowerBound])
        }
        return nil
    }
}
