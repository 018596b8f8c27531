// SPDX-License-Identifier: Apache-2.0
// Consuming from a real broker.

import Messaging
import Postgres
import Support
import Synchronization
import Testing

@Suite struct ConsumerTests {
    private struct Away: Error {}

    private func fill(_ broker: TestBroker, _ queue: String, _ ids: [String]) async throws {
        let publisher = Publisher(broker.configuration, logger: quiet)
        let outcomes = try await whileRunning([publisher]) {
            try await publisher.publish(ids.map { message($0, to: queue) })
        }
        #expect(outcomes.allSatisfy { $0 == .confirmed })
    }

    @Test func `acknowledged is gone, requeued comes again with its count, rejected goes to the dead letters`()
        async throws
    {
        try await withTestBroker { broker in
            try await fill(broker, "posts.fanout", ["good", "again", "bad"])
            let seen = Seen()
            let consumer = Consumer(broker.configuration, queue: .named("posts.fanout"), prefetch: 10, logger: quiet) {
                batch in
                seen.add(batch)
                return batch.map { delivery in
                    switch delivery.messageID {
                    case "again": delivery.deliveryCount < 2 ? .requeue : .acknowledge
                    case "bad": .reject
                    default: .acknowledge
                    }
                }
            }
            let dead = Seen()
            let graveyard = Consumer(broker.configuration, queue: .named("posts.dead"), prefetch: 10, logger: quiet) {
                batch in
                dead.add(batch)
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([consumer, graveyard]) {
                try await eventually { seen.ids.filter { $0 == "again" }.count == 3 && dead.ids == ["bad"] }
            }
            #expect(seen.ids.filter { $0 == "good" }.count == 1)
            #expect(seen.all.filter { $0.messageID == "again" }.map(\.deliveryCount) == [0, 1, 2])
            #expect(dead.all.first?.headers["x-first-death-queue"] == "posts.fanout")
            #expect(dead.all.first?.headers["x-first-death-reason"] == "rejected")
        }
    }

    @Test func `batches have at most prefetch deliveries and come one at a time`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await fill(broker, "q", (0..<95).map { "\($0)" })
            let seen = Seen()
            let inside = Mutex(0)
            let consumer = Consumer(broker.configuration, queue: .named("q"), prefetch: 10, logger: quiet) { batch in
                #expect(
                    inside.withLock {
                        $0 += 1; return $0
                    } == 1
                )
                seen.add(batch)
                await Task.yield()
                inside.withLock { $0 -= 1 }
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([consumer]) { try await eventually { seen.ids.count == 95 } }
            #expect(seen.ids == (0..<95).map { "\($0)" })
            #expect(seen.batches.allSatisfy { $0.count <= 10 })
        }
    }

    @Test func `a throwing handle gives the batch back and pauses until ready`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await fill(broker, "q", (0..<20).map { "\($0)" })
            let seen = Seen()
            let isAway = Mutex(true)
            let askedReady = Mutex(0)
            let consumer = Consumer(
                broker.configuration,
                queue: .named("q"),
                prefetch: 5,
                logger: quiet,
                ready: {
                    askedReady.withLock { $0 += 1 }
                    if isAway.withLock({ $0 }) { throw Away() }
                }
            ) { batch in
                seen.add(batch)
                if isAway.withLock({ $0 }) { throw Away() }
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([consumer]) {
                try await eventually { askedReady.withLock { $0 } >= 4 }
                #expect(seen.batches.count == 1)
                isAway.withLock { $0 = false }
                try await eventually {
                    Set(seen.batches.dropFirst().flatMap { $0 }.compactMap(\.messageID)).count == 20
                }
            }
            #expect(seen.all.allSatisfy { $0.deliveryCount <= 1 })
            #expect(seen.batches.dropFirst().flatMap { $0 }.count == 20)
        }
    }

    @Test func `what is acknowledged is told though nothing comes after it`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await fill(broker, "q", ["1", "2", "3"])
            let seen = Seen()
            let consumer = Consumer(broker.configuration, queue: .named("q"), prefetch: 100, logger: quiet) { batch in
                seen.add(batch)
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([consumer]) {
                try await eventually { Set(seen.ids).count == 3 }
                try await eventually("the broker holds nothing") { try await broker.messages(in: "q") == 0 }
            }
            #expect(consumer.lostConnections == 0)
        }
    }

    @Test func `batches are handled where it is asked for`() async throws {
        try await withTestBroker { broker in
            try await withDatabase { database, _ in
                try await broker.declare("q")
                try await fill(broker, "q", ["1", "2", "3"])
                let seen = Seen()
                let places = Mutex<Set<String>>([])
                let consumer = Consumer(
                    broker.configuration,
                    queue: .named("q"),
                    prefetch: 1,
                    executor: database.tasks,
                    logger: quiet
                ) { batch in
                    for _ in 0..<2 {
                        _ = places.withLock { $0.insert(threadName()) }
                        _ = try await database.query("SELECT 1")
                    }
                    seen.add(batch)
                    return batch.map { _ in .acknowledge }
                }
                try await whileRunning([consumer]) { try await eventually { seen.ids.count == 3 } }
                #expect(places.withLock { $0 } == ["postgres"])
            }
        }
    }

    @Test func `graceful stop settles the batch in hand and gives the others back`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await fill(broker, "q", (0..<10).map { "\($0)" })
            let first = Seen()
            let (stopping, stop) = AsyncStream<Void>.makeStream()
            let consumer = Consumer(broker.configuration, queue: .named("q"), prefetch: 10, logger: quiet) { batch in
                first.add(batch)
                for await _ in stopping { break }
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([consumer]) {
                try await eventually { !first.batches.isEmpty }
                stop.yield()
            }
            let second = Seen()
            let other = Consumer(broker.configuration, queue: .named("q"), prefetch: 10, logger: quiet) { batch in
                second.add(batch)
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([other]) {
                try await eventually { Set(first.ids + second.ids).count == 10 && other.isConnected }
            }
            #expect(Set(first.ids).isDisjoint(with: second.ids))
        }
    }

    @Test func `a temporary queue in which too much waits is given up, and that is told`() async throws {
        try await withTestBroker { broker in
            let publisher = Publisher(broker.configuration, logger: quiet)
            let isHeld = Mutex(true)
            let losses = Mutex(0)
            let seen = Seen()
            let consumer = Consumer(
                broker.configuration,
                queue: .temporary(exchange: "live", keys: ["posts.#"], length: 100),
                prefetch: 10,
                logger: quiet,
                disconnected: { losses.withLock { $0 += 1 } }
            ) { batch in
                try await eventually { !isHeld.withLock { $0 } }
                seen.add(batch)
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([publisher, consumer]) {
                @Sendable func send(_ ids: [String]) async throws {
                    _ = try await publisher.publish(
                        ids.map { id in
                            var message = Message(exchange: "live", routingKey: "posts.X", id: id, body: [])
                            message.mandatory = false
                            return message
                        }
                    )
                }
                try await eventually { consumer.isConnected }
                try await send((0..<500).map { "\($0)" })
                try await eventually("the overflow told") { losses.withLock { $0 } == 1 }
                isHeld.withLock { $0 = false }
                try await eventually("what is sent afterwards") {
                    try await send(["after"])
                    return seen.ids.contains("after")
                }
                #expect(losses.withLock { $0 } == 1)
            }
        }
    }

    @Test func `a temporary queue takes what is sent while it is open`() async throws {
        try await withTestBroker { broker in
            let publisher = Publisher(broker.configuration, logger: quiet)
            let seen = Seen()
            let connections = Mutex(0)
            let losses = Mutex(0)
            let consumer = Consumer(
                broker.configuration,
                queue: .temporary(exchange: "live", keys: ["posts.#", "auth.SessionRevoked.v1"]),
                prefetch: 100,
                logger: quiet,
                connected: { connections.withLock { $0 += 1 } },
                disconnected: { losses.withLock { $0 += 1 } }
            ) { batch in
                seen.add(batch)
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([publisher, consumer]) {
                @Sendable func send(_ id: String, _ key: String) async throws {
                    var message = Message(exchange: "live", routingKey: key, id: id, body: [])
                    message.mandatory = false
                    message.persistent = false
                    message.headers = ["n": "1"]
                    #expect(try await publisher.publish([message]) == [.confirmed])
                }
                try await eventually { connections.withLock { $0 } == 1 }
                try await send("1", "posts.TimelineUpdated.v1")
                try await send("2", "chat.MessageSent.v1")
                try await send("3", "auth.SessionRevoked.v1")
                try await eventually { seen.ids == ["1", "3"] }
                try await eventually("a loss") {
                    try await broker.closeConnections()
                    return losses.withLock { $0 } > 0
                }
                try await eventually { connections.withLock { $0 } == losses.withLock { $0 } + 1 }
                try await send("4", "posts.TimelineUpdated.v1")
                try await eventually { seen.ids.last == "4" }
            }
        }
    }

    @Test func `a deleted queue is consumed again once it is back`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await fill(broker, "q", ["1"])
            let seen = Seen()
            let losses = Mutex(0)
            let consumer = Consumer(
                broker.configuration,
                queue: .named("q"),
                prefetch: 10,
                watched: ["q", "none"],
                logger: quiet,
                disconnected: { losses.withLock { $0 += 1 } }
            ) { batch in
                seen.add(batch)
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([consumer]) {
                try await eventually { seen.ids == ["1"] }
                try await broker.delete(queue: "q")
                try await eventually { losses.withLock { $0 } > 0 }
                try await broker.declare("q")
                try await self.fill(broker, "q", ["2"])
                try await eventually { seen.ids == ["1", "2"] }
                try await eventually { consumer.readyMessages(in: "q") == 0 }
                #expect(consumer.readyMessages(in: "none") == nil)
            }
        }
    }

    @Test func `cancelling does not wait for a broker that is away`() async throws {
        let nowhere = try #require(BrokerConfiguration(uri: "amqp://127.0.0.1:1", connectionName: "test"))
        let consumer = Consumer(nowhere, queue: .named("q"), prefetch: 10, logger: quiet) { _ in [] }
        let task = Task { try await consumer.run() }
        task.cancel()
        try await task.value
        #expect(!consumer.isConnected)
    }
}
