// SPDX-License-Identifier: Apache-2.0
// Previews of links in the posts that notifications show, in whatever order they are heard of.

import Domain
import Events
import Foundation
import Postgres
import Serving
import Testing

@testable import NotificationsService

@Suite struct CardTests {
    private static let link = "https://a.example/"

    @Test func aPostInANotificationShowsItsCard() async throws {
        try await Stage.run { stage in
            var world = World()
            try await stage.apply(
                world.post(901, by: 1, "@haruto see https://A.example and https://b.example", mentioning: [2])
            )
            #expect(try await stage.list(2).first?.status?.card == nil)
            try await stage.apply(world.look(at: "https://b.example/", "Another"), world.look(at: Self.link, "A page"))
            #expect(try await stage.list(2).first?.status?.card?.title == "A page")
            // Late and old is no news.
            try await stage.apply(
                world.look(at: Self.link, "New", version: 3),
                world.look(at: Self.link, "Old", version: 2)
            )
            #expect(try await stage.list(2).first?.status?.card?.title == "New")
            // A card that is known is told with the notification, and stays with the newest text.
            try await stage.apply([world.like(901, by: 2)].compactMap(\.self))
            let told = try #require(try await stage.notified().last?.update.payload)
            #expect(String(decoding: told, as: UTF8.self).contains(#""title":"New""#))
            func edit(_ text: String) async throws {
                try await stage.apply([world.edit(901, text, mentioning: [2])].compactMap(\.self))
            }
            try await edit("@haruto https://b.example")
            #expect(try await stage.list(2).first?.status?.card?.title == "Another")
            try await edit("@haruto nothing")
            #expect(try await stage.list(2).first?.status?.card == nil)
            try await stage.apply(world.look(at: Self.link, nil, version: 4))
            try await edit("@haruto \(Self.link)")
            #expect(try await stage.list(2).first?.status?.card == nil)
        }
    }

    @Test func anOlderPostChangesNoLink() async throws {
        try await Stage.run { stage in
            var world = World()
            let written = world.post(901, by: 1, "@haruto https://a.example", mentioning: [2])
            let edited = world.edit(901, "@haruto https://b.example", mentioning: [2])
            try await stage.apply(world.look(at: Self.link, "First"), world.look(at: "https://b.example/", "Second"))
            try await stage.apply([edited, written].compactMap(\.self))
            #expect(try await stage.list(2).first?.status?.card?.title == "Second")
        }
    }

    @Test func cardsThatNothingShowsGo() async throws {
        try await Stage.run { stage in
            var world = World()
            try await stage.apply(world.post(901, by: 1, "@haruto \(Self.link)", mentioning: [2]))
            try await stage.apply(world.look(at: Self.link, "A page"), world.look(at: "https://b.example/", "Another"))
            let (before, now) = (world.now, world.now + CardNews.afterlife)
            func forget(before moment: Timestamp) async throws -> Int {
                try await CardStore.forget(before: moment, at: now, unless: CardStore.isShown, in: stage.database)
            }
            #expect(try await forget(before: before) == 2)
            #expect(try await forget(before: before) == 0)
            let left = try await stage.database.query("SELECT url FROM cards").all { try $0.next(String.self) }
            #expect(left == [Self.link])
        }
    }
}
