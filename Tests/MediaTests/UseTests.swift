// SPDX-License-Identifier: Apache-2.0
// What shows uploads keeps them, in whatever order it is heard of.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Views
import Web

@testable import MediaService

@Suite struct UseTests {
    private func message(_ id: Int64, _ change: Int64, _ uploads: [MediaID]) -> MessageSnapshot {
        MessageSnapshot(
            id: MessageID(id),
            channelID: ChannelID(1),
            seq: 1,
            authorID: MediaWorld.minji.id,
            text: "",
            attachmentIDs: uploads,
            createdAt: MediaWorld.start,
            change: change
        )
    }

    private func channel() -> ChannelSnapshot {
        ChannelSnapshot(
            id: ChannelID(1),
            type: .private,
            playgroundID: nil,
            name: "room",
            ownerID: nil,
            createdAt: MediaWorld.start,
            version: 1
        )
    }

    private let author = AccountSnapshot(
        id: MediaWorld.minji.id,
        username: MediaWorld.minji.username,
        createdAt: MediaWorld.start,
        version: 1
    )

    private func sent(_ id: Int64, _ uploads: [MediaID]) throws -> [UInt8] {
        try envelope(
            MessageSent(message: message(id, 1, uploads), author: author, channel: channel(), recipientIDs: [])
        )
    }

    private func edited(_ id: Int64, _ change: Int64, _ uploads: [MediaID]) throws -> [UInt8] {
        try envelope(MessageEdited(message: message(id, change, uploads), author: author, channel: channel()))
    }

    private func envelope<E: Event>(_ event: E) throws -> [UInt8] {
        try Envelope(id: EventID.new(), time: MediaWorld.start, traceparent: nil, data: event).message()
    }

    private func sweep(_ world: MediaWorld, after time: Duration) async throws {
        world.clock.advance(time)
        for sweep in Sweeps.all(world.dependencies) { try await sweep.finish(in: world.dependencies.database) }
    }

    private func isThere(_ id: MediaID, _ world: MediaWorld) async throws -> Bool {
        try await world.send(.get, "/api/v1/media/\(id)").status == .ok
    }

    @Test func whatNobodyShowsGoesAfterThreeDays() async throws {
        try await MediaWorld.run { world in
            let (used, never) = (try await world.ready("used"), try await world.ready("never used"))
            let failed = "/api/v1/media/\(try await world.ready("refuse damaged"))"
            let (queue, database) = (Uses.queue(world.dependencies), world.dependencies.database)
            try await queue.apply([try sent(1, [used])], in: database)
            try await sweep(world, after: .seconds(3 * 24 * 3600 - 10))
            #expect(try await isThere(never, world))
            #expect(try await world.send(.get, failed).status == .unprocessableContent)
            try await sweep(world, after: .seconds(20))
            #expect(try await isThere(used, world))
            #expect(try await !isThere(never, world))
            #expect(try await world.send(.get, failed).status == .notFound)
            try await sweep(world, after: .seconds(3601))
            #expect(world.files.count == 3)
            #expect(try await world.send(.delete, "/api/v1/media/\(used)").status == .unprocessableContent)
            // It was shown until now.
            try await queue.apply([try edited(1, 2, [])], in: database)
            try await sweep(world, after: .seconds(3 * 24 * 3600 - 10))
            #expect(try await isThere(used, world))
            try await sweep(world, after: .seconds(20))
            #expect(try await !isThere(used, world))
            try await sweep(world, after: .seconds(3601))
            #expect(world.files == [])
        }
    }

    @Test func whoeverMayShowAFileIsToldThatItIsGone() async throws {
        try await MediaWorld.run { world in
            let ids = [try await world.ready("deleted"), try await world.ready("never used")]
            _ = try await world.ready("refuse damaged")
            let told = try await world.events().count
            #expect(try await world.send(.delete, "/api/v1/media/\(ids[0])").status == .ok)
            try await sweep(world, after: .seconds(3 * 24 * 3600 + 10))
            let gone = try await recordedEvents(in: world.dependencies.database).dropFirst(told)
                .map { try JSONDecoder().decode(Envelope<MediaFailed>.self, from: Data($0)).data }
            #expect(gone.map(\.mediaID) == ids)
            #expect(gone.allSatisfy { $0.reason == "deleted" && $0.subjectVersion == 3 })
        }
    }

