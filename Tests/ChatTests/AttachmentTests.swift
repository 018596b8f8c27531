// SPDX-License-Identifier: Apache-2.0
// Files and GIFs of messages, and what media tells of them.

import Domain
import Events
import Foundation
import Support
import Testing
import Web

@testable import ChatService

@Suite struct AttachmentTests {
    private func file(_ id: MediaID, of owner: Somebody, version: Int64 = 1, _ description: String = "a yard")
        -> MediaProcessed
    {
        MediaProcessed(
            mediaID: id,
            ownerID: owner.id,
            type: .image,
            original: RenditionSnapshot(url: "1.png", width: 400, height: 200),
            preview: RenditionSnapshot(url: "1.small.png", width: 40, height: 20),
            mimeType: "image/png",
            bytes: 1234,
            blurhash: "LKO2",
            description: description,
            subjectVersion: version
        )
    }

    private func states(_ message: [String: Any]) -> [String] {
        ((message["attachments"] as? [[String: Any]]) ?? []).compactMap { $0["state"] as? String }
    }

    @Test func aFileBecomesReady() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let media: MediaID = try world.dependencies.ids.next()
            let id = try await world.said("", in: room, as: a, ["attachment_ids": [media.description]])
            #expect(states(try await world.message(id, as: a)) == ["processing"])
            try await world.deliver(file(media, of: a))
            let message = try await world.message(id, as: a)
            #expect(message["change"] as? Int == 2)
            let attachment = try #require((message["attachments"] as? [[String: Any]])?.first)
            #expect(attachment["state"] as? String == "ready")
            // Whoever reads the message may follow the link, and nobody can guess one.
            #expect(attachment["url"] as? String == "https://madang.example/x/1.png")
            #expect(attachment["preview_url"] as? String == "https://madang.example/x/1.small.png")
            let meta = try #require(attachment["meta"] as? [String: [String: Any]])
            #expect(meta["original"]?["size"] as? String == "400x200")
            #expect(meta["small"]?["aspect"] as? Double == 2)
            let told = try #require(try await world.told("message:edited").first)
            #expect(NSDictionary(dictionary: told) == NSDictionary(dictionary: message))
            #expect(try await world.texts(room, "?after_change=1", as: a) == [""])
            // Twice and late is once.
            try await world.deliver(file(media, of: a))
            #expect(try await world.message(id, as: a)["change"] as? Int == 2)
            try await world.deliver(
                MediaFailed(mediaID: media, ownerID: a.id, reason: "unsupported", subjectVersion: 2)
            )
            #expect(states(try await world.message(id, as: a)) == ["failed"])
            #expect(try await world.say("", in: room, as: a, ["attachment_ids": [media.description]]).code == 422)
        }
    }

    @Test func whatIsSaidOfAFileLaterIsSaidInItsMessages() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let media: MediaID = try world.dependencies.ids.next()
            try await world.deliver(file(media, of: a, version: 2))
            let id = try await world.said("", in: room, as: a, ["attachment_ids": [media.description]])
            func description() async throws -> String? {
                let message = try await world.message(id, as: a)
                return (message["attachments"] as? [[String: Any]])?.first?["description"] as? String
            }
            try await world.deliver(file(media, of: a, version: 4, "a gate"))
            try await world.deliver(file(media, of: a, version: 3, "late"))
            #expect(try await description() == "a gate")
            #expect(try await world.told("message:edited").count == 1)
        }
    }

    @Test func onlyOnesOwnFilesAreShown() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let room = try await world.room([a, b])
            let known: MediaID = try world.dependencies.ids.next()
            let unknown: MediaID = try world.dependencies.ids.next()
            try await world.deliver(file(known, of: b))
            #expect(try await world.say("x", in: room, as: a, ["attachment_ids": [known.description]]).code == 422)
            #expect(try await world.say("x", in: room, as: b, ["attachment_ids": [known.description]]).code == 201)
            // A guess that turns out to be somebody else's file shows nothing of it.
            let id = try await world.said("x", in: room, as: a, ["attachment_ids": [unknown.description]])
            try await world.deliver(file(unknown, of: b))
            let message = try await world.message(id, as: a)
            #expect(states(message) == ["failed"])
            #expect((message["attachments"] as? [[String: Any]])?.first?["url"] is NSNull)
            // Nothing is known of a file that is hours old: it is not on its way any more.
            let old: MediaID = try world.dependencies.ids.next()
            world.clock.advance(.seconds(3700))
            #expect(try await world.say("x", in: room, as: a, ["attachment_ids": [old.description]]).code == 422)
            _ = try await world.delete("/api/v1/messages/\(id)", as: a)
            #expect(states(try await world.message(id, as: a)) == [])
        }
    }

    @Test func aGIFIsAMessage() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let gif: [String: any Sendable] = [
                "id": "g1", "url": "https://gifs.example/1.gif", "width": 200, "height": 100, "title": "a \"cat\"",
            ]
            let answer = try await world.post("/api/v1/channels/\(room)/messages", as: a, ["gif": gif])
            #expect(answer.code == 201)
            let shown = try #require(try answer.object["gif"] as? [String: Any])
            #expect(shown["preview_url"] as? String == "https://gifs.example/1.gif")
            #expect(shown["title"] as? String == "a \"cat\"")
            #expect(try await world.recorded(MessageSent.self).first?.message.gif?.width == 200)
        }
    }
}
