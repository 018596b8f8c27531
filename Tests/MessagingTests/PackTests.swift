// SPDX-License-Identifier: Apache-2.0
// Messages that travel as one.

import Support
import Testing

@testable import Messaging

@Suite struct PackTests {
    private func event(_ id: String, key: String = "posts.A.v1", body: String = "{}") -> Message {
        Message(exchange: "events", routingKey: key, id: id, body: Array(body.utf8))
    }

    /// As the broker hands it over.
    private func delivered(_ message: Message) -> Delivery {
        Delivery(
            exchange: message.exchange,
            routingKey: message.routingKey,
            messageID: message.id,
            headers: message.headers,
            body: message.body
        )
    }

    @Test func `what goes the same way is put together in its order, and taken apart again`() {
        var live = event("5")
        live.persistent = false
        let messages = [
            event("1", body: #"{"text":"\n,\u001e"}"#), event("2", key: "posts.B.v1"), event("3", body: ""), live,
            event("4"),
        ]
        let packs = Pack.packs(of: messages)
        #expect(packs.map(\.places) == [[0, 2, 4], [1], [3]])
        #expect(packs[0].message.contentType == "application/json-seq")
        #expect(packs[1].message.contentType == "application/json" && packs[1].message.headers.isEmpty)
        // By its own id nobody takes a pack for its first.
        #expect(packs.map(\.message.id) == ["pack-1", "2", "5"])
        let parts = delivered(packs[0].message).parts
        #expect(parts.map(\.messageID) == ["1", "3", "4"])
        #expect(parts.map(\.body) == [0, 2, 4].map { messages[$0].body })
        #expect(parts.allSatisfy { $0.headers.isEmpty && $0.routingKey == "posts.A.v1" })
        #expect(delivered(packs[1].message).parts.map(\.body) == [messages[1].body])
    }

    @Test func `a pack is bounded by its number and by its bytes`() {
        let many = (0..<70).map { event("\($0)") }
        #expect(Pack.packs(of: many).map(\.places.count) == [32, 32, 6])
        let large = (0..<5).map { event("\($0)", body: String(repeating: "x", count: 40_000)) }
        #expect(Pack.packs(of: large).map(\.places) == [[0, 1], [2, 3], [4]])
        #expect(Pack.packs(of: []).isEmpty)
    }

    @Test func `what cannot be told apart afterwards goes by itself`() {
        var headed = event("3")
        headed.headers = ["madang-type": "posts.A.v1"]
        let messages = [event("1,1"), event("2", body: "\u{1E}{}\n"), headed, event(""), event("4"), event("5")]
        #expect(Pack.packs(of: messages).map(\.places) == [[0], [1], [2], [3], [4, 5]])
        let between = [event("1"), event("2,2"), event("3"), event("4")]
        #expect(Pack.packs(of: between).map(\.places) == [[0], [1], [2, 3]])
    }

    @Test(arguments: [
        ("1,2", "\u{1E}{}\n"), ("1", "\u{1E}{}\n\u{1E}{}\n"), ("1", "{}"), ("", ""), ("1,2", "{}\u{1E}{}"),
    ])
    func `what says that it is a pack and is none stays one delivery`(ids: String, body: String) {
        let delivery = Delivery(
            exchange: "events",
            routingKey: "posts.A.v1",
            messageID: "1",
            headers: ["madang-pack": ids],
            body: Array(body.utf8)
        )
        #expect(delivery.parts.map(\.body) == [delivery.body])
    }

    @Test func `a pack comes again as long as one of it must`() {
        let pack = Pack.packs(of: [event("1"), event("2"), event("3")])[0].message
        let opened = OpenedDeliveries([delivered(event("0")), delivered(pack), delivered(event("4"))])
        #expect(opened.parts.map(\.messageID) == ["0", "1", "2", "3", "4"])
        func settled(_ parts: [Settlement]) -> [Settlement] { opened.settlements(parts) }
        let done = Settlement.acknowledge
        #expect(settled([done, done, done, done, done]) == [done, done, done])
        #expect(settled([done, done, .requeue, .reject, done]) == [done, .requeue, done])
        #expect(settled([.reject, done, .reject, done, .requeue]) == [.reject, .reject, .requeue])
        // Whoever says too little has them again.
        #expect(settled([done, done, done]) == [done, .requeue, .requeue])
        #expect(settled([]) == [.requeue, .requeue, .requeue])
    }

    @Test func `a consumer has each message of a pack, and the broker few messages`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            let publisher = Publisher(broker.configuration, logger: quiet)
            let ids = (0..<100).map { "\($0)" }
            try await whileRunning([publisher]) {
                var lost = message("lost", to: "no-such-queue")
                lost.mandatory = true
                let outcomes = try await publisher.publishPacked(
                    ids.map { message($0, to: "q") } + [lost, message("lost too", to: "no-such-queue")]
                )
                #expect(outcomes.prefix(100).allSatisfy { $0 == .confirmed })
                #expect(outcomes.suffix(2).allSatisfy { $0 == .returned("312 NO_ROUTE for no-such-queue") })
            }
            let waiting = try await inspect(queue: "q", broker: broker.configuration) {
                ($0.map { _ in .requeue }, $0.count)
            }
            #expect(waiting == 4)
            let seen = Seen()
            let consumer = Consumer(broker.configuration, queue: .named("q"), prefetch: 10, logger: quiet) { batch in
                seen.add(batch)
                return batch.map {
                    $0.messageID == "40" && !seen.ids.dropLast(batch.count).contains("40") ? .requeue : .acknowledge
                }
            }
            try await whileRunning([consumer]) {
                try await eventually { Set(seen.ids) == Set(ids) && seen.ids.count { $0 == "40" } == 2 }
            }
            // Who gave one back has its whole pack again, and no other.
            let times = Dictionary(grouping: seen.ids, by: \.self).mapValues(\.count)
            #expect(ids.allSatisfy { times[$0] == ((32..<64).contains(Int($0) ?? -1) ? 2 : 1) })
            #expect(try await inspect(queue: "q", broker: broker.configuration) { ([], $0.count) } == 0)
        }
    }
}
