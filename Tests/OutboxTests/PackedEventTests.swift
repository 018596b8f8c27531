// SPDX-License-Identifier: Apache-2.0
// Events that travel as one message.

import Domain
import Events
import Foundation
import Messaging
import Postgres
import Support
import Synchronization
import Testing

@testable import Outbox

@Suite(.serialized) struct PackedEventTests {
    private struct Broken: Error {}

    /// The messages that wait, each by the ids of its events.
    private func waiting(_ yard: Yard) async throws -> [[String]] {
        try await inspect(queue: Yard.queue, broker: yard.broker.configuration) { messages in
            (messages.map { _ in .acknowledge }, messages.map { $0.parts.compactMap(\.messageID) })
        }
    }

    /// An event of a post of its own for each id.
    private func messages(_ ids: [String]) throws -> [Message] {
        try ids.enumerated().map { post, id in
            Message(
                exchange: "events",
                routingKey: PostUnliked.type,
                id: id,
                body: try envelope(unliked(Int64(post), 1), id: id)
            )
        }
    }

    @Test func `the relay puts together what goes the same way, unless programs of before may run`() async throws {
        try await withYard { yard in
            func told() async throws -> [[String]] {
                try await yard.record((0..<40).map { unliked(Int64($0), 1) })
                try await whileRunning(yard.exchange([]).services) {
                    try await eventually { try await yard.outboxDepth() == 0 }
                }
                return try await waiting(yard)
            }
            let together = try await told()
            #expect(together.map(\.count) == [32, 8])
            #expect(Set(together.joined()).count == 40)
            _ = try await yard.reader.query("UPDATE event_packs SET allowed = false")
            #expect(try await told().map(\.count) == Array(repeating: 1, count: 40))
        }
    }

    @Test func `who has told events before waits for the next release`() async throws {
        try await withYard { yard in
            let file = repositoryRoot.appending(path: "Shared/Outbox/Migrations/0080_event_packs.sql")
            let migration = try String(contentsOf: file, encoding: .utf8)
            func allowed() async throws -> Int {
                try await yard.count("SELECT count(*) FROM event_packs WHERE allowed")
            }
            func migrate() async throws {
                _ = try await yard.reader.query("DROP TABLE event_packs")
                try await Session.run(yard.configuration) { try $0.execute(migration) }
            }
            #expect(try await allowed() == 1)
            try await migrate()
            #expect(try await allowed() == 1)
            try await yard.record(unliked(1, 1))
            try await migrate()
            #expect(try await allowed() == 0)
        }
    }

    @Test func `bad ones of a pack harm no other, and they alone are dead`() async throws {
        try await withYard { yard in
            let isBroken = Mutex(true)
            let queue = effects { event in
                guard isBroken.withLock({ $0 }) else { return }
                if event.postID.rawValue == 3 { throw Unacceptable("no such post") }
                if event.postID.rawValue == 5 { throw Broken() }
            }
            let ids = (0..<8).map { _ in EventID.new() }
            var messages = try messages(ids)
            messages[6].body = Array("{\"type\":".utf8)
            let publisher = Publisher(yard.broker.configuration, logger: quiet)
            try await whileRunning([publisher]) { [messages] in
                let outcomes = try await publisher.publishPacked(messages)
                #expect(outcomes.allSatisfy { $0 == .confirmed })
            }
            let good = ["0", "1", "2", "4", "7"]
            try await whileRunning(yard.exchange([queue]).services) {
                // Three of one message.
                try await eventually { try await yard.deadLetters(.list).count == 5 }
                #expect(try await yard.effects() == Dictionary(uniqueKeysWithValues: good.map { ($0, [1]) }))
                #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
                let lines = try await yard.deadLetters(.list)
                #expect(
                    lines.contains { $0.contains(ids[3]) && $0.contains("no such post") && $0.contains(Yard.queue) }
                )
                #expect(lines.contains { $0.contains(ids[5]) && $0.contains("failed 5 times: Broken") })
                #expect(lines.contains { $0.contains(ids[6]) && $0.contains("undecodable") })

                #expect(try await yard.deadLetters(.drop, [ids[6]]) == ["dropped 1 of 3"])
                #expect(try await yard.deadLetters(.drop, [ids[0]]) == ["dropped 0 of 2"])
                isBroken.withLock { $0 = false }
                #expect(try await yard.deadLetters(.replay, [ids[5]]) == ["replayed 1 of 2"])
                try await eventually { try await yard.effects()["5"] == [1] }
                #expect(try await yard.deadLetters(.replay) == ["replayed 1 of 1"])
                try await eventually { try await yard.effects()["3"] == [1] }
                #expect(try await yard.deadLetters(.list).count == 2)
            }
            #expect(try await yard.count("SELECT count(*) FROM effects") == 7)
        }
    }

    @Test func `two of a pack that fail out of step die both`() async throws {
        try await withYard { yard in
            let queue = effects { event in if event.postID.rawValue < 2 { throw Broken() } }
            let ids = (0..<3).map { _ in EventID.new() }
            let messages = try messages(ids)
            let inbox = Inbox(queue, database: yard.database)
            for _ in 0..<3 { _ = try await inbox.noteFailure(ids[0], reason: "before", isNoted: false) }
            let publisher = Publisher(yard.broker.configuration, logger: quiet)
            try await whileRunning([publisher] + yard.exchange([queue]).services) {
                _ = try await publisher.publishPacked(messages)
                try await eventually { try await yard.deadLetters(.list).count == 4 }
            }
            #expect(try await yard.effects() == ["2": [1]])
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
        }
    }

    @Test func `of a dead pack of which nothing is noted all are tried, and none twice`() async throws {
        try await withYard { yard in
            // As programs of a release that knows no packs leave it.
            let ids = (0..<3).map { _ in EventID.new() }
            let messages = try messages(ids)
            let publisher = Publisher(yard.broker.configuration, logger: quiet)
            let refusing = Consumer(
                yard.broker.configuration,
                queue: .named(Yard.queue),
                prefetch: 10,
                logger: quiet
            ) { $0.map { _ in .reject } }
            try await whileRunning([publisher, refusing]) {
                _ = try await publisher.publishPacked(messages)
                try await eventually { try await yard.deadLetters(.list).count == 5 }
            }
            _ = try await effects().apply(messages[0].body, in: yard.database)
            try await whileRunning(yard.exchange([effects()]).services) {
                #expect(try await yard.deadLetters(.replay) == ["replayed 3 of 3"])
                try await eventually { try await yard.effects() == ["0": [1], "1": [1], "2": [1]] }
            }
        }
    }
}
