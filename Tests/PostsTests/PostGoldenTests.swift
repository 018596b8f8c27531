// SPDX-License-Identifier: Apache-2.0
// Whole exchanges with posts, as they were agreed on.

import Domain
import Foundation
import HTTPTypes
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct PostGoldenTests {
    @Test func accountsAndTheGraph() async throws {
        try await GraphWorld.run { world in
            var record = Exchanges(world: world)
            try await accounts(&record)
            let routes = (Routes.accounts + Routes.graph).filter { !$0.path.hasPrefix("/internal/") }
            #expect(record.asked == Set(routes.map { "\($0.method) \($0.path)" }))
            try expectGolden("posts/accounts", record.text)
        }
    }

    private func accounts(_ record: inout Exchanges) async throws {
        let mina = try await record.world.person("mina")
        let jun = try await record.world.person("jun")
        let all = "/api/v1/accounts"
        let one = "\(all)/:id"
        let (minas, juns) = (mina.id.description, jun.id.description)
        let profile = #"{"display_name":"미나","note":"마당에서 <만나요> #hello","locked":true}"#
        try await record.ask(.patch, "\(all)/update_credentials", as: mina, profile)
        try await record.ask(.patch, "\(all)/update_credentials", as: mina, #"{"locked":"perhaps"}"#)
        try await record.ask(.get, "\(all)/verify_credentials", as: mina)
        try await record.ask(.get, "\(all)/verify_credentials", as: nil)
        try await record.ask(.delete, "/api/v1/profile/avatar", as: mina)
        try await record.ask(.delete, "/api/v1/profile/header", as: mina)
        try await record.ask(.get, "/api/v1/preferences", as: mina)
        try await record.ask(.get, all, query: "id[]=\(minas)&id[]=\(juns)", as: nil)
        try await record.ask(.get, "\(all)/lookup", query: "acct=mina", as: nil)
        try await record.ask(.get, one, minas, as: nil)
        try await record.ask(.get, one, "1", as: nil)
        try await record.ask(.post, "\(one)/follow", minas, as: jun, #"{"reblogs":false}"#)
        try await record.ask(.get, "/api/v1/follow_requests", as: mina)
        try await record.ask(.post, "/api/v1/follow_requests/:id/authorize", juns, as: mina)
        try await record.ask(.get, "\(one)/followers", minas, as: nil)
        try await record.ask(.get, "\(one)/following", juns, as: nil)
        try await record.ask(.get, "\(all)/relationships", query: "id[]=\(minas)", as: jun)
        try await record.ask(.get, "\(all)/familiar_followers", query: "id[]=\(minas)", as: jun)
        try await record.ask(.post, "\(one)/note", minas, as: jun, #"{"comment":"a friend"}"#)
        try await record.ask(.post, "\(one)/mute", minas, as: jun, #"{"duration":0}"#)
        try await record.ask(.get, "/api/v1/mutes", as: jun)
        try await record.ask(.post, "\(one)/unmute", minas, as: jun)
        try await record.ask(.post, "\(one)/remove_from_followers", juns, as: mina)
        try await record.ask(.post, "\(one)/follow", minas, as: jun)
        try await record.ask(.post, "/api/v1/follow_requests/:id/reject", juns, as: mina)
        try await record.ask(.post, "\(one)/unfollow", minas, as: jun)
        try await record.ask(.post, "\(one)/block", juns, as: mina)
        try await record.ask(.get, "/api/v1/blocks", as: mina)
        try await record.ask(.post, "\(one)/follow", minas, as: jun)
        try await record.ask(.post, "\(one)/unblock", juns, as: mina)
    }

    @Test func postsAndTimelines() async throws {
        try await GraphWorld.run { world in
            var record = Exchanges(world: world)
            try await posts(&record)
            let routes = Routes.posts + Routes.timelines
            #expect(record.asked == Set(routes.map { "\($0.method) \($0.path)" }))
            try expectGolden("posts/posts", record.text)
        }
    }

    private func posts(_ record: inout Exchanges) async throws {
        let mina = try await record.world.person("mina")
        let jun = try await record.world.person("jun")
        try await record.world.follow(mina, as: jun)
        let all = "/api/v1/statuses"
        let one = "\(all)/:id"
        let draft = #"{"status":"첫 글! #hello @jun https://madang.example","language":"ko"}"#
        let post = try #require(try await record.ask(.post, all, as: mina, draft).string("id"))
        try await record.ask(.post, all, as: mina, #"{"status":" "}"#)
        let answer = #"{"status":"@mina 반가워요","in_reply_to_id":"\#(post)","spoiler_text":"hi"}"#
        let reply = try #require(try await record.ask(.post, all, as: jun, answer).string("id"))
        try await record.world.fanOut()
        try await record.ask(.get, all, query: "id[]=\(post)&id[]=\(reply)", as: nil)
        try await record.ask(.get, one, post, as: nil)
        try await record.ask(.get, one, "1", as: mina)
        try await record.ask(.put, one, post, as: mina, #"{"status":"고친 글 #hello"}"#)
        try await record.ask(.put, one, post, as: jun, #"{"status":"mine"}"#)
        try await record.ask(.get, "\(one)/history", post, as: nil)
        try await record.ask(.get, "\(one)/source", post, as: mina)
        try await record.ask(.get, "\(one)/context", post, as: nil)
        for action in ["favourite", "reblog", "bookmark", "mute"] {
            try await record.ask(.post, "\(one)/\(action)", post, as: jun)
        }
        try await record.world.fanOut()
        try await record.ask(.get, "\(one)/favourited_by", post, as: nil)
        try await record.ask(.get, "\(one)/reblogged_by", post, as: nil)
        try await record.ask(.get, "/api/v1/timelines/home", as: jun)
        try await record.ask(.get, "/api/v1/timelines/public", query: "limit=1", as: nil)
        try await record.ask(.get, "/api/v1/timelines/tag/:hashtag", "hello", as: nil)
        try await record.ask(.get, "/api/v1/accounts/:id/statuses", mina.id.description, as: nil)
        try await record.ask(.get, "/api/v1/favourites", as: jun)
        let favourites = "/api/v1/accounts/:id/favourites"
        try await record.ask(.get, favourites, jun.id.description, as: nil)
        let profile = "/api/v1/accounts/update_credentials"
        let json = #"{"show_favourites":true}"#
        _ = try await record.world.send(.patch, profile, as: jun, type: "application/json", body: json)
        try await record.ask(.get, favourites, jun.id.description, as: nil)
        try await record.ask(.get, "/api/v1/bookmarks", as: jun)
        for action in ["unfavourite", "unreblog", "unbookmark", "unmute"] {
            try await record.ask(.post, "\(one)/\(action)", post, as: jun)
        }
        try await record.ask(.post, "\(one)/pin", post, as: mina)
        try await record.ask(.post, "\(one)/unpin", post, as: mina)
        try await record.ask(.delete, one, post, as: jun)
        try await record.ask(.delete, one, post, as: mina)
        try await record.ask(.get, one, post, as: mina)
    }

    @Test func conversations() async throws {
        try await GraphWorld.run { world in
            var record = Exchanges(world: world)
            let mina = try await world.person("mina")
            let jun = try await world.person("jun")
            let all = "/api/v1/conversations"
            let draft = #"{"status":"@jun 비밀","visibility":"direct"}"#
            try await record.ask(.post, "/api/v1/statuses", as: mina, draft)
            try await world.fanOut()
            try await record.ask(.get, all, as: mina)
            let id = try #require(try await record.ask(.get, all, as: jun).list.first?["id"] as? String)
            try await record.ask(.post, "\(all)/:id/read", id, as: jun)
            try await record.ask(.post, "\(all)/:id/unread", id, as: jun)
            try await record.ask(.post, "\(all)/:id/read", id, as: mina)
            try await record.ask(.delete, "\(all)/:id", id, as: jun)
            try await record.ask(.get, all, query: "limit=1", as: jun)
            try await record.ask(.get, all, as: nil)
            #expect(record.asked.isSuperset(of: Routes.conversations.map { "\($0.method) \($0.path)" }))
            try expectGolden("posts/conversations", record.text)
        }
    }

    @Test func whatIsEmptyHere() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            var record = Exchanges(world: world)
            for route in Routes.emptyLists {
                try await record.ask(route.method, route.path, mina.id.description, as: mina)
            }
            try expectGolden("posts/empty", record.text)
        }
    }
}
