// SPDX-License-Identifier: Apache-2.0
// Sending and reading messages: each route's exchange, and who may.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import ChatService

@Suite struct MessageTests {
    @Test func aMessageIsAnsweredWhole() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            let answer = try await world.say(
                "hello @bo and @nobody",
                in: room,
                as: a,
                ["language": "en", "client_id": "c1"]
            )
            #expect(answer.code == 201)
            let id = try #require(try answer.string("id"))
            let playground = try #require(try answer.string("playground_id"))
            let person =
                #"{"id":"\#(a.id)","username":"ann","acct":"ann","display_name":"","avatar":"https://madang.example/assets/avatar.png","url":"https://madang.example/@ann"}"#
            let expected =
                #"{"id":"\#(id)","channel_id":"\#(room)","playground_id":"\#(playground)","channel_type":"public","seq":1,"change":1,"#
                + #""account":\#(person),"text":"hello @bo and @nobody","language":"en","attachments":[],"gif":null,"card":null,"reply_to_id":null,"#
                + #""thread_id":null,"thread":null,"reactions":[],"mentions":[{"id": "\#(b.id)", "username": "bo"}],"wide_mention":null,"#
                + #""client_id":"c1","pinned_at":null,"pinned_by":null,"created_at":"2026-01-02T03:04:05.678Z","edited_at":null,"deleted_at":null}"#
            #expect(answer.text == expected)
            // What is read later, and what sockets are told, is the same to the byte.
            #expect(try await world.get("/api/v1/messages/\(id)", as: b).text == expected)
            #expect(try await world.get("/api/v1/channels/\(room)/messages", as: b).text == "[\(expected)]")
            let update = try #require(try await world.updates().last)
            #expect(update.event == "message")
            #expect(update.text == expected)
            #expect(update.seq == 1)
            #expect(update.channelID?.description == room)
        }
    }

    @Test func sendingTellsOthers() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            let room = try await world.room([a, b, c])
            try await world.said("hi @bo @bo @ann", in: room, as: a)
            #expect(try await world.news(after: 0) == ["MessageSent", "MentionRaised"])
            let sent = try #require(try await world.recorded(MessageSent.self).first)
            #expect(sent.message.mentions.map(\.id) == [b.id, a.id])
            #expect(sent.recipientIDs.isEmpty)
            let raised = try #require(try await world.recorded(MentionRaised.self).first)
            #expect(raised.mentionedIDs == [b.id])
            try await world.said("all of you: @channel", in: room, as: b)
            let wide = try #require(try await world.recorded(MentionRaised.self).last)
            #expect(wide.mentionedIDs == [a.id, c.id])
            #expect(wide.message.wideMention == .channel)
            try await world.said("@here @cy", in: room, as: b)
            let here = try #require(try await world.recorded(MentionRaised.self).last)
            #expect(here.mentionedIDs == [c.id])
            #expect(here.mentionedIfConnectedIDs == [a.id])
        }
    }

    @Test func theLargestMessageToTheLargestChannelIsTold() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let channel = try #require(ChannelID(room))
            _ = try await world.database.query(
                """
                INSERT INTO channel_members (channel_id, account_id, role, joined_at, version)
                SELECT \(channel), 1000000000000000000 + n, 'member', now(), 1 FROM generate_series(1, 1200) n
                """
            )
            let text = "@channel " + String(repeating: "\"", count: 3991)
            try await world.said(text, in: room, as: a)
            let raised = try await world.recorded(MentionRaised.self)
            #expect(raised.map(\.mentionedIDs.count) == [500, 500, 200])
            #expect(Set(raised.flatMap(\.mentionedIDs)).count == 1200)
            let more = "@here " + String(repeating: "👩‍👩‍👧", count: 1300)
            try await world.said(more, in: room, as: a)
            #expect(try await world.recorded(MentionRaised.self).count == 6)
        }
    }

    @Test func levelsMutesAndBlocksAreRespected() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            let d = try await world.person("di")
            let room = try await world.room([a, b, c, d])
            let now = world.dependencies.now()
            _ = try await world.database.query("UPDATE channel_members SET notify = 'none' WHERE account_id = \(b.id)")
            _ = try await world.database.query(
                "UPDATE channel_members SET muted_until = \(now + .seconds(60)) WHERE account_id = \(c.id)"
            )
            try await world.block(d, a, version: 1)
            try await world.said("@channel @bo @cy @di", in: room, as: a)
            #expect(try await world.recorded(MentionRaised.self).isEmpty)
            world.clock.advance(.seconds(61))
            try await world.said("@channel", in: room, as: a)
            #expect(try await world.recorded(MentionRaised.self).last?.mentionedIDs == [c.id])
        }
    }

    @Test func aRetryIsTheSameMessage() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let first = try await world.say("once", in: room, as: a, ["client_id": "k"])
            let again = try await world.say("once", in: room, as: a, ["client_id": "k"])
            #expect(first.code == 201)
            #expect(again.code == 200)
            #expect(first.text == again.text)
            let id = try #require(try first.string("id"))
            #expect(try await world.patch("/api/v1/messages/\(id)", as: a, ["text": "edited"]).code == 200)
            // The retry is still the same wish, whatever became of the message.
            #expect(try await world.say("once", in: room, as: a, ["client_id": "k"]).string("text") == "edited")
            let other = try await world.say("twice", in: room, as: a, ["client_id": "k"])
            #expect(other.code == 409)
            #expect(try other.string("code") == "client-id-reused")
            #expect(try await world.texts(room, as: a) == ["edited"])
            let header = HTTPField.Name.own("Idempotency-Key")
            for _ in 0..<2 {
                let answer = try await world.send(
                    .post,
                    "/api/v1/channels/\(room)/messages",
                    as: a,
                    type: "application/json",
                    body: #"{"text":"by header"}"#,
                    headers: [header: "h"]
                )
                #expect(try answer.string("client_id") == "h")
            }
            #expect(try await world.texts(room, as: a) == ["by header", "edited"])
        }
    }

    @Test func historyIsPagedBySeqTimeAndChange() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            var ids: [String] = []
            for index in 1...6 {
                world.clock.advance(.seconds(1))
                ids.append(try await world.said("m\(index)", in: room, as: a))
            }
            #expect(try await world.texts(room, as: a) == ["m6", "m5", "m4", "m3", "m2", "m1"])
            #expect(try await world.texts(room, "?before_seq=4&limit=2", as: a) == ["m3", "m2"])
            #expect(try await world.texts(room, "?after_seq=2&limit=3", as: a) == ["m3", "m4", "m5"])
            #expect(try await world.texts(room, "?after_seq=2&before_seq=4", as: a) == ["m3"])
            #expect(try await world.texts(room, "?after_seq=6", as: a) == [])
            #expect(try await world.texts(room, "?limit=100000", as: a).count == 6)
            #expect(try await world.texts(room, "?before=2026-01-02T03:04:08.678Z", as: a) == ["m2", "m1"])
            #expect(try await world.texts(room, "?after=2026-01-02T03:04:10.678Z", as: a) == ["m6"])
            #expect(try await world.texts(room, "?after=2026-01-02T12:04:10.678%2B09:00", as: a) == ["m6"])
            #expect(
                try await world.texts(room, "?after=2026-01-02T03:04:06.678Z&before=2026-01-02T03:04:09Z", as: a)
                    == ["m2", "m3"]
            )
            _ = try await world.patch("/api/v1/messages/\(ids[0])", as: a, ["text": "m1 edited"])
            _ = try await world.delete("/api/v1/messages/\(ids[2])", as: a)
            #expect(try await world.texts(room, "?after_change=6", as: a) == ["m1 edited", ""])
            #expect(try await world.texts(room, "?after_change=7", as: a) == [""])
            let page = try await world.get("/api/v1/channels/\(room)/messages?limit=2", as: a)
            let next = try #require(try page.pageLink("next"))
            #expect(try await world.get(next, as: a).strings("text") == ["m4", ""])
            let previous = try #require(try await world.get(next, as: a).pageLink("prev"))
            #expect(try await world.get(previous, as: a).strings("text") == ["m5", "m6"])
        }
    }

    @Test func badInputIsRefused() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let path = "/api/v1/channels/\(room)/messages"
            for query in [
                "before_seq=-1", "after_seq=-5", "before_seq=99999999999999999999", "after_seq=x", "after_change=-1",
                "limit=0", "limit=-3", "limit=999999999999999999999", "before=yesterday", "after=2026-13-01T00:00:00Z",
            ] {
                #expect(try await world.get("\(path)?\(query)", as: a).code == 422, "\(query)")
            }
            for seq in ["-1", "0", "99999999999999999999", "9223372036854775807", "two"] {
                #expect(try await world.post("/api/v1/channels/\(room)/unread?seq=\(seq)", as: a).code == 422, "\(seq)")
            }
            #expect(try await world.post("/api/v1/channels/\(room)/read?seq=-1", as: a).code == 422)
            #expect(try await world.post("/api/v1/channels/\(room)/read?seq=9223372036854775807", as: a).code == 200)
            let wishes: [[String: any Sendable]] = [
                ["text": ""], ["text": "  \n"], ["text": String(repeating: "가", count: 4001)],
                ["text": String(repeating: "👨‍👩‍👧‍👦", count: 4000)], ["text": "x", "attachment_ids": ["x"]],
                ["text": "x", "attachment_ids": (1...11).map(String.init)], ["text": "x", "attachment_ids": ["1"]],
                ["text": "x", "reply_to_id": "1"], ["text": "x", "thread_id": "1"],
                ["text": "x", "language": "english"],
                ["text": "x", "client_id": String(repeating: "k", count: 129)], ["text": "x", "gif": ["id": "1"]],
                [
                    "text": "x",
                    "gif": ["id": "1", "url": "javascript:alert(1)", "width": 1, "height": 1] as [String: any Sendable],
                ],
            ]
            for wish in wishes {
                #expect(try await world.post(path, as: a, wish).code == 422, "\(wish)")
            }
            #expect(try await world.post(path, as: a, ["text": String(repeating: "가", count: 4000)]).code == 201)
            for id in ["0", "x", "99999999999999999999", "1"] {
                #expect(try await world.get("/api/v1/messages/\(id)", as: a).code == 404, "\(id)")
                #expect(try await world.post("/api/v1/channels/\(id)/messages", as: a, ["text": "x"]).code == 404)
            }
            let multipart =
                "--B\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\nhi\r\n--B\r\n"
                + "Content-Disposition: form-data; name=\"files\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nxx\r\n--B--\r\n"
            let upload = try await world.send(
                .post,
                path,
                as: a,
                type: "multipart/form-data; boundary=B",
                body: multipart
            )
            #expect(upload.code == 422)
            #expect(try upload.string("code") == "uploads-not-available")
        }
    }

    @Test func repliesAndThreadsStayInTheirChannel() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            let elsewhere = try await world.room([a, b])
            let root = try await world.said("root", in: room, as: a)
            #expect(try await world.say("no", in: elsewhere, as: a, ["reply_to_id": root]).code == 422)
            #expect(try await world.say("no", in: elsewhere, as: a, ["thread_id": root]).code == 422)
            #expect(try await world.texts(elsewhere, as: a).isEmpty)
            let reply = try await world.said("one", in: room, as: b, ["thread_id": root, "reply_to_id": root])
            // A reply to a reply belongs to the same thread.
            let second = try await world.say("two", in: room, as: a, ["thread_id": reply])
            #expect(try second.string("thread_id") == root)
            let thread = try await world.get("/api/v1/messages/\(reply)/thread", as: a).object
            #expect((thread["message"] as? [String: Any])?["id"] as? String == root)
            #expect((thread["replies"] as? [[String: Any]])?.compactMap { $0["text"] as? String } == ["one", "two"])
            let counted = try await world.message(root, as: a)["thread"] as? [String: Any]
            #expect(counted?["replies_count"] as? Int == 2)
            _ = try await world.delete("/api/v1/messages/\(reply)", as: b)
            let recounted = try await world.message(root, as: a)["thread"] as? [String: Any]
            #expect(recounted?["replies_count"] as? Int == 1)
            #expect(try await world.say("no", in: room, as: a, ["reply_to_id": reply]).code == 422)
            let page = try await world.get("/api/v1/messages/\(root)/thread?after_seq=2&limit=1", as: b).object
            #expect((page["replies"] as? [[String: Any]])?.compactMap { $0["text"] as? String } == ["two"])
        }
    }

    @Test func editsAndDeletesMoveChange() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            let room = try await world.room([a, b, c])
            let id = try await world.said("hi @bo", in: room, as: b)
            try await world.said("later", in: room, as: c)
            #expect(try await world.patch("/api/v1/messages/\(id)", as: a, ["text": "x"]).code == 403)
            world.clock.advance(.seconds(5))
            let edited = try await world.patch("/api/v1/messages/\(id)", as: b, ["text": "hi @cy", "language": "ko"])
            #expect(edited.code == 200)
            #expect(try edited.int("seq") == 1)
            #expect(try edited.int("change") == 3)
            #expect(try edited.string("edited_at") == "2026-01-02T03:04:10.678Z")
            #expect(try await world.told("message:edited").last?["text"] as? String == "hi @cy")
            #expect(try await world.unread(room, as: c) == [0, 0])
            // The same again is nothing new.
            #expect(try await world.patch("/api/v1/messages/\(id)", as: b, ["text": "hi @cy"]).int("change") == 3)
            #expect(try await world.patch("/api/v1/messages/\(id)", as: b, ["text": " "]).code == 422)
            _ = try await world.put("/api/v1/messages/\(id)/reactions/👍", as: a)
            #expect(try await world.delete("/api/v1/messages/\(id)", as: c).code == 403)
            let deleted = try await world.delete("/api/v1/messages/\(id)", as: a)
            #expect(deleted.code == 200)
            #expect(try deleted.string("text") == "")
            #expect(try deleted.object["reactions"] as? [String] == [])
            #expect(try deleted.string("deleted_at") != nil)
            #expect(try deleted.int("change") == 5)
            #expect(try await world.delete("/api/v1/messages/\(id)", as: b).int("change") == 5)
            #expect(try await world.patch("/api/v1/messages/\(id)", as: b, ["text": "back"]).code == 404)
            #expect(try await world.put("/api/v1/messages/\(id)/reactions/👍", as: a).code == 404)
            #expect(try await world.told("message:deleted").count == 1)
            #expect(
                try await world.news(after: 0) == [
                    "MessageSent", "MessageSent", "MessageEdited", "MessageReacted", "MessageDeleted",
                ]
            )
            let last = try #require(try await world.recorded(MessageDeleted.self).last)
            #expect(last.actorID == a.id)
            #expect(last.authorID == b.id)
        }
    }

    @Test func reactionsAreCountedOnce() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            let id = try await world.said("hi", in: room, as: a)
            let path = "/api/v1/messages/\(id)/reactions"
            for _ in 0..<2 { #expect(try await world.put("\(path)/%F0%9F%91%8D", as: a).code == 200) }
            world.clock.advance(.seconds(1))
            _ = try await world.put("\(path)/👍", as: b)
            let after = try await world.put("\(path)/❤️", as: b)
            #expect(try after.int("change") == 4)
            let reactions = try #require(try after.object["reactions"] as? [[String: Any]])
            #expect(reactions.map { $0["emoji"] as? String } == ["👍", "❤️"])
            #expect(reactions.first?["count"] as? Int == 2)
            #expect(reactions.first?["account_ids"] as? [String] == [a.id.description, b.id.description])
            let told = try await world.told("reaction")
            #expect(told.count == 3)
            #expect(told.last?["added"] as? Bool == true)
            #expect(told.last?["seq"] as? Int == 1)
            let list = try await world.get(path, as: b).list
            #expect(
                (list.first?["accounts"] as? [[String: Any]])?.compactMap { $0["username"] as? String } == [
                    "ann", "bo",
                ]
            )
            for _ in 0..<2 { #expect(try await world.delete("\(path)/👍", as: a).int("change") == 5) }
            for bad in ["x", "1", "👍👍", "%20", "thumbsup", "#"] {
                let encoded = bad.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? bad
                #expect(try await world.put("\(path)/\(encoded)", as: a).code == 422, "\(bad)")
            }
            #expect(try await world.put("\(path)/1️⃣", as: a).code == 200)
            #expect(try await world.put("\(path)/🇰🇷", as: a).code == 200)
        }
    }

    @Test func aMessageHasOnlySoManyReactionsAndAChannelPins() async throws {
        try await ChatWorld.run(limits: Limits(reactions: 2, pins: 1)) { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            let id = try await world.said("hi", in: room, as: a)
            let path = "/api/v1/messages/\(id)/reactions"
            _ = try await world.put("\(path)/👍", as: a)
            _ = try await world.put("\(path)/🎉", as: a)
            #expect(try await world.put("\(path)/😀", as: b).code == 422)
            #expect(try await world.put("\(path)/🎉", as: b).code == 200)
            let other = try await world.said("other", in: room, as: a)
            let pinned = try await world.post("/api/v1/messages/\(id)/pin", as: b)
            #expect(try pinned.string("pinned_by") == b.id.description)
            #expect(try await world.post("/api/v1/messages/\(id)/pin", as: a).text == pinned.text)
            #expect(try await world.post("/api/v1/messages/\(other)/pin", as: a).code == 422)
            #expect(try await world.get("/api/v1/channels/\(room)/pins", as: a).strings("id") == [id])
            #expect(try await world.post("/api/v1/messages/\(id)/unpin", as: a).object["pinned_at"] is NSNull)
            #expect(try await world.get("/api/v1/channels/\(room)/pins", as: a).text == "[]")
            #expect(try await world.recorded(MessagePinned.self).map(\.isPinned) == [true, false])
            #expect(try await world.told("message:edited").count == 2)
        }
    }
}
