// SPDX-License-Identifier: Apache-2.0
// Messages of ours in the form that Buddy Buddy decodes.

import GatewayService
import Testing

@testable import BuddyBuddy

@Suite struct BuddyBuddyMessageTests {
    static let account =
        #"{"id":"7","username":"mina","acct":"mina","display_name":"미나","#
        + #""avatar":"http://localhost:3000/assets/avatar.png","url":"http://localhost:3000/@mina"}"#

    static func message(
        id: String = "31",
        channel: String = "21",
        type: String = "public",
        text: String = "안녕 \\\"buddy\\\"",
        more: String = ""
    ) -> String {
        #"{"id":"\#(id)","channel_id":"\#(channel)","playground_id":"11","channel_type":"\#(type)","seq":4,"change":4,"#
            + #""account":\#(account),"text":"\#(text)","language":null,"attachments":[],"gif":null,"#
            + #""reactions":[],"mentions":[],"client_id":null,"created_at":"2026-11-21T05:00:00.123Z","#
            + #""edited_at":null,"deleted_at":null\#(more)}"#
    }

    @Test func writesTheMessageOfAChannel() throws {
        let event = try #require(BuddyBuddyMessage.event(of: Self.message().utf8, channelName: "general"))
        #expect(event.name == "channel")
        #expect(
            String(decoding: event.payload, as: UTF8.self)
                == #"{"channel_id":"21","channelName":"general","chat_id":"31","content":"안녕 \"buddy\"","#
                + #""createdAt":"2026-11-21T05:00:00.123Z","files":[],"#
                + #""user":{"user_id":"7","email":"","nickname":"미나","profileImage":"/assets/avatar.png"}}"#
        )
    }

    @Test(arguments: ["direct", "group"]) func writesADirectMessage(type: String) throws {
        let event = try #require(BuddyBuddyMessage.event(of: Self.message(type: type, text: "hi").utf8))
        #expect(event.name == "dm")
        #expect(
            String(decoding: event.payload, as: UTF8.self)
                == #"{"dm_id":"31","room_id":"21","content":"hi","createdAt":"2026-11-21T05:00:00.123Z","files":[],"#
                + #""user":{"user_id":"7","email":"","nickname":"미나","profileImage":"/assets/avatar.png"}}"#
        )
    }

    @Test func tellsFilesByTheirPaths() throws {
        let text = Self.message().replacing(
            #""attachments":[]"#,
            with: #""attachments":[{"id":"1","url":"https://m.test/media/1.jpg","state":"ready"},"#
                + #"{"id":"2","url":null,"state":"processing"},{"id":"3","url":"/media/3.jpg","state":"failed"}]"#
        )
        let payload = try #require(BuddyBuddyMessage.event(of: text.utf8)).payload
        #expect(
            String(decoding: payload, as: UTF8.self).contains(
                #""files":["/media/messages/31/1","/media/messages/31/2"]"#
            )
        )
    }

    @Test func showsALonelyGifAsALink() throws {
        let text = Self.message(text: "").replacing(
            #""gif":null"#,
            with: #""gif":{"id":"g","url":"https://g.test/x.gif"}"#
        )
        let payload = try #require(BuddyBuddyMessage.event(of: text.utf8)).payload
        #expect(String(decoding: payload, as: UTF8.self).contains(#""content":"https://g.test/x.gif""#))
    }

    @Test(arguments: ["", "[]", "{}", "{\"id\":1}", "null"]) func isNothingOutOfNothing(text: String) {
        #expect(BuddyBuddyMessage.event(of: text.utf8) == nil)
    }
}
