// SPDX-License-Identifier: Apache-2.0
// Whole exchanges about messages, direct channels and reading, as they were agreed on.

import Domain
import Foundation
import HTTPTypes
import Support
import Surface
import Testing
import Web

@testable import ChatService

@Suite struct MessageGoldenTests {
    @Test func messagesAndReading() async throws {
        try await ChatWorld.run { world in
            var record = Record(world: world)
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            try await direct(&record, ann, bo)
            let routes = Routes.directChannels + Routes.messages + Routes.reading
            #expect(record.asked == Set(routes.map { "\($0.method) \($0.path)" }))
            try expectGolden("chat/messages", record.text)
        }
    }

    private func direct(_ record: inout Record, _ ann: Somebody, _ bo: Somebody) async throws {
        let all = "/api/v1/direct_channels"
        let one = "/api/v1/channels/:id"
        let opened = try await record.ask(.post, all, as: ann, #"{"account_ids":["\#(bo.id)"]}"#)
        let id = ["id": try #require(try opened.string("id"))]
        try await record.ask(.post, all, as: ann, #"{"account_ids":["\#(bo.id)"]}"#)
        try await record.ask(.post, all, as: ann, #"{"account_ids":[]}"#)
        try await record.ask(.get, "\(all)/requests", as: bo)
        try await record.ask(.post, "\(one)/decline", id, as: bo)
        try await record.ask(.post, "\(one)/accept", id, as: bo)
        try await record.ask(.get, all, as: bo)
        try await messages(&record, id, ann, bo)
        try await record.ask(.post, "\(one)/read", id, as: bo, #"{"seq":1}"#)
        try await record.ask(.post, "\(one)/read", id, as: bo, #"{"seq":-1}"#)
        try await record.ask(.get, "\(one)/unread", id, as: bo)
        try await record.ask(.post, "\(one)/unread", id, as: bo, #"{"seq":1}"#)
        try await record.ask(.get, "/api/v1/conversations-overview", as: bo)
    }

    private func messages(
        _ record: inout Record,
        _ channel: [String: String],
        _ ann: Somebody,
        _ bo: Somebody
    ) async throws {
        let list = "/api/v1/channels/:id/messages"
        let one = "/api/v1/messages/:id"
        let text = #"{"text":"@bo 안녕","language":"ko","client_id":"c-1"}"#
        let sent = try await record.ask(.post, list, channel, as: ann, text)
        try await record.ask(.post, list, channel, as: ann, text)
        try await record.ask(.post, list, channel, as: ann, #"{"text":"another","client_id":"c-1"}"#)
        try await record.ask(.post, list, channel, as: ann, #"{"text":" "}"#)
        let id = ["id": try #require(try sent.string("id"))]
        let gif =
            #"{"id":"g1","url":"https://gifs.example/g1.gif","preview_url":"https://gifs.example/g1-s.gif","#
            + #""width":320,"height":240,"title":"hi"}"#
        let answer = #"{"text":"hi","thread_id":"\#(try #require(id["id"]))","gif":\#(gif)}"#
        let replied = try await record.ask(.post, list, channel, as: bo, answer)
        let reply = ["id": try #require(try replied.string("id"))]
        try await record.ask(.get, "\(one)/thread", id, as: ann)
        try await record.ask(.patch, one, id, as: ann, #"{"text":"@bo 안녕하세요"}"#)
        try await record.ask(.patch, one, id, as: bo, #"{"text":"mine"}"#)
        let thumb = id.merging(["emoji": "%F0%9F%91%8D"]) { $1 }
        try await record.ask(.put, "\(one)/reactions/:emoji", thumb, as: bo)
        try await record.ask(.get, "\(one)/reactions", id, as: ann)
        try await record.ask(.get, one, id, as: bo)
        try await record.ask(.delete, "\(one)/reactions/:emoji", thumb, as: bo)
        try await record.ask(.post, "\(one)/pin", id, as: bo)
        try await record.ask(.get, "/api/v1/channels/:id/pins", channel, as: ann)
        try await record.ask(.post, "\(one)/unpin", id, as: bo)
        try await record.ask(.delete, one, reply, as: ann)
        try await record.ask(.delete, one, reply, as: bo)
        try await record.ask(.get, list, channel, query: "limit=1", as: ann)
        try await record.ask(.get, list, channel, query: "after_seq=-1", as: ann)
    }
}
