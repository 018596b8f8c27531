// SPDX-License-Identifier: Apache-2.0
// From the queue to an effect that happens once.

import Domain
import Events
import Logging
import Messaging
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Outbox

@Suite(.serialized) struct EventConsumerTests {
    private struct Broken: Error {}

    @Test func `an envelope applied twice has one effect`() async throws {
        try await withYard { yard in
            let body = try envelope(unliked(1, 1))
            let queue = effects { _ in #expect(TraceContext.current != nil) }
            #expect(try await queue.apply(body, in: yard.database))
            #expect(try await !queue.apply(body, in: yard.database))
            #expect(try await yard.effects() == ["1": [1]])
            await #expect(throws: Unacceptable.self) { try await queue.apply([1, 2], in: yard.database) }
        }
    }

    @Test func `one that was handled harms none of those with which it comes again, whatever twice would do`()
        async throws
    {
        try await withYard { yard in
            _ = try await yard.database.query("CREATE TABLE once (post int8 PRIMARY KEY)")
            let applied = Mutex<[Int64]>([])
            let queue = effects { event, transaction in
                applied.withLock { $0.append(event.postID.rawValue) }
                transaction.enqueue("INSERT INTO once VALUES (\(event.postID))")
            }
            let bodies = try (1...4).map { try envelope(unliked($0, 1)) }
            #expect(try await queue.apply(Array(bodies[..<2]), in: yard.database) == 2)
            #expect(applied.withLock { $0 } == [1, 2])
            #expect(try await queue.apply(bodies, in: yard.database) == 2)
            #expect(try await yard.effects() == ["1": [1], "2": [1], "3": [1], "4": [1]])
            #expect(try await yard.count("SELECT count(*) FROM once") == 4)
            #expect(try await yard.count("SELECT count(*) FROM inbox") == 4)
        }
    }

    @Test func `what an event does finds it claimed`() async throws {
        try await withYard { yard in
            let found = Mutex<[Int64]>([])
            let queue = effects { _, transaction in
                let claimed = try await transaction.query("SELECT count(*) FROM inbox").all { try $0.next(Int64.self) }
                found.withLock { $0 += claimed }
            }
            let isNew = try await queue.apply(try envelope(unliked(1, 1)), in: yard.database)
            #expect(isNew)
            #expect(found.withLock { $0 } == [1])
        }
    }

    @Test func `what concerns nobody is acknowledged without a note, and everything else has its one effect`()
        async throws
    {
        try await withYard { yard in
            let queue = EventQueue(
                Yard.queue,
                isOfConcern: { ($0 as? PostUnliked)?.subjectVersion.isMultiple(of: 2) ?? true },
                effects().reactions
            )
            let events = (1...40).map { (id: EventID.new(), version: Int64($0)) }
            let bodies = try events.map { (id: $0.id, body: try envelope(unliked(1, $0.version), id: $0.id)) }
            try await publish(yard, bodies + bodies)
            @Sendable func deliveries(_ outcome: String) -> Int {
                yard.metrics.exposition().split(separator: "\n")
                    .filter { $0.hasPrefix("madang_consumer_deliveries_total") && $0.contains("\"\(outcome)\"") }
                    .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
            }
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually {
                    deliveries("ignored") == 40 && deliveries("applied") == 20 && deliveries("duplicate") == 20
                }
            }
            #expect(try await yard.effects()["1"]?.sorted() == events.map(\.version).filter { $0.isMultiple(of: 2) })
            #expect(try await yard.count("SELECT count(*) FROM inbox") == 20)
        }
    }

    @Test func `a queue that can be rebuilt ignores nothing`() async throws {
        try await withYard { yard in
            let rebuild = Rebuild(seen: { _ in [] }, withdrawals: [])
            let queue = EventQueue(Yard.queue, isOfConcern: { _ in false }, rebuild: rebuild, effects().reactions)
            let body = try envelope(unliked(1, 1))
            #expect(try await queue.apply(body, in: yard.database))
            #expect(try await yard.effects() == ["1": [1]])
        }
    }

