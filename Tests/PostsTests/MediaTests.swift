// SPDX-License-Identifier: Apache-2.0
// Files of posts: who may attach which, what is shown of them, and what becomes of them.

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

@Suite struct MediaTests {
    private static func processed(
        _ id: MediaID,
        of owner: Person,
        _ type: MediaType = .image,
        version: Int64 = 1,
        _ description: String? = "a yard",
        focus: FocusSnapshot? = FocusSnapshot(x: 0.5, y: -0.5)
    ) -> MediaProcessed {
        MediaProcessed(
            mediaID: id,
            ownerID: owner.id,
            type: type,
            original: RenditionSnapshot(url: "\(id).jpg", width: 400, height: 200),
            preview: RenditionSnapshot(url: "\(id).small.jpg", width: 40, height: 20),
            mimeType: "image/jpeg",
            bytes: 1234,
            blurhash: "LKO2",
            description: description,
            subjectVersion: version,
            focus: focus
        )
    }

    /// A file that posts has heard of.
    private static func file(_ world: GraphWorld, of owner: Person, _ type: MediaType = .image) async throws -> MediaID
    {
        let id: MediaID = try world.dependencies.ids.next()
        try await world.hear(processed(id, of: owner, type))
        return id
    }

    private static func attachments(_ status: [String: Any]) throws -> [[String: Any]] {
        try #require(status["media_attachments"] as? [[String: Any]])
    }

    private static func ids(_ status: [String: Any]) throws -> [String] {
        try attachments(status).compactMap { $0["id"] as? String }
    }

