// SPDX-License-Identifier: Apache-2.0
// Events that this release does not know, events that are not what they say, and events that the broker never takes.

import Domain
import Events
import Foundation
import Messaging
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Outbox

/// As a later release tells it.
private struct NextUnliked: Event {
    static let name = "posts.PostUnliked"
    static let version = 2

    let post: Int64
    var subject: String { "\(post)" }
    var subjectVersion: Int64 { 2 }
}

@Suite(.serialized) struct WaitingTests {
    private struct Broken: Error {}

    private func next(_ before: @escaping @Sendable () throws -> Void = {}) -> EventQueue {
        EventQueue(
            Yard.queue,
            [
                Reaction(to: NextUnliked.self) { envelope, transaction in
                    try before()
                    _ = try await transaction.query(
                        "INSERT INTO effects (subject, version) VALUES (\(envelope.subject), \(envelope.version))"
                    )
                }
            ]
        )
    }

    @Test func `an event of an unknown version waits and is applied by the release that knows it`() async throws {
        try await withYard { yard in
            try await yard.broker.bind(Yard.queue, to: "events", key: NextUnliked.type)
            let ids = (0..<20).map { _ in EventID.new() }
            for (index, id) in ids.enumerated() {
                let body = try envelope(NextUnliked(post: Int64(index)), id: id)
                // Twice, as after a loss.
                try await publish(yard, [(id, body), (id, body)], key: NextUnliked.type)
            }
            try await publish(yard, [(EventID.new(), try envelope(unliked(100, 1)))])
            // The old release: nothing blocks, nothing spins, nothing dies.
            try await whileRunning(yard.exchange([effects()]).services) {
                try await eventually { try await yard.effects() == ["100": [1]] }
                try await eventually { try await yard.count("SELECT count(*) FROM waiting_events") == 20 }
            }
            let metrics = yard.metrics.exposition()
            #expect(metrics.contains("madang_waiting_events{"))
            let outcomes = metrics.split(separator: "\n").filter { $0.hasPrefix("madang_consumer_deliveries_total") }
            #expect(outcomes.contains { $0.contains("waiting") && $0.hasSuffix(" 40") }, "\(outcomes)")
            #expect(try await yard.count("SELECT count(*) FROM dead_letters") == 0)
            // The new one.
            try await whileRunning(yard.exchange([next()]).services) {
                try await eventually { try await yard.effects().count == 21 }
                try await eventually { try await yard.count("SELECT count(*) FROM waiting_events") == 0 }
            }
            #expect(try await yard.effects().values.allSatisfy { $0.count == 1 })
        }
    }

    @Test func `an event that waited and fails is given up after some tries, and kept`() async throws {
        try await withYard { yard in
            let id = EventID.new()
            let inbox = Inbox(EventQueue(Yard.queue, []), database: yard.database)
            try await inbox.keepWaiting(
                id,
                type: NextUnliked.type,
                envelope: try envelope(NextUnliked(post: 1), id: id)
            )
            let isBroken = Mutex(true)
            let tries = Mutex(0)
            let queue = next {
                tries.withLock { $0 += 1 }
                if isBroken.withLock({ $0 }) { throw Broken() }
            }
            let waiting = WaitingEvents([queue], database: yard.database, metrics: yard.metrics, logger: quiet)
            for _ in 0..<8 { try await waiting.takeUp(queue, inbox) }
            #expect(tries.withLock { $0 } == EventConsumer.attempts)
            let lines = try await letters(yard, .list)
            #expect(lines.contains { $0.contains(id) && $0.contains("Broken") }, "\(lines)")
            isBroken.withLock { $0 = false }
            #expect(try await letters(yard, .replay).contains("1 events that waited are tried again"))
            try await waiting.takeUp(queue, inbox)
            #expect(try await yard.effects() == ["1": [2]])
        }
    }