    @Test func `an event delivered many times has one effect`() async throws {
        try await withYard { yard in
            let event = (id: EventID.new(), version: Int64(1))
            let body = try envelope(unliked(1, event.version), id: event.id)
            try await publish(yard, Array(repeating: (event.id, body), count: 50))
            try await whileRunning(yard.exchange([effects()]).services) {
                try await eventually {
                    yard.metrics.exposition().contains(
                        #"madang_consumer_deliveries_total{outcome="duplicate",queue="notifications.activity"} 49"#
                    )
                        || yard.metrics.exposition().contains(
                            #"madang_consumer_deliveries_total{queue="notifications.activity",outcome="duplicate"} 49"#
                        )
                }
            }
            #expect(try await yard.effects() == ["1": [1]])
        }
    }

    @Test func `a queue that the broker does not have is told of, tried again, and in the way of no other`()
        async throws
    {
        try await withYard { yard in
            let missing = "notifications.missing"
            let log = RecordedLog()
            let exchange = yard.exchange(
                [effects(), EventQueue(missing, effects().reactions)],
                logger: Logger(label: "test") { _ in log }
            )
            @Sendable func losses(of queue: String) -> Int {
                let series = "madang_broker_losses_total{link=\"\(queue)\"} "
                let line = yard.metrics.exposition().split(separator: "\n").first { $0.hasPrefix(series) }
                return line.flatMap { Int($0.dropFirst(series.count)) } ?? -1
            }
            try await whileRunning(exchange.services) {
                try await eventually { losses(of: missing) >= 4 }
                let first = EventID.new()
                try await publish(yard, [(first, try envelope(unliked(1, 1), id: first))])
                try await eventually { try await yard.effects() == ["1": [1]] }
                try await eventually { losses(of: missing) >= 6 }
                let lines = log.lines.withLock { $0 }.filter { $0.contains("no such queue") }
                #expect(lines.count >= 5 && lines.allSatisfy { $0.contains(missing) })
                try await yard.broker.declare(missing)
                try await yard.broker.bind(missing, to: "events", key: PostUnliked.type)
                let second = EventID.new()
                try await publish(yard, [(second, try envelope(unliked(2, 1), id: second))])
                // Each of the two queues has its effect.
                try await eventually { try await yard.effects()["2"]?.count == 2 }
                #expect(losses(of: Yard.queue) == 0 && losses(of: "outbox") == 0)
            }
        }
    }

