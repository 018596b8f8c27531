// SPDX-License-Identifier: Apache-2.0
// Previews of links in posts, in whatever order they are heard of.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

@Suite struct CardTests {
    static func news(_ url: String, _ title: String? = "A page", version: Int64 = 1) -> LinkPreviewReady {
        let card = title.map { title in
            CardSnapshot(
                url: url,
                title: title,
                description: "about <it>",
                type: .video,
                authorName: "Mina",
                authorURL: "https://a.example/mina",
                providerName: "A",
                providerURL: "https://a.example/",
                image: RenditionSnapshot(url: "1.jpg", width: 600, height: 315),
                blurhash: "LKO2",
                imageDescription: "a yard",
                language: "ko",
                publishedAt: GraphWorld.start
            )
        }
        return LinkPreviewReady(linkID: LinkID(1), url: url, card: card, subjectVersion: version)
    }

    private static func title(_ status: [String: Any]) -> String? {
        (status["card"] as? [String: Any])?["title"] as? String
    }

    @Test func aPostShowsTheCardOfItsFirstLink() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("see HTTPS://A.example:443/마당#x and https://b.example/", as: ann)
            let url = "https://a.example/%EB%A7%88%EB%8B%B9"
            #expect(try await world.status(id)["card"] is NSNull)
            try await world.hear(Self.news("https://b.example/"))
            #expect(try await world.status(id)["card"] is NSNull)
            try await world.hear(Self.news(url))
            let card = try #require(try await world.status(id)["card"] as? [String: Any])
            #expect(card["url"] as? String == url)
            #expect(card["title"] as? String == "A page")
            #expect(card["description"] as? String == "about <it>")
            #expect(card["type"] as? String == "video")
            #expect(card["html"] as? String == "")
            #expect(card["embed_url"] as? String == "")
            #expect(card["image"] as? String == "https://madang.example/o/1.jpg")
            #expect(card["width"] as? Int == 600)
            #expect(card["height"] as? Int == 315)
            #expect(card["blurhash"] as? String == "LKO2")
            #expect(card["provider_name"] as? String == "A")
            #expect((card["authors"] as? [[String: Any]])?.first?["name"] as? String == "Mina")
            let home = try #require(try await world.get("/api/v1/timelines/home", as: ann).list.first)
            #expect(Self.title(home) == "A page")
            let bo = try await world.person("bo")
            let boost = try await world.post("/api/v1/statuses/\(id)/reblog", as: bo).object
            #expect(Self.title(boost) == "A page")
        }
    }

    @Test func aCardMayComeBeforeItsPost() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await world.hear(Self.news("https://a.example/"))
            let id = try await world.write("https://a.example", as: ann)
            #expect(Self.title(try await world.status(id)) == "A page")
            // What is late or comes twice changes nothing; what is newer does.
            try await world.hear(Self.news("https://a.example/", "New", version: 3))
            try await world.hear(Self.news("https://a.example/", "Late", version: 2))
            #expect(Self.title(try await world.status(id)) == "New")
            try await world.hear(Self.news("https://a.example/", nil, version: 4))
            #expect(try await world.status(id)["card"] is NSNull)
        }
    }

    @Test func anEditChangesTheCard() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await world.hear(Self.news("https://a.example/", "First"))
            try await world.hear(Self.news("https://b.example/", "Second"))
            let id = try await world.write("https://a.example/", as: ann)
            _ = try await world.send(
                .put,
                "/api/v1/statuses/\(id)",
                as: ann,
                type: form,
                body: "status=https://b.example/"
            )
            #expect(Self.title(try await world.status(id)) == "Second")
            _ = try await world.send(.put, "/api/v1/statuses/\(id)", as: ann, type: form, body: "status=nothing")
            #expect(try await world.status(id)["card"] is NSNull)
            // A post with files shows those.
            let file: MediaID = try world.dependencies.ids.next()
            try await world.hear(
                MediaProcessed(
                    mediaID: file,
                    ownerID: ann.id,
                    type: .image,
                    original: RenditionSnapshot(url: "2.jpg", width: 1, height: 1),
                    mimeType: "image/jpeg",
                    bytes: 1,
                    subjectVersion: 1
                )
            )
            let more = try await world.write("https://a.example/", as: ann, ["media_ids": [file.description]])
            #expect(try await world.status(more)["card"] is NSNull)
        }
    }

    /// S22: nothing that a page says of itself is markup on ours.
    @Test func aPageShowsTheBoxOfALink() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("https://a.example/x?y=%22", as: ann)
            let hostile = "<script>alert(1)</script>\" onmouseover=\"a'{{x}}"
            let card = CardSnapshot(
                url: "https://a.example/x?y=%22",
                title: hostile,
                description: hostile,
                providerName: hostile,
                image: RenditionSnapshot(url: "1.jpg", width: 600, height: 315),
                imageDescription: hostile,
                language: "ko"
            )
            try await world.hear(LinkPreviewReady(linkID: LinkID(1), url: card.url, card: card, subjectVersion: 1))
            let page = try await world.get("/@ann/\(id)").text
            #expect(
                page.contains(
                    "<a class=\"card\" href=\"https://a.example/x?y=%22\" rel=\"nofollow noopener noreferrer\">"
                )
            )
            #expect(page.contains("<img src=\"https://madang.example/o/1.jpg\" alt=\"&lt;script&gt;"))
            #expect(page.contains("width=\"600\" height=\"315\" loading=\"lazy\">"))
            #expect(page.contains("lang=\"ko\">&lt;script&gt;alert(1)"))
            #expect(page.contains("<span translate=\"no\">a.example</span>"))
            #expect(!page.contains("<script") && !page.contains("\" onmouseover"))
            // Every list of posts shows it, but none behind a warning before it is opened.
            #expect(try await world.get("/@ann").text.contains("class=\"card\""))
            let veiled = try await world.write("https://a.example/x?y=%22", as: ann, ["spoiler_text": "careful"])
            let hidden = try await world.get("/@ann/\(veiled)").text
            let details = try #require(hidden.firstRange(of: "<details>"))
            let box = try #require(hidden.firstRange(of: "class=\"card\""))
            #expect(details.lowerBound < box.lowerBound)
        }
    }

    @Test func openStreamsAreTold() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let ids = [
                try await world.write("https://a.example/1", as: ann),
                try await world.write("https://a.example/2", as: ann),
            ]
            let deleted = try await world.write("https://a.example/1", as: ann)
            _ = try await world.send(.delete, "/api/v1/statuses/\(deleted)", as: ann)
            try await world.fanOut()
            func told() async throws -> [[String: Any]] {
                try await world.liveUpdates().filter { $0.event == "status.update" }
                    .compactMap { try JSONSerialization.jsonObject(with: Data($0.payload)) as? [String: Any] }
            }
            #expect(try await told().isEmpty)
            try await world.hear(Self.news("https://a.example/1"))
            try await world.fanOut()
            let first = try await told()
            #expect(first.map { $0["id"] as? String } == [ids[0]])
            #expect(first.map(Self.title) == ["A page"])
            // The same card again is no news.
            try await world.hear(Self.news("https://a.example/1", version: 2))
            try await world.fanOut()
            #expect(try await told().count == 1)
            try await world.hear(Self.news("https://a.example/1", nil, version: 3))
            try await world.fanOut()
            #expect(try await told().count == 2)
        }
    }

    @Test func cardsThatNothingShowsGo() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            _ = try await world.write("https://a.example/", as: ann)
            try await world.hear(Self.news("https://a.example/"))
            try await world.hear(Self.news("https://b.example/"))
            let (before, now) = (GraphWorld.start + .seconds(10), GraphWorld.start + CardNews.afterlife)
            func forget(before moment: Timestamp) async throws -> Int {
                try await CardStore.forget(before: moment, at: now, unless: CardStore.isShown, in: world.database)
            }
            #expect(try await forget(before: GraphWorld.start) == 0)
            #expect(try await forget(before: before) == 2)
            #expect(try await forget(before: before) == 0)
            let left = try await world.database.query("SELECT url FROM cards").all { try $0.next(String.self) }
            #expect(left == ["https://a.example/"])
        }
    }

    private let form = "application/x-www-form-urlencoded"
}
