// SPDX-License-Identifier: Apache-2.0
// Previews of links in messages, in whatever order they are heard of.

import Domain
import Events
import Foundation
import Postgres
import Serving
import Support
import Testing
import Web

@testable import ChatService

@Suite struct CardTests {
    private func news(_ url: String, _ title: String? = "A page", version: Int64 = 1) -> LinkPreviewReady {
        let card = title.map {
            CardSnapshot(url: url, title: $0, image: RenditionSnapshot(url: "1.jpg", width: 600, height: 315))
        }
        return LinkPreviewReady(linkID: LinkID(1), url: url, card: card, subjectVersion: version)
    }

    private func title(_ message: [String: Any]) -> String? { (message["card"] as? [String: Any])?["title"] as? String }

    @Test func aMessageShowsTheCardOfItsFirstLink() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let id = try await world.said("see https://A.example and https://b.example/", in: room, as: a)
            let other = try await world.said("https://c.example/", in: room, as: a)
            #expect(try await world.message(id, as: a)["card"] is NSNull)
            try await world.deliver(news("https://a.example/"))
            let message = try await world.message(id, as: a)
            #expect(title(message) == "A page")
            #expect(message["edited_at"] is NSNull)
            #expect((message["card"] as? [String: Any])?["image"] as? String == "https://madang.example/o/1.jpg")
            let told = try await world.told("message:edited")
            #expect(told.count == 1)
            #expect(NSDictionary(dictionary: try #require(told.first)) == NSDictionary(dictionary: message))
            #expect(try await world.message(other, as: a)["card"] is NSNull)
            // Late, or the same again, is no news; nobody else is told of an edit that was none.
            try await world.deliver(news("https://a.example/", version: 2))
            try await world.deliver(news("https://a.example/", "Late", version: 1))
            #expect(try await world.told("message:edited").count == 1)
            #expect(try await world.recorded(MessageEdited.self).isEmpty)
            try await world.deliver(news("https://a.example/", nil, version: 3))
            #expect(try await world.message(id, as: a)["card"] is NSNull)
            #expect(try await world.told("message:edited").count == 2)
        }
    }

    @Test func aCardMayComeBeforeItsMessage() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            try await world.deliver(news("https://a.example/"))
            try await world.deliver(news("https://b.example/", "Another"))
            let answer = try await world.say("https://a.example/", in: room, as: a)
            #expect(title(try answer.object) == "A page")
            let id = try #require(try answer.string("id"))
            let edited = try await world.patch("/api/v1/messages/\(id)", as: a, ["text": "https://b.example/"])
            #expect(title(try edited.object) == "Another")
            #expect(title(try await world.message(id, as: a)) == "Another")
            #expect(try await world.delete("/api/v1/messages/\(id)", as: a).code / 100 == 2)
            #expect(title(try await world.message(id, as: a)) == nil)
        }
    }

    @Test func cardsThatNothingShowsGo() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            _ = try await world.said("https://a.example/", in: room, as: a)
            try await world.deliver(news("https://a.example/"))
            try await world.deliver(news("https://b.example/"))
            let (before, now) = (ChatWorld.start + .seconds(10), ChatWorld.start + CardNews.afterlife)
            func forget(before moment: Timestamp) async throws -> Int {
                try await CardStore.forget(before: moment, at: now, unless: CardStore.isShown, in: world.database)
            }
            #expect(try await forget(before: before) == 2)
            #expect(try await forget(before: before) == 0)
            let left = try await world.database.query("SELECT url FROM cards").all { try $0.next(String.self) }
            #expect(left == ["https://a.example/"])
        }
    }
}
