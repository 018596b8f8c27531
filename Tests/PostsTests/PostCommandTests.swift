// SPDX-License-Identifier: Apache-2.0
// Writing, reading, editing and deleting posts, request by request.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct PostCommandTests {
    @Test func aPostIsAnsweredReadAndTold() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let created = try await world.publish(
                "Hi @bob and @nobody, #Swift is fun",
                as: ann,
                ["visibility": "public", "language": "en"]
            )
            #expect(created.code == 200)
            let id = try #require(try created.string("id"))
            #expect(try created.string("visibility") == "public")
            #expect(try created.string("language") == "en")
            #expect(try created.string("created_at") == "2026-01-02T03:04:05.678Z")
            #expect(try created.string("content")?.contains("u-url mention") == true)
            let mentions = try #require(try created.object["mentions"] as? [[String: Any]])
            #expect(mentions.compactMap { $0["id"] as? String } == [bob.id.description])
            let tags = try #require(try created.object["tags"] as? [[String: Any]])
            #expect(tags.compactMap { $0["name"] as? String } == ["swift"])
            let account = try #require(try created.object["account"] as? [String: Any])
            #expect(account["statuses_count"] as? Int == 1)
            #expect(try #require(try created.object["application"] as? [String: Any])["name"] as? String == "Test")

            let read = try await world.get("/api/v1/statuses/\(id)", as: ann)
            #expect(read.text == created.text, "the answer to writing is the answer to reading")
            let anonymous = try await world.get("/api/v1/statuses/\(id)").object
            #expect(anonymous["favourited"] == nil)
            #expect(
                try await world.events().map(\.type).filter { $0.hasPrefix("posts.Post") } == ["posts.PostCreated.v1"]
            )
        }
    }

    @Test func aReplyCountsForItsParentAndIsToldAsReply() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let parent = try await world.write("question", as: ann)
            let reply = try await world.write("answer", as: bob, ["in_reply_to_id": parent])
            try await world.write("quiet answer", as: bob, ["in_reply_to_id": parent, "visibility": "direct"])
            let shown = try await world.status(reply)
            #expect(shown["in_reply_to_id"] as? String == parent)
            #expect(shown["in_reply_to_account_id"] as? String == ann.id.description)
            #expect(try await world.status(parent)["replies_count"] as? Int == 1)
            #expect(try await world.events().filter { $0.type == "posts.ReplyCreated.v1" }.count == 2)
            let missing = try await world.publish("x", as: bob, ["in_reply_to_id": "123"])
            #expect(missing.code == 404)
            let counted = try await world.number("SELECT posts_count FROM accounts WHERE id = \(bob.id)")
            #expect(counted == 1, "a direct post and a refused one are not counted")
        }
    }

    @Test func anEditKeepsWhatWas() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let id = try await world.write("first #one", as: ann)
            let unedited = try await world.get("/api/v1/statuses/\(id)/history", as: bob).list
            #expect(unedited.count == 1)
            world.clock.advance(.seconds(60))
            let path = "/api/v1/statuses/\(id)"
            let form = "application/x-www-form-urlencoded"
            let same = try await world.send(.put, path, as: ann, type: form, body: "status=first%20%23one")
            #expect(same.code == 200)
            #expect(try same.object["edited_at"] is NSNull, "nothing changed, nothing happened")
            let edited = try await world.send(
                .put,
                path,
                as: ann,
                type: form,
                body: "status=second%20%40bob%20%23two&spoiler_text=cw"
            )
            #expect(edited.code == 200)
            #expect(try edited.string("edited_at") == "2026-01-02T03:05:05.678Z")
            #expect(try edited.bool("sensitive") == true)
            world.clock.advance(.seconds(60))
            _ = try await world.send(.put, path, as: ann, type: form, body: "status=third&spoiler_text=")
            let history = try await world.get("\(path)/history", as: bob).list
            #expect(history.count == 3)
            #expect(history.compactMap { $0["spoiler_text"] as? String } == ["", "cw", ""])
            #expect(history.compactMap { $0["created_at"] as? String }.sorted().count == 3)
            let source = try await world.get("\(path)/source", as: ann)
            #expect(source.text == #"{"id":"\#(id)","text":"third","spoiler_text":""}"#)
            #expect(try await world.ids("/api/v1/timelines/tag/one").isEmpty)
            #expect(try await world.ids("/api/v1/timelines/tag/two").isEmpty)
            #expect(try await world.events().filter { $0.type == "posts.PostEdited.v1" }.count == 2)
            #expect(try await world.send(.put, path, as: bob, type: form, body: "status=mine").code == 404)
            #expect(try await world.send(.put, path, as: ann, type: form, body: "status=%20").code == 422)
        }
    }

    @Test func aDeletedPostIsGoneWithItsBoosts() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let parent = try await world.write("parent", as: bob)
            let id = try await world.write("to be gone #bye", as: ann, ["in_reply_to_id": parent])
            let boost = try #require(try await world.act("reblog", on: id, as: bob).string("id"))
            let path = "/api/v1/statuses/\(id)"
            #expect(try await world.send(.delete, path, as: bob).code == 404)
            let deleted = try await world.send(.delete, path, as: ann)
            #expect(deleted.code == 200)
            #expect(try deleted.string("text") == "to be gone #bye")
            let absent = try await world.get("/api/v1/statuses/1")
            for gone in [id, boost] {
                let answer = try await world.get("/api/v1/statuses/\(gone)", as: ann)
                #expect(answer.code == 404)
                #expect(answer.text == absent.text)
            }
            #expect(try await world.send(.delete, path, as: ann).code == 404)
            #expect(try await world.act("favourite", on: id, as: bob).code == 404)
            #expect(try await world.status(parent)["replies_count"] as? Int == 0)
            #expect(try await world.number("SELECT posts_count FROM accounts WHERE id = \(ann.id)") == 0)
            #expect(try await world.number("SELECT posts_count FROM accounts WHERE id = \(bob.id)") == 1)
            #expect(try await world.number("SELECT count(*) FROM post_tags") == 0)
            let events = try await world.events().filter { $0.type == "posts.PostDeleted.v1" }
            #expect(events.count == 1)
            #expect(events.first?.text.contains(boost) == true)
        }
    }

    @Test func reactionsAreToldOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let id = try await world.write("likeable", as: ann)
            for _ in 0..<2 {
                let liked = try await world.act("favourite", on: id, as: bob)
                #expect(try liked.bool("favourited") == true)
                #expect(try liked.object["favourites_count"] as? Int == 1)
            }
            let boosts = [
                try await world.act("reblog", on: id, as: bob), try await world.act("reblog", on: id, as: bob),
            ]
            #expect(boosts[0].text == boosts[1].text)
            let inner = try #require(try boosts[0].object["reblog"] as? [String: Any])
            #expect(inner["reblogs_count"] as? Int == 1)
            #expect(inner["reblogged"] as? Bool == true)
            let boost = try #require(try boosts[0].string("id"))
            let throughBoost = try await world.act("favourite", on: boost, as: ann)
            #expect(try throughBoost.string("id") == id, "who likes a boost likes the post")
            for _ in 0..<2 {
                let unliked = try await world.act("unfavourite", on: id, as: bob)
                #expect(try unliked.bool("favourited") == false)
                let unboosted = try await world.act("unreblog", on: id, as: bob)
                #expect(try unboosted.object["reblogs_count"] as? Int == 0)
            }
            let told = try await world.events().map(\.type).filter { $0.hasPrefix("posts.Post") }
            #expect(
                told == [
                    "posts.PostCreated.v1", "posts.PostLiked.v1", "posts.PostReposted.v1", "posts.PostLiked.v1",
                    "posts.PostUnliked.v1", "posts.PostUnreposted.v1",
                ]
            )
            #expect(try await world.act("reblog", on: id, as: bob).code == 200, "a boost may be made again")
            #expect(try await world.number("SELECT posts_count FROM accounts WHERE id = \(bob.id)") == 1)
        }
    }

    @Test func bookmarksAndMutedConversationsAreMarked() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("keep", as: ann)
            let reply = try await world.write("more", as: ann, ["in_reply_to_id": id])
            #expect(try await world.act("bookmark", on: id, as: ann).bool("bookmarked") == true)
            #expect(try await world.act("mute", on: reply, as: ann).bool("muted") == true)
            #expect(try await world.status(id, as: ann)["muted"] as? Bool == true)
            #expect(try await world.ids("/api/v1/bookmarks", as: ann) == [id])
            #expect(try await world.act("unbookmark", on: id, as: ann).bool("bookmarked") == false)
            #expect(try await world.act("unmute", on: id, as: ann).bool("muted") == false)
            #expect(try await world.ids("/api/v1/bookmarks", as: ann).isEmpty)
        }
    }

    @Test func severalPostsAtOnceInTheOrderAskedFor() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let one = try await world.write("one", as: ann)
            let secret = try await world.write("secret", as: ann, ["visibility": "direct"])
            let two = try await world.write("two", as: ann)
            let query = "?id[]=\(two)&id[]=\(secret)&id[]=1&id[]=\(one)&id[]=\(two)"
            #expect(try await world.ids("/api/v1/statuses\(query)", as: bob) == [two, one])
            #expect(try await world.ids("/api/v1/statuses\(query)", as: ann) == [two, secret, one])
            #expect(try await world.ids("/api/v1/statuses").isEmpty)
        }
    }

    @Test func whoReactedIsListedAndPaged() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("popular", as: ann)
            var fans: [String] = []
            for number in 0..<5 {
                let fan = try await world.person("fan\(number)")
                fans.append(fan.id.description)
                #expect(try await world.act("favourite", on: id, as: fan).code == 200)
                #expect(try await world.act("reblog", on: id, as: fan).code == 200)
            }
            for list in ["favourited_by", "reblogged_by"] {
                var path: String? = "/api/v1/statuses/\(id)/\(list)?limit=2"
                var seen: [String] = []
                while let next = path {
                    let answer = try await world.get(next)
                    seen += try answer.list.compactMap { $0["id"] as? String }
                    path = try answer.pageLink("next")
                }
                #expect(seen == fans.reversed())
            }
        }
    }
}