    @Test func aPostShowsItsFiles() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let (first, second) = (try await Self.file(world, of: ann), try await Self.file(world, of: ann))
            let id = try await world.write("", as: ann, ["media_ids": [second.description, first.description]])
            let status = try await world.status(id)
            #expect(try Self.ids(status) == [second, first].map(\.description))
            let file = try #require(try Self.attachments(status).first)
            #expect(file["type"] as? String == "image")
            #expect(file["url"] as? String == "https://madang.example/o/\(second).jpg")
            #expect(file["preview_url"] as? String == "https://madang.example/o/\(second).small.jpg")
            #expect(file["description"] as? String == "a yard")
            #expect(file["blurhash"] as? String == "LKO2")
            let meta = try #require(file["meta"] as? [String: [String: Any]])
            #expect(meta["original"]?["size"] as? String == "400x200")
            #expect(meta["small"]?["aspect"] as? Double == 2)
            #expect(meta["focus"]?["y"] as? Double == -0.5)
            #expect(status["content"] as? String == "")
            // Others hear of them with the post, and every list shows them.
            let told = try #require(try await world.recordedPosts().last)
            #expect(told.media?.map(\.id) == [second, first])
            #expect(
                try Self.ids(try #require(try await world.get("/api/v1/timelines/home", as: ann).list.first)).count == 2
            )
            #expect(try Self.ids(try await world.status(try await world.write("bare", as: ann))) == [])
        }
    }

    @Test func onlyReadersMayFollowTheLinksOfWhatIsNotForAll() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            for (visibility, way) in [("public", "o"), ("unlisted", "o"), ("private", "x"), ("direct", "x")] {
                let file = try await Self.file(world, of: ann)
                let more: [String: any Sendable] = ["media_ids": [file.description], "visibility": visibility]
                let status = try await world.status(try await world.write("a", as: ann, more), as: ann)
                let shown = try #require(try Self.attachments(status).first)
                #expect(shown["url"] as? String == "https://madang.example/\(way)/\(file).jpg", "\(visibility)")
                #expect(shown["preview_url"] as? String == "https://madang.example/\(way)/\(file).small.jpg")
            }
        }
    }

    @Test func refusesWhatCannotBeAttached() async throws {
        try await GraphWorld.run { world in
            let (ann, bo) = (try await world.person("ann"), try await world.person("bo"))
            let image = try await Self.file(world, of: ann)
            let (video, others) = (try await Self.file(world, of: ann, .video), try await Self.file(world, of: bo))
            let failed: MediaID = try world.dependencies.ids.next()
            try await world.hear(MediaFailed(mediaID: failed, ownerID: ann.id, reason: "damaged", subjectVersion: 1))
            let shown = try await Self.file(world, of: ann)
            try await world.write("a", as: ann, ["media_ids": [shown.description]])
            let unknown: MediaID = try world.dependencies.ids.next()
            for ids in [[image, video], [others], [failed], [shown], [unknown], [image, unknown], [MediaID(1)]] {
                let answer = try await world.publish("a", as: ann, ["media_ids": ids.map(\.description)])
                #expect(answer.code == 422, "\(ids) \(answer.text)")
            }
            // Nothing of it stays, so that the file can still be attached.
            try await world.write("", as: ann, ["media_ids": [image.description]])
            try await world.write("", as: ann, ["media_ids": [video.description]])
        }
    }

    @Test func waitsForAFileThatIsToldLater() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id: MediaID = try world.dependencies.ids.next()
            async let answer = world.publish("", as: ann, ["media_ids": [id.description]])
            try await world.hear(Self.processed(id, of: ann))
            #expect(try await answer.code == 200)
        }
    }

    @Test func theSameRequestAttachesOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let file = try await Self.file(world, of: ann)
            let wish: [String: any Sendable] = ["media_ids": [file.description]]
            let first = try await world.publish("a", as: ann, wish, key: "one")
            let second = try await world.publish("a", as: ann, wish, key: "one")
            #expect(try first.string("id") == second.string("id"))
            #expect(try await world.publish("a", as: ann, key: "one").code == 422)
        }
    }

    @Test func oneOfTwoAtOnceGetsTheFile() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let file = try await Self.file(world, of: ann)
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        try await world.publish("\(number)", as: ann, ["media_ids": [file.description]]).code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.sorted() == [200, 422, 422, 422])
        }
    }

    @Test func anEditChangesFilesAndWhatIsSaidOfThem() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let (first, second) = (try await Self.file(world, of: ann), try await Self.file(world, of: ann))
            let id = try await world.write("a", as: ann, ["media_ids": [first.description]])
            let attributes: [[String: any Sendable]] = [
                ["id": first.description, "description": "a gate", "focus": "0.1, -1"]
            ]
            var answer = try await world.edit(id, as: ann, ["media_attributes": attributes])
            #expect(answer.code == 200, "\(answer.text)")
            var shown = try #require(try Self.attachments(try answer.object).first)
            #expect(shown["description"] as? String == "a gate")
            #expect((shown["meta"] as? [String: [String: Any]])?["focus"]?["x"] as? Double == 0.1)
            answer = try await world.edit(id, as: ann, ["media_ids": [second, first].map(\.description)])
            #expect(try Self.ids(try answer.object) == [second, first].map(\.description))
            shown = try #require(try Self.attachments(try answer.object).last)
            #expect(shown["description"] as? String == "a gate")
            answer = try await world.edit(id, as: ann, ["status": "", "media_ids": [second.description]])
            #expect(try Self.ids(try answer.object) == [second.description])
            let forms = try await world.get("/api/v1/statuses/\(id)/history", as: ann).list
            #expect(try forms.map { try Self.ids($0).count } == [1, 1, 2, 1])
            // What the post shows no more is free again; a post without text needs a file.
            try await world.write("", as: ann, ["media_ids": [first.description]])
            #expect(try await world.edit(id, as: ann, ["media_ids": [String]()]).code == 422)
            for focus in ["1,2,3", "0", "a,b", "nan,0"] {
                let attributes: [[String: any Sendable]] = [["id": second.description, "focus": focus]]
                #expect(try await world.edit(id, as: ann, ["media_attributes": attributes]).code == 422, "\(focus)")
            }
        }
    }

    @Test func whatIsSaidOfAFileLaterIsSaidInItsPost() async throws {
        try await GraphWorld.run { world in
            let (ann, bo) = (try await world.person("ann"), try await world.person("bo"))
            let file = try await Self.file(world, of: ann)
            let id = try await world.write("a", as: ann, ["media_ids": [file.description]])
            _ = try await world.act("reblog", on: id, as: bo)
            try await world.fanOutUntilQuiet()
            let updates = try await world.liveUpdates().count { $0.event == "status.update" }
            func shown() async throws -> [String: Any] {
                try #require(try Self.attachments(try await world.status(id)).first)
            }
            try await world.hear(Self.processed(file, of: ann, version: 3, "a gate", focus: nil))
            #expect(try await shown()["description"] as? String == "a gate")
            #expect((try await shown()["meta"] as? [String: Any])?["focus"] == nil)
            // It is no edit, for which whoever boosted the post would be notified; open streams and other services hear of it.
            let status = try await world.status(id)
            #expect(status["edited_at"] is NSNull)
            #expect(try await world.get("/api/v1/statuses/\(id)/history", as: ann).list.count == 1)
            let told = try #require(try await world.recordedEdits().last)
            #expect(told.post.media?.first?.description == "a gate" && told.quiet == true)
            try await world.fanOutUntilQuiet()
            #expect(try await world.liveUpdates().count { $0.event == "status.update" } == updates + 1)
            #expect(try await !world.events().contains { $0.type == PostAnnounced.type })
            // What is late, and what is the same, is no news.
            try await world.hear(Self.processed(file, of: ann, version: 2, "late"))
            try await world.hear(Self.processed(file, of: ann, version: 4, "a gate", focus: nil))
            #expect(try await shown()["description"] as? String == "a gate")
            #expect(try await world.recordedEdits().count == 1)
            try await world.hear(Self.processed(file, of: ann, version: 5, nil, focus: nil))
            #expect(try await shown()["description"] is NSNull)
        }
    }

    @Test func whatAPostSaysOfItsFileStaysUntilItsOwnerSaysMore() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let file = try await Self.file(world, of: ann)
            let id = try await world.write("a", as: ann, ["media_ids": [file.description]])
            let attributes: [[String: any Sendable]] = [["id": file.description, "description": "the post's"]]
            _ = try await world.edit(id, as: ann, ["media_attributes": attributes])
            func description() async throws -> String? {
                try Self.attachments(try await world.status(id)).first?["description"] as? String
            }
            try await world.hear(Self.processed(file, of: ann, version: 2, focus: FocusSnapshot(x: 0, y: 0)))
            #expect(try await description() == "the post's")
            let focus = (try Self.attachments(try await world.status(id)).first?["meta"] as? [String: [String: Any]])?[
                "focus"
            ]
            #expect(focus?["x"] as? Double == 0)
            try await world.hear(
                Self.processed(file, of: ann, version: 3, "the file's", focus: FocusSnapshot(x: 0, y: 0))
            )
            #expect(try await description() == "the file's")
            // A file that the post shows no more leaves it alone.
            _ = try await world.edit(id, as: ann, ["media_ids": [String]()])
            try await world.hear(Self.processed(file, of: ann, version: 4, "late"))
            #expect(try Self.ids(try await world.status(id)) == [])
        }
    }

    @Test func aPostAndWhatIsSaidOfItsFileAtTheSameTime() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            for _ in 0..<8 {
                let file = try await Self.file(world, of: ann)
                async let written = world.write("a", as: ann, ["media_ids": [file.description]])
                async let heard: Void = world.hear(Self.processed(file, of: ann, version: 2, "a gate"))
                let (id, _) = try await (written, heard)
                let shown = try Self.attachments(try await world.status(id)).first
                #expect(shown?["description"] as? String == "a gate")
            }
        }
    }

    @Test func whoDeletesToWriteAgainAttachesAgain() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let file = try await Self.file(world, of: ann)
            let id = try await world.write("a", as: ann, ["media_ids": [file.description]])
            let deleted = try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann)
            #expect(try Self.ids(try deleted.object) == [file.description])
            try await world.write("a", as: ann, ["media_ids": [file.description]])
            // A file that nobody shows is forgotten after a while, one that a post shows is not.
            let left = try await Self.file(world, of: ann)
            world.clock.advance(.seconds(400 * 24 * 3600))
            let sweep = try #require(Sweeps.all(world.dependencies).first { $0.table == "media" })
            #expect(try await sweep.finish(in: world.database) == 1)
            #expect(try await MediaStore.files([file, left], in: world.database).map(\.id) == [file])
        }
    }

    @Test func listsShowPostsWithFilesAlone() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let file = try await Self.file(world, of: ann)
            try await world.write("bare #yard", as: ann)
            let id = try await world.write("#yard", as: ann, ["media_ids": [file.description]])
            try await world.write("later #yard", as: ann)
            for path in ["accounts/\(ann.id)/statuses", "timelines/public", "timelines/tag/yard"] {
                #expect(try await world.ids("/api/v1/\(path)").count == 3)
                #expect(try await world.ids("/api/v1/\(path)?only_media=true") == [id], "\(path)")
            }
        }
    }

    @Test func aPageShowsThePicture() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let file = try await Self.file(world, of: ann)
            let id = try await world.write("a", as: ann, ["media_ids": [file.description]])
            let page = try await world.get("/@ann/\(id)").text
            #expect(page.contains("property=\"og:image\" content=\"https://madang.example/o/\(file).small.jpg\""))
            #expect(page.contains("<img src=\"https://madang.example/o/\(file).small.jpg\" alt=\"a yard\""))
            let hidden = try await Self.file(world, of: ann)
            let more: [String: any Sendable] = ["media_ids": [hidden.description], "sensitive": true]
            let veiled = try await world.write("a", as: ann, more)
            #expect(try await !world.get("/@ann/\(veiled)").text.contains("content=\"https://madang.example/o/"))
        }
    }
}

