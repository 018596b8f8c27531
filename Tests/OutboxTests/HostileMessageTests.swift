// SPDX-License-Identifier: Apache-2.0
// Messages that can never work, among many that do.

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

@Suite(.serialized) struct HostileMessageTests {
    private struct Broken: Error {}

    private func text(_ id: String, _ change: (inout [String: Any]) -> Void) throws -> [UInt8] {
        let data = Data(try envelope(unliked(1, 1), id: id))
        var members = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        change(&members)
        return [UInt8](try JSONSerialization.data(withJSONObject: members))
    }

    /// F15: exactly the 20 that cannot work die, with their reasons, and nobody else waits for them.
    @Test func `ten undecodable and ten that always fail among a thousand`() async throws {
        try await withYard { yard in
            var messages: [(id: String, body: [UInt8])] = []
            for index in 0..<1020 {
                let id = EventID.new()
                switch index % 102 {
                case 33: messages.append((id, Array("{\"type\":\(index)".utf8)))
                case 77: messages.append((id, try envelope(unliked(5000, 1), id: id)))
                default: messages.append((id, try envelope(unliked(Int64(index), 1), id: id)))
                }
            }
            try await publish(yard, messages)
            let queue = effects { event in if event.postID.rawValue == 5000 { throw Broken() } }
            let start = ContinuousClock.now
            try await whileRunning(yard.exchange([queue]).services) {
                try await eventually {
                    try await yard.count("SELECT count(*) FROM dead_letters") == 20
                }
            }
            let took = ContinuousClock.now - start
            #expect(try await yard.count("SELECT count(*) FROM effects") == 1000)
            #expect(try await yard.count("SELECT count(*) FROM dead_letters WHERE reason LIKE 'undecodable%'") == 10)
            let failed = try await yard.count(
                "SELECT count(*) FROM dead_letters WHERE reason LIKE 'failed 5 times: Broken%'"
            )
            #expect(failed == 10)
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 0)
            print("F15 1000 effects, 20 dead, all done after \(took)")
        }
    }

    /// B13: whatever a message is, it is parked with its reason and the next is handled.
    @Test func `bad messages of every kind are parked with their reasons`() async throws {
        try await withYard { yard in
            let bodies: [(name: String, body: @Sendable (String) throws -> [UInt8])] = [
                ("no JSON", { _ in [0xFF, 0xFE, 0] }),
                ("empty", { _ in [] }),
                ("an array", { _ in Array("[]".utf8) }),
                ("nested", { _ in Array(repeating: UInt8(ascii: "["), count: 100_000) }),
                ("no data", { id in try text(id) { $0["data"] = nil } }),
                ("wrong data", { id in try text(id) { $0["data"] = ["actor_id": true, "post_id": [1]] } }),
                ("wrong version", { id in try text(id) { $0["version"] = "new" } }),
                ("no id", { id in try text(id) { $0["id"] = nil } }),
                ("bad id", { id in try text(id) { $0["id"] = "1" } }),
                ("no type", { id in try text(id) { $0["type"] = nil } }),
                ("bad type", { id in try text(id) { $0["type"] = "posts.\u{0}.v1" } }),
                ("no source", { id in try text(id) { $0["source"] = nil } }),
                ("16 MiB", { _ in Array(repeating: UInt8(ascii: " "), count: 16 << 20) }),
            ]
            let publisher = Publisher(yard.broker.configuration, logger: quiet)
            try await whileRunning([publisher] + yard.exchange([effects()]).services) {
                for (index, (name, body)) in bodies.enumerated() {
                    let id = EventID.new()
                    // Some without an AMQP message id.
                    let bad = Message(
                        exchange: "events",
                        routingKey: PostUnliked.type,
                        id: index % 2 == 0 ? id : "",
                        body: try body(id)
                    )
                    let good = EventID.new()
                    let next = Message(
                        exchange: "events",
                        routingKey: PostUnliked.type,
                        id: good,
                        body: try envelope(unliked(Int64(index), 1), id: good)
                    )
                    #expect(try await publisher.publish([bad, next]) == [.confirmed, .confirmed], "\(name)")
                    try await eventually("an effect after \(name)") {
                        try await yard.effects()["\(index)"] == [1]
                    }
                }
                try await eventually("all to be parked") {
                    try await yard.count("SELECT count(*) FROM dead_letters WHERE reason <> ''") == bodies.count
                }
            }
        }
    }

    /// F18 for any consumer: twice, backwards and shuffled leave one effect of each.
    @Test(arguments: TestSeed.list(1...3))
    func `a history in any order and twice has each effect once`(seed: UInt64) async throws {
        try await withYard { yard in
            let history = try (0..<60).map { index in
                let id = EventID.new()
                return (id: id, body: try envelope(unliked(Int64(index), 1), id: id))
            }
            var dice = TestSeed(seed)
            try await publish(yard, history.reversed() + history + history.shuffled(using: &dice))
            try await whileRunning(yard.exchange([effects()]).services) {
                try await eventually {
                    let done = yard.metrics.exposition().split(separator: "\n")
                        .filter { $0.hasPrefix("madang_consumer_deliveries_total") }
                        .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
                    return done == 180
                }
            }
            let effects = try await yard.effects()
            #expect(effects.count == 60 && effects.values.allSatisfy { $0 == [1] })
        }
    }
}