    @Test func `an event that is not what it was sent as goes to the dead letters, and stays there when replayed`()
        async throws
    {
        try await withYard { yard in
            func forged(_ type: String, _ source: String) throws -> (id: String, body: [UInt8]) {
                let id = EventID.new()
                let text = String(decoding: try envelope(unliked(1, 1), id: id), as: UTF8.self)
                    .replacing(#""type":"posts.PostUnliked.v1""#, with: #""type":"\#(type)""#)
                    .replacing(#""source":"\/posts""#, with: #""source":"\#(source)""#)
                return (id, Array(text.utf8))
            }
            for key in ["chat.Forged.v1", "chat.Unknown.v9"] {
                try await yard.broker.bind(Yard.queue, to: "events", key: key)
            }
            let reasons = Mutex<[String: String]>([:])
            func send(_ event: (id: String, body: [UInt8]), as key: String, _ reason: String) async throws {
                reasons.withLock { $0[event.id] = reason }
                try await publish(yard, [event], key: key)
            }
            try await send(try forged(PostUnliked.type, "/posts"), as: "chat.Forged.v1", "its type is")
            try await send(try forged("chat.Forged.v1", "/chat"), as: PostUnliked.type, "its type is")
            try await send(try forged(PostUnliked.type, "/chat"), as: PostUnliked.type, "its source is")
            try await send(try forged("chat.Unknown.v9", "/posts"), as: "chat.Unknown.v9", "its source is")
            let good = EventID.new()
            try await publish(yard, [(good, try envelope(unliked(9, 1), id: good))])
            try await whileRunning(yard.exchange([effects()]).services) {
                try await eventually { try await yard.effects() == ["9": [1]] }
                for _ in 0..<2 {
                    try await eventually("four dead letters") {
                        try await letters(yard, .list).contains("4 dead letters in notifications.dead")
                    }
                    let lines = try await letters(yard, .list)
                    for (id, reason) in reasons.withLock({ $0 }) {
                        #expect(lines.contains { $0.contains(id) && $0.contains(reason) }, "\(lines)")
                    }
                    #expect(try await letters(yard, .replay).contains("replayed 4 of 4"))
                }
            }
            #expect(try await yard.effects() == ["9": [1]])
        }
    }

    @Test func `an event that its teller may not send is set aside with its reason, those behind it go`() async throws {
        try await withYard { yard in
            // A user who may tell what notifications tells, and not what posts tells.
            var broker = yard.broker
            broker.configuration = try await yard.broker.user("notifications")
            let limited = yard.with(broker: broker)
            let queue = EventQueue(Yard.queue, [])
            try await whileRunning(limited.exchange([queue]).services) {
                try await yard.record(unliked(1, 1), unliked(2, 1))
                try await yard.database.transaction {
                    let id = NotificationID(1)
                    let update = LiveUpdate(streams: ["user:1"], event: "notification", payload: Array("{}".utf8))
                    try $0.record(
                        NotificationCreated(
                            notificationID: id,
                            accountID: AccountID(1),
                            type: "mention",
                            update: update
                        )
                    )
                }
                try await eventually { try await yard.outboxDepth() == 0 }
                let set = try await yard.count("SELECT count(*) FROM unpublished WHERE reason LIKE '%ACCESS_REFUSED%'")
                #expect(set == 2)
                try await eventually { limited.metrics.exposition().contains("madang_outbox_unpublished 2") }
                #expect(limited.metrics.exposition().contains(#"madang_outbox_published_total{outcome="confirmed"} 1"#))
            }
            let lines = try await letters(yard, .list)
            #expect(lines.contains("2 events that the broker refused"), "\(lines)")
            // Once it may, they go.
            #expect(try await letters(yard, .replay).contains("put 2 of 2 refused events into the outbox"))
            try await whileRunning(yard.exchange([effects()]).services) {
                try await eventually { try await yard.effects() == ["1": [1], "2": [1]] }
            }
        }
    }

    @Test func `an event that nobody needs is told without an alarm`() async throws {
        try await withYard { yard in
            let type = try #require(Catalogue.unneeded.first).type
            try await whileRunning(yard.exchange([effects()]).services) {
                _ = try await yard.database.query(
                    """
                    INSERT INTO outbox (event_id, type, subject, audience, envelope)
                    VALUES (CAST(\(EventID.new()) AS uuid), \(type), '1', 'events', \(Array("{}".utf8)))
                    """
                )
                try await eventually { try await yard.outboxDepth() == 0 }
            }
            #expect(!yard.metrics.exposition().contains("returned"))
        }
    }

    private func letters(_ yard: Yard, _ verb: DeadLetters.Verb) async throws -> [String] {
        let publisher = Publisher(yard.broker.configuration, logger: quiet)
        let letters = DeadLetters(
            service: "notifications",
            broker: yard.broker.configuration,
            database: yard.database,
            publisher: publisher,
            logger: quiet
        )
        return try await whileRunning([publisher]) { try await letters.run(verb, []) }
    }
}