extension GraphWorld {
    /// Delivers what media tells.
    func hear<E: Event>(_ event: E) async throws {
        let id = UUID().uuidString.lowercased()
        let envelope = Envelope(id: id, time: GraphWorld.start, traceparent: nil, data: event)
        _ = try await Files.queue.apply(Array(try JSONEncoder().encode(envelope)), in: database)
    }

    fileprivate func edit(_ id: String, as author: Person, _ body: [String: any Sendable]) async throws -> Answer {
        let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try await send(.put, "/api/v1/statuses/\(id)", as: author, type: "application/json", body: json)
    }

    /// What was told of posts that changed, oldest first.
    fileprivate func recordedEdits() async throws -> [PostEdited] {
        try await recordedEvents(in: database).compactMap { event in
            guard try TestEvent(event).type == PostEdited.type else { return nil }
            return try JSONDecoder().decode(Envelope<PostEdited>.self, from: Data(event)).data
        }
    }

    /// The posts that were told as new, oldest first.
    fileprivate func recordedPosts() async throws -> [PostSnapshot] {
        try await recordedEvents(in: database).compactMap { event in
            guard try TestEvent(event).type == PostCreated.type else { return nil }
            return try JSONDecoder().decode(Envelope<PostCreated>.self, from: Data(event)).data.post
        }
    }
}
