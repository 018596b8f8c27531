// SPDX-License-Identifier: Apache-2.0
// What counts as an attempt of an event, and what does not.

import Domain
import Events
import Messaging
import Postgres
import Support
import Synchronization
import Testing

@testable import Outbox

@Suite(.serialized) struct AttemptTests {
    private func fill(_ yard: Yard, _ posts: some Sequence<Int64>) async throws {
        try await publish(
            yard,
            try posts.map { post in
                let id = EventID.new()
                return (id: id, body: try envelope(unliked(post, 1), id: id))
            }
        )
    }

    /// As the broker delivers it after it was given back so often.
    private func delivery(_ post: Int64, times: Int) throws -> Delivery {
        let id = EventID.new()
        return Delivery(
            exchange: "events",
            routingKey: PostUnliked.type,
            messageID: id,
            headers: times > 0 ? ["x-delivery-count": "\(times)"] : [:],
            body: try envelope(unliked(post, 1), id: id),
            redelivered: times > 0
        )
    }

    private func consumer(_ yard: Yard, _ before: @escaping Before = { _, _ in }) -> EventConsumer {
        EventConsumer(queue: effects(within: before), database: yard.database, metrics: yard.metrics, logger: quiet)
    }

    @Test func `the deadline of a transaction fits its batch`() async throws {
        // A second more than one event may take, and a minute less than 64 may, which is for a busy machine.
        try await withYard(deadline: .seconds(20)) { yard in
            try await fill(yard, 0..<64)
            let rounds = Mutex(0)
            let queue = effects { _, transaction in
                rounds.withLock { $0 += 1 }
                _ = try await transaction.query("SELECT pg_sleep(0.33)")
            }
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually { try await yard.effects().count == 64 }
            }
            // Nothing was done twice: it fitted at once.
            #expect(rounds.withLock { $0 } == 64)
        }
    }

    @Test func `an event that is slow alone goes to the dead letters with its reason, the others go on`() async throws {
        try await withYard(deadline: .milliseconds(300)) { yard in
            try await fill(yard, 0..<40)
            let queue = effects { event, transaction in
                if event.postID.rawValue == 7 { _ = try await transaction.query("SELECT pg_sleep(20)") }
            }
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually {
                    let dead = try await yard.count("SELECT count(*) FROM dead_letters")
                    let effects = try await yard.count("SELECT count(*) FROM effects")
                    return dead == 1 && effects == 39
                }
            }
            let dead = try await yard.count(
                "SELECT count(*) FROM dead_letters WHERE reason LIKE 'failed 5 times: deadlineExceeded%'"
            )
            #expect(dead == 1)
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
        }
    }

    @Test(arguments: [
        PostgresError.connectionLost("test", sent: false), .poolExhausted, .commitUnknown,
        .server(sqlState: "57P01", message: "", constraint: nil, statement: ""),
        .server(sqlState: "53300", message: "", constraint: nil, statement: ""),
    ])
    func `a database that is away counts as nobody's failure`(_ away: PostgresError) async throws {
        try await withYard { yard in
            let isAway = Mutex(true)
            let events = consumer(yard) { _, _ in if isAway.withLock({ $0 }) { throw away } }
            var deliveries = [try delivery(1, times: 0), try delivery(2, times: 4), try delivery(3, times: 9)]
            for round in 0..<16 {
                let some = round % 2 == 0 ? deliveries : deliveries.filter(\.redelivered)
                await #expect(throws: PostgresError.self) { _ = try await events.handle(some) }
                deliveries.reverse()
            }
            isAway.withLock { $0 = false }
            let settlements = try await events.handle(deliveries)
            #expect(settlements.allSatisfy { if case .acknowledge = $0 { true } else { false } }, "\(settlements)")
            #expect(try await yard.effects().count == 3)
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
            #expect(try await yard.count("SELECT count(*) FROM dead_letters") == 0)
        }
    }

    @Test func `only the message that ends the process again and again is given up, not its neighbours`() async throws {
        try await withYard { yard in
            let deliveries = try (0..<32).map { try delivery($0, times: 1) }
            var rejected: Set<Int> = []
            var acknowledged: Set<Int> = []
            for _ in 0..<25 where rejected.count + acknowledged.count < 32 {
                // A consumer without memory, as after a crash: nothing is noted after the event was begun.
                let events = consumer(yard) { event, _ in
                    if event.postID.rawValue == 17 { throw PostgresError.closed }
                }
                let left = deliveries.indices.filter { !rejected.contains($0) && !acknowledged.contains($0) }
                guard let settlements = try? await events.handle(left.map { deliveries[$0] }) else { continue }
                for (index, settlement) in zip(left, settlements) {
                    switch settlement {
                    case .acknowledge: acknowledged.insert(index)
                    case .reject: rejected.insert(index)
                    case .requeue: break
                    }
                }
            }
            #expect(rejected == [17])
            #expect(acknowledged.count == 31)
            #expect(try await yard.effects().count == 31)
            #expect(try await yard.count("SELECT count(*) FROM dead_letters WHERE reason LIKE 'in hand%'") == 1)
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
        }
    }

    @Test func `a conflict costs another try and no attempt`() async throws {
        try await withYard { yard in
            let tries = Mutex(0)
            let conflict = PostgresError.server(sqlState: "40P01", message: "", constraint: nil, statement: "")
            let events = consumer(yard) { _, _ in
                if tries.withLock({
                    $0 += 1; return $0
                }) <= 30 {
                    throw conflict
                }
            }
            let deliveries = [try delivery(1, times: 0)]
            var settlement = Settlement.requeue
            while case .requeue = settlement { settlement = try await events.handle(deliveries).first ?? .reject }
            guard case .acknowledge = settlement else {
                Issue.record("\(settlement)")
                return
            }
            #expect(try await yard.effects() == ["1": [1]])
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
        }
    }
}