    @Test func profilesKeepTheirPictures() async throws {
        try await MediaWorld.run { world in
            let (first, second) = (try await world.ready("1"), try await world.ready("2"))
            let (queue, database) = (Uses.queue(world.dependencies), world.dependencies.database)
            func told(_ version: Int64, _ avatar: MediaID?, _ header: MediaID?) throws -> [UInt8] {
                var account = author
                account.version = version
                account.extras = ProfileExtras(
                    avatar: avatar.map { PictureSnapshot(id: $0, file: "a.jpg") },
                    header: header.map { PictureSnapshot(id: $0, file: "h.jpg") }
                )
                return try envelope(ProfileUpdated(account: account))
            }
            func used() async throws -> [MediaID] {
                var used: [MediaID] = []
                for id in [first, second] where try await UploadStore.isUsed(id, in: database) { used.append(id) }
                return used
            }
            try await queue.apply([try told(1, nil, nil)], in: database)
            #expect(
                try await database.query("SELECT count(*) FROM subjects").number() == 0,
                "nothing to remember of it"
            )
            try await queue.apply([try told(3, first, second)], in: database)
            // What comes late is late.
            try await queue.apply([try told(2, nil, first)], in: database)
            #expect(try await used() == [first, second])
            try await queue.apply([try told(4, nil, second)], in: database)
            #expect(try await used() == [second])
            #expect(try await world.send(.delete, "/api/v1/media/\(second)").status == .unprocessableContent)
            #expect(try await world.send(.delete, "/api/v1/media/\(first)").status == .ok)
        }
    }

    @Test func postsKeepWhatTheyShow() async throws {
        try await MediaWorld.run { world in
            let (first, second) = (try await world.ready("1"), try await world.ready("2"))
            let (queue, database) = (Uses.queue(world.dependencies), world.dependencies.database)
            func post(_ version: Int64, _ uploads: [MediaID]) async throws -> PostSnapshot {
                let told = try await world.told()
                return PostSnapshot(
                    id: PostID(1),
                    accountID: author.id,
                    text: "",
                    createdAt: MediaWorld.start,
                    version: version,
                    media: uploads.compactMap { id in told.first { $0.mediaID == id } }.map(MediaSnapshot.init)
                )
            }
            func used() async throws -> [MediaID] {
                var used: [MediaID] = []
                for id in [first, second] where try await UploadStore.isUsed(id, in: database) { used.append(id) }
                return used
            }
            let created = try envelope(PostCreated(author: author, post: try await post(1, [first])))
            let edited = try envelope(PostEdited(author: author, post: try await post(4, [second])))
            let deleted = try envelope(
                PostDeleted(postID: PostID(1), accountID: author.id, boostIDs: [], subjectVersion: 9)
            )
            try await queue.apply([created], in: database)
            #expect(try await used() == [first])
            try await queue.apply([edited], in: database)
            #expect(try await used() == [second])
            try await queue.apply([created], in: database)
            #expect(try await used() == [second])
            try await queue.apply([deleted, edited], in: database)
            #expect(try await used() == [])
            let reply = try envelope(
                ReplyCreated(
                    author: author,
                    post: PostSnapshot(
                        id: PostID(2),
                        accountID: author.id,
                        text: "",
                        createdAt: MediaWorld.start,
                        version: 1,
                        media: [MediaSnapshot(try #require(try await world.told().first))]
                    )
                )
            )
            try await queue.apply([reply], in: database)
            #expect(try await used() == [first])
        }
    }

    /// What is told as plain is not sent to the two queues: it must be what they have no use for, and all of that.
    @Test func whatIsPlainIsOfNoConcern() async throws {
        try await MediaWorld.run { world in
            _ = try await world.ready("1")
            let file = MediaSnapshot(try #require(try await world.told().first))
            let texts = [
                "", "hi @minji #tag", "https://example.org/a", "a link (http://example.org).", "example.org",
                "ftp://example.org/a", "https://localhost/a", "https://", "mail me@example.org",
            ]
            var kinds: Set<Bool> = []
            for text in texts {
                for files in [nil, [], [file]] {
                    let post = PostSnapshot(
                        id: PostID(1),
                        accountID: author.id,
                        text: text,
                        createdAt: MediaWorld.start,
                        version: 1,
                        media: files
                    )
                    var message = message(1, 1, (files ?? []).map(\.id))
                    message.text = text
                    let sent = MessageSent(message: message, author: author, channel: channel(), recipientIDs: [])
                    let events: [(any Event, isPlain: Bool)] = [
                        (PostCreated(author: author, post: post), post.isPlain),
                        (ReplyCreated(author: author, post: post), post.isPlain), (sent, message.isPlain),
                    ]
                    for (event, isPlain) in events {
                        let showing = try #require(Showing(event))
                        #expect(isPlain == !(showing.concernsUses || showing.concernsLinks), "\(event)")
                        kinds.insert(isPlain)
                    }
                }
            }
            #expect(kinds.count == 2)
            #expect([Uses.queue, Links.queue].allSatisfy { $0(world.dependencies).audiences == [.services] })
        }
    }

    @Test func theOrderDoesNotMatter() async throws {
        try await MediaWorld.run { world in
            let (first, second) = (try await world.ready("1"), try await world.ready("2"))
            let database = world.dependencies.database
            func isUsed(_ id: MediaID) async throws -> Bool { try await UploadStore.isUsed(id, in: database) }
            let history = [try sent(1, [first]), try edited(1, 2, [first, second]), try edited(1, 3, [second])]
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            for (number, order) in orders.enumerated() {
                let id = Int64(number) + 10
                let renamed = [
                    try sent(id, [first]), try edited(id, 2, [first, second]), try edited(id, 3, [second]),
                ]
                let queue = Uses.queue(world.dependencies)
                for index in order + order { try await queue.apply([renamed[index]], in: database) }
                #expect(try await !isUsed(first), "\(order)")
                #expect(try await isUsed(second), "\(order)")
                try await queue.apply([try edited(id, 4, [])], in: database)
                #expect(try await !isUsed(second), "\(order)")
            }
            // All in one batch.
            try await Uses.queue(world.dependencies).apply(history.reversed(), in: database)
            #expect(try await !isUsed(first))
            #expect(try await isUsed(second))
        }
    }

    @Test func oneUploadMayBeShownTwice() async throws {
        try await MediaWorld.run { world in
            let id = try await world.ready("shared")
            let (queue, database) = (Uses.queue(world.dependencies), world.dependencies.database)
            try await queue.apply([try sent(1, [id, id]), try sent(2, [id])], in: database)
            try await queue.apply([try edited(1, 2, [])], in: database)
            #expect(try await UploadStore.isUsed(id, in: database))
            try await queue.apply([try edited(2, 2, [])], in: database)
            #expect(try await !UploadStore.isUsed(id, in: database))
        }
    }

    @Test func collectingFindsWhatNoRowNames() async throws {
        try await MediaWorld.run { world in
            _ = try await world.ready("kept")
            let manager = FileManager.default
            let name = "00000000000000000000000000000000.jpg"
            try manager.createDirectory(atPath: "\(world.root)/files/00", withIntermediateDirectories: true)
            for path in ["files/00/\(name)", "incoming/77", "incoming/note.txt"] {
                _ = manager.createFile(atPath: "\(world.root)/\(path)", contents: Data("x".utf8))
            }
            try manager.createDirectory(atPath: "\(world.root)/work/77-1", withIntermediateDirectories: false)
            // The disk has a clock of its own.
            world.clock.advance(Timestamp.now() - world.clock.now + .seconds(10))
            let early = try await Leftovers.run(world.dependencies, looseness: .seconds(3600))
            #expect(early.strays == 0 && early.remains == 0)
            let found = try await Leftovers.run(world.dependencies, looseness: .zero)
            #expect(found.strays == 1 && found.remains == 2)
            #expect(!world.files.contains(name) && world.files.count == 3 && world.workplaces == [])
            #expect(world.incoming == ["note.txt"], "what has no name of ours is not ours")
        }
    }
}
