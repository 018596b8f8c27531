// SPDX-License-Identifier: Apache-2.0
// Messages that are kept as they are answered: nobody sees one that is not as it is now.

import Domain
import Events
import Foundation
import Support
import Testing
import Web

@testable import ChatService

@Suite struct KeptMessageTests {
    /// The last message of the channel that the reader heard last, twice: read, and from memory.
    private func lastMessage(_ world: ChatWorld, as reader: Somebody) async throws -> NSDictionary? {
        var last: NSDictionary?
        for time in 1...2 {
            let overview = try await world.get("/api/v1/conversations-overview", as: reader).object
            let channels = try #require(overview["channels"] as? [[String: Any]])
            let found = (channels.first?["last_message"] as? [String: Any]).map(NSDictionary.init(dictionary:))
            if time == 2 { #expect(found == last) }
            last = found
        }
        return last
    }

    @Test func `it goes with everything that it shows`() async throws {
        try await ChatWorld.run { world in
            let (a, b) = (try await world.person("anna"), try await world.person("bert"))
            try await world.hear([], of: a, version: 1)
            let playground = try await world.playground(of: b)
            try await world.enter(playground, a)
            let channel = try await world.channel("news", in: playground, by: b)
            try await world.join(channel, a)
            let id = try await world.said("see https://a.example/", in: channel, as: a)
            let path = "/api/v1/messages/\(id)"
            func card(_ title: String, version: Int64) -> LinkPreviewReady {
                let card = CardSnapshot(url: "https://a.example/", title: title)
                return LinkPreviewReady(linkID: LinkID(1), url: card.url, card: card, subjectVersion: version)
            }
            func answered() async throws {
                let answer = try await world.said("an answer", in: channel, as: b, ["thread_id": id])
                _ = try await world.delete("/api/v1/messages/\(answer)", as: b)
            }
            let changes: [(String, () async throws -> Void)] = [
                ("card", { try await world.deliver(card("A page", version: 1)) }),
                ("another card", { try await world.deliver(card("The page", version: 2)) }),
                ("words", { _ = try await world.patch(path, as: a, ["text": "see https://a.example/ soon"]) }),
                ("reaction", { _ = try await world.put("\(path)/reactions/%F0%9F%91%8D", as: b) }),
                ("no reaction", { _ = try await world.delete("\(path)/reactions/%F0%9F%91%8D", as: b) }),
                ("pin", { _ = try await world.post("\(path)/pin", as: b) }),
                ("restriction", { try await world.hear([.suspended], of: a, version: 2) }),
                ("no restriction", { try await world.hear([], of: a, version: 3) }),
                ("type", { _ = try await world.patch("/api/v1/channels/\(channel)", as: b, ["type": "private"]) }),
            ]
            var seen = try #require(try await lastMessage(world, as: b))
            for (what, change) in changes {
                try await change()
                let now = try #require(try await lastMessage(world, as: b))
                #expect(now == NSDictionary(dictionary: try await world.message(id, as: b)), "\(what)")
                #expect(now != seen, "\(what) changes nothing")
                seen = now
            }
            // An answer that was taken back leaves no thread.
            try await answered()
            #expect(try await lastMessage(world, as: b) == NSDictionary(dictionary: try await world.message(id, as: b)))
            _ = try await world.delete(path, as: a)
            #expect(try await lastMessage(world, as: b) == nil)
        }
    }

    @Test func `a file is shown as far as it has come`() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let media: MediaID = try world.dependencies.ids.next()
            let id = try await world.said("", in: room, as: a, ["attachment_ids": [media.description]])
            func state() async throws -> String? {
                let last = try await lastMessage(world, as: a)
                #expect(last == NSDictionary(dictionary: try await world.message(id, as: a)))
                return (last?["attachments"] as? [[String: Any]])?.first?["state"] as? String
            }
            #expect(try await state() == "processing")
            try await world.deliver(
                MediaFailed(mediaID: media, ownerID: a.id, reason: "unsupported", subjectVersion: 2)
            )
            #expect(try await state() == "failed")
        }
    }

    @Test func `whoever is sent out sees nothing of it`() async throws {
        try await ChatWorld.run { world in
            let (a, b) = (try await world.person("ann"), try await world.person("bo"))
            let playground = try await world.playground(of: a)
            try await world.enter(playground, b)
            let channel = try await world.general(of: playground, as: a)
            try await world.said("a secret", in: channel, as: a)
            #expect(try await lastMessage(world, as: b)?["text"] as? String == "a secret")
            #expect(try await world.delete("/api/v1/playgrounds/\(playground)/members/\(b.id)", as: a).code == 200)
            #expect(try await lastMessage(world, as: b) == nil)
            #expect(try await lastMessage(world, as: a)?["text"] as? String == "a secret")
        }
    }
}