    @Test func `poison goes to the dead letters with its reason, the others are handled`() async throws {
        try await withYard { yard in
            var messages: [(id: String, body: [UInt8])] = []
            for index in 0..<200 {
                let id = EventID.new()
                switch index % 40 {
                case 7: messages.append((id, Array("{\"type\":".utf8)))
                case 17: messages.append((id, try envelope(unliked(1001, 0), id: id)))
                case 27: messages.append((id, try envelope(unliked(1002, 0), id: id)))
                default: messages.append((id, try envelope(unliked(Int64(index), 1), id: id)))
                }
            }
            try await publish(yard, messages)
            let queue = effects { event in
                if event.postID.rawValue == 1001 { throw Unacceptable("no such post") }
                if event.postID.rawValue == 1002 { throw Broken() }
            }
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually {
                    let dead = try await yard.count("SELECT count(*) FROM dead_letters")
                    let effects = try await yard.count("SELECT count(*) FROM effects")
                    return dead == 15 && effects == 185
                }
            }
            #expect(try await yard.count("SELECT count(*) FROM dead_letters WHERE reason LIKE 'undecodable%'") == 5)
            #expect(try await yard.count("SELECT count(*) FROM dead_letters WHERE reason = 'no such post'") == 5)
            #expect(try await yard.count("SELECT count(*) FROM dead_letters WHERE reason LIKE 'failed 5 times%'") == 5)
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
            let lines = try await yard.deadLetters(.list)
            #expect(lines.count == 17)
            #expect(lines.filter { $0.contains("no such post") && $0.contains(Yard.queue) }.count == 5)
        }
    }

    @Test func `a cause that goes away in time costs nothing`() async throws {
        try await withYard { yard in
            let tries = Mutex(0)
            let queue = effects { _ in
                if tries.withLock({
                    $0 += 1; return $0
                }) < 4 {
                    throw Broken()
                }
            }
            try await publish(yard, [(EventID.new(), try envelope(unliked(1, 1)))])
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually { try await yard.effects() == ["1": [1]] }
            }
            #expect(try await yard.count("SELECT count(*) FROM dead_letters") == 0)
        }
    }

    @Test func `while the database is away nothing is lost and nothing dies`() async throws {
        try await withYard { yard in
            let isAway = Mutex(true)
            let tries = Mutex(0)
            let queue = effects { _ in
                tries.withLock { $0 += 1 }
                if isAway.withLock({ $0 }) { throw PostgresError.connectionLost("test", sent: false) }
            }
            let messages = try (0..<20).map { (EventID.new(), try envelope(unliked(Int64($0), 1))) }
            try await publish(yard, messages.map { (id: $0.0, body: $0.1) })
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually { tries.withLock { $0 } >= 2 }
                isAway.withLock { $0 = false }
                try await eventually { try await yard.effects().count == 20 }
            }
            #expect(try await yard.count("SELECT count(*) FROM dead_letters") == 0)
        }
    }

    @Test func `a message that may have ended the process is tried alone and then given up`() async throws {
        try await withYard { yard in
            let events = EventConsumer(queue: effects(), database: yard.database, metrics: yard.metrics, logger: quiet)
            let id = EventID.new()
            let delivery = Delivery(
                exchange: "events",
                routingKey: PostUnliked.type,
                messageID: id,
                body: try envelope(unliked(1, 1), id: id),
                redelivered: true
            )
            for _ in 0..<5 { try await events.inbox.noteAttempts([id], reason: "in hand when its consumer ended") }
            let settlements = try await events.handle([delivery])
            guard case .reject = settlements.first else {
                Issue.record("not rejected: \(settlements)")
                return
            }
            #expect(try await yard.effects().isEmpty)
            #expect(try await yard.count("SELECT count(*) FROM dead_letters WHERE event_id = \(id)") == 1)
        }
    }

    @Test func `dead letters are replayed to the queue they came from, or dropped`() async throws {
        try await withYard { yard in
            let isBroken = Mutex(true)
            let queue = effects { _ in
                if isBroken.withLock({ $0 }) { throw Unacceptable("not yet") }
            }
            let ids = (0..<3).map { _ in EventID.new() }
            try await publish(
                yard,
                try ids.enumerated().map { (id: $1, body: try envelope(unliked(Int64($0), 1), id: $1)) }
            )
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually { try await yard.deadLetters(.list).count == 5 }
                let log = RecordedLog()
                let noting = Logger(label: "operator") { _ in log }
                #expect(try await yard.deadLetters(.drop, [ids[0]], logger: noting) == ["dropped 1 of 3"])
                let noted = log.lines.withLock { $0 }
                #expect(noted.contains { $0.contains("drop") && $0.contains(ids[0]) && $0.contains(operatorName()) })
                isBroken.withLock { $0 = false }
                #expect(try await yard.deadLetters(.replay, [ids[1]]) == ["replayed 1 of 2"])
                try await eventually { try await yard.effects() == ["1": [1]] }
                // What was not named is still there.
                let left = try await yard.deadLetters(.list)
                #expect(left.count == 3)
                #expect(left.contains { $0.contains(ids[2]) && $0.contains("not yet") })
                #expect(try await yard.deadLetters(.replay, []) == ["replayed 1 of 1"])
                try await eventually { try await yard.effects() == ["1": [1], "2": [1]] }
                #expect(try await yard.deadLetters(.list).count == 2)
            }
        }
    }
}
