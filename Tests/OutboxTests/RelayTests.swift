// SPDX-License-Identifier: Apache-2.0
// From the outbox to the queue.

import Domain
import Events
import Messaging
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Outbox

@Suite(.serialized) struct RelayTests {
    private struct Undone: Error {}

    @Test func `what is recorded is told, what is rolled back is not`() async throws {
        try await withYard { yard in
            try await whileRunning(yard.exchange([effects()]).services) {
                try await yard.record(unliked(1, 1), unliked(2, 1))
                await #expect(throws: Undone.self) {
                    try await yard.database.transaction { transaction in
                        try transaction.record(unliked(3, 1))
                        throw Undone()
                    }
                }
                try await yard.record(unliked(1, 2))
                try await eventually { try await yard.effects() == ["1": [1, 2], "2": [1]] }
                try await eventually { try await yard.outboxDepth() == 0 }
            }
            #expect(yard.metrics.exposition().contains(#"madang_outbox_published_total{outcome="confirmed"} 3"#))
        }
    }

    @Test func `commits out of order leave no gap`() async throws {
        try await withYard { yard in
            try await whileRunning(yard.exchange([effects()]).services) {
                let (recorded, tell) = AsyncStream<Int>.makeStream()
                let gates = (0..<4).map { _ in AsyncStream<Bool>.makeStream() }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    var arrivals = recorded.makeAsyncIterator()
                    for index in 0..<4 {
                        group.addTask {
                            try? await yard.database.transaction { transaction in
                                try transaction.record(unliked(Int64(index), 1))
                                _ = try await transaction.query("SELECT 1")
                                tell.yield(index)
                                for await mayCommit in gates[index].stream {
                                    if mayCommit { return }
                                    throw Undone()
                                }
                            }
                        }
                        _ = await arrivals.next()
                    }
                    for (index, mayCommit) in [(2, true), (3, false), (1, true), (0, true)] {
                        gates[index].continuation.yield(mayCommit)
                        if mayCommit { try await eventually { try await yard.effects()["\(index)"] == [1] } }
                    }
                    try await group.waitForAll()
                }
                try await eventually { try await yard.outboxDepth() == 0 }
                #expect(try await yard.effects() == ["0": [1], "1": [1], "2": [1]])
            }
        }
    }

    @Test func `each subject's events come in their order`() async throws {
        try await withYard { yard in
            try await whileRunning(yard.exchange([effects()]).services) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for subject in 0..<4 {
                        group.addTask {
                            for version in 1...40 {
                                try await yard.record(unliked(Int64(subject), Int64(version)), unliked(100, 0))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await eventually {
                    try await yard.count("SELECT count(*) FROM effects") == 320
                }
                let effects = try await yard.effects()
                for subject in 0..<4 { #expect(effects["\(subject)"] == Array(1...40)) }
            }
        }
    }

    @Test func `an event that no queue takes stays, and goes when one does`() async throws {
        try await withYard { yard in
            let key = PostUnliked.type
            try await yard.broker.unbind(Yard.queue, from: "events", key: key)
            try await whileRunning(yard.exchange([effects()]).services) {
                try await yard.record(unliked(1, 1), unliked(1, 2))
                // They take the same way, and went together.
                try await eventually { try await yard.count("SELECT count(*) FROM outbox WHERE attempts > 0") == 2 }
                #expect(try await yard.outboxDepth() == 2)
                // Whoever watches the metrics is to see within 30 s that something waits, and why.
                try await eventually(within: .seconds(30), "the metrics tell it") {
                    let metrics = yard.metrics.exposition()
                    return metrics.contains("madang_outbox_depth 2\n")
                        && metrics.contains(#"madang_outbox_published_total{outcome="returned"}"#)
                }
                try await yard.broker.bind(Yard.queue, to: "events", key: key)
                try await eventually { try await yard.effects() == ["1": [1, 2]] }
                try await eventually { try await yard.outboxDepth() == 0 }
            }
        }
    }

    @Test func `what this process records is told without the outbox being read`() async throws {
        try await withYard { yard in
            try await whileRunning(yard.exchange([effects()]).services) {
                try await yard.record(unliked(1, 1))
                try await eventually { try await yard.effects() == ["1": [1]] }
                // From now on nothing in the outbox can be read: a row that is not due is no page's.
                _ = try await yard.reader.query("ALTER TABLE outbox ALTER due_at SET DEFAULT now() + interval '1 hour'")
                try await yard.record(unliked(1, 2), unliked(2, 1), unliked(1, 3))
                try await yard.record(unliked(2, 2))
                try await eventually { try await yard.effects() == ["1": [1, 2, 3], "2": [1, 2]] }
                try await eventually { try await yard.outboxDepth() == 0 }
            }
        }
    }

    @Test func `what another process records is told at once, and in the order of its subject`() async throws {
        try await withYard { yard in
            let other = Database(yard.configuration, logger: quiet)
            let there = yard.with(other)
            try await whileRunning([other] + yard.exchange([effects()]).services) {
                try await eventually { yard.metrics.exposition().contains("madang_relay_holder 1\n") }
                // The relay of the other process does not hold the lock: it calls the one that does.
                try await whileRunning(there.exchange([]).services) {
                    for version in stride(from: Int64(1), to: 60, by: 2) {
                        try await there.record(unliked(1, version), unliked(version, 1000))
                        try await yard.record(unliked(1, version + 1))
                    }
                    try await eventually { try await yard.effects()["1"]?.filter { $0 < 1000 }.count == 60 }
                }
                #expect(try await yard.effects()["1"]?.filter { $0 < 1000 } == Array(1...60))
                try await eventually { try await yard.outboxDepth() == 0 }
            }
        }
    }

    @Test func `an event that came by a killed process's hand alone is told by the next`() async throws {
        try await withYard { yard in
            // Committed, and the process is gone before anybody here was told: only the table knows.
            _ = try await yard.database.query(
                OutboxStore.insertion(of: [
                    OutboxRow(
                        id: 0,
                        eventID: EventID.new(),
                        type: PostUnliked.type,
                        subject: "7",
                        audience: Audience.services.rawValue,
                        envelope: try envelope(unliked(7, 1))
                    )
                ])
            )
            try await whileRunning(yard.exchange([effects()]).services) {
                try await eventually { try await yard.effects() == ["7": [1]] }
            }
        }
    }

    @Test func `live events go to whoever listens, or nowhere`() async throws {
        try await withYard { yard in
            try await whileRunning(yard.exchange([]).services) {
                try await yard.database.transaction {
                    try $0.record(SessionRevoked(sessionID: SessionID(1), accountID: nil))
                }
                try await eventually { try await yard.outboxDepth() == 0 }
            }
        }
    }

    @Test func `of two relays only one publishes, and the other takes over`() async throws {
        try await withYard { yard in
            let first = yard.exchange([])
            let second = yard.exchange([effects()])
            try await whileRunning(second.services) {
                try await whileRunning(first.services) {
                    for round in 1...30 { try await yard.record(unliked(Int64(round), 1)) }
                    try await eventually { try await yard.effects().count == 30 }
                }
                try await yard.record(unliked(99, 1))
                try await eventually { try await yard.effects().count == 31 }
            }
            let deliveries = yard.metrics.exposition().split(separator: "\n").filter {
                $0.hasPrefix("madang_consumer_deliveries_total") && $0.contains("duplicate")
            }
            #expect(deliveries.isEmpty)
        }
    }

    @Test func `a relay that loses everything on the way costs duplicates, not effects`() async throws {
        try await withYard { yard in
            try await whileRunning(yard.exchange([effects()]).services) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for version in 1...200 { try await yard.record(unliked(Int64(version % 20), Int64(version))) }
                    }
                    group.addTask {
                        for part in 1...3 {
                            try await eventually {
                                try await yard.count("SELECT count(*) FROM effects") > part * 30
                            }
                            try await yard.broker.closeConnections()
                        }
                    }
                    try await group.waitForAll()
                }
                try await eventually {
                    let depth = try await yard.outboxDepth()
                    let effects = try await yard.count("SELECT count(*) FROM effects")
                    return depth == 0 && effects >= 200
                }
                #expect(try await yard.count("SELECT count(*) FROM effects") == 200)
            }
        }
    }

    @Test func `an event beyond its size is refused before it is stored`() async throws {
        try await withYard { yard in
            let long = String(repeating: "a", count: 600_000)
            let update = LiveUpdate(streams: [], event: "update", payload: Array(long.utf8))
            await #expect(throws: EventTooLarge.self) {
                try await yard.database.transaction {
                    try $0.record(TimelineUpdated(postID: PostID(1), update: update, subjectVersion: 1))
                }
            }
            let depth = try await yard.outboxDepth()
            #expect(depth == 0)
        }
    }
}
