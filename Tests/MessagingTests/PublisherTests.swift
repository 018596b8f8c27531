// SPDX-License-Identifier: Apache-2.0
// Publishing to a real broker.

import Messaging
import Support
import Synchronization
import Testing

@Suite struct PublisherTests {
    @Test func `what a queue has is confirmed, what none takes is returned`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            let publisher = Publisher(broker.configuration, window: 3, logger: quiet)
            try await whileRunning([publisher]) {
                var lost = message("3", to: "no-such-queue", body: Array(repeating: 65, count: 300_000))
                let outcomes = try await publisher.publish(
                    (1...2).map { message("\($0)", to: "q") } + [lost] + (4...9).map { message("\($0)", to: "q") }
                )
                #expect(outcomes.enumerated().filter { $0.element != .confirmed }.map(\.offset) == [2])
                #expect(outcomes[2] == .returned("312 NO_ROUTE for no-such-queue"))
                lost.mandatory = false
                #expect(try await publisher.publish([lost]) == [.confirmed])
                #expect(publisher.isConnected)
            }
            #expect(!publisher.isConnected)
        }
    }

    @Test func `bodies larger than a frame arrive whole, with headers and id`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            let publisher = Publisher(broker.configuration, logger: quiet)
            let seen = Seen()
            let consumer = Consumer(broker.configuration, queue: .named("q"), prefetch: 10, logger: quiet) { batch in
                seen.add(batch)
                return batch.map { _ in .acknowledge }
            }
            let sizes = [0, 1, 131_063, 131_064, 131_065, 262_128, 1_000_000]
            try await whileRunning([publisher, consumer]) {
                var messages = sizes.map { size in
                    message("m\(size)", to: "q", body: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                }
                messages[0].headers = ["reason": "이유", "empty": ""]
                let outcomes = try await publisher.publish(messages)
                #expect(outcomes.allSatisfy { $0 == .confirmed })
                try await eventually { seen.all.count == sizes.count }
                #expect(seen.all.map(\.body) == messages.map(\.body))
                #expect(seen.ids == messages.map(\.id))
                #expect(seen.all[0].headers["reason"] == "이유")
                #expect(seen.all[0].headers["empty"] == "")
                #expect(seen.all[1].headers["reason"] == nil)
            }
        }
    }

    @Test func `many tasks share the window`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            let publisher = Publisher(broker.configuration, window: 50, logger: quiet)
            try await whileRunning([publisher]) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<40 {
                        group.addTask {
                            for index in 0..<25 {
                                let outcomes = try await publisher.publish([message("\(task)-\(index)", to: "q")])
                                #expect(outcomes == [.confirmed])
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func `names that do not fit the protocol are refused, the others go`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            let publisher = Publisher(broker.configuration, logger: quiet)
            try await whileRunning([publisher]) {
                let long = message(String(repeating: "i", count: 256), to: "q")
                let outcomes = try await publisher.publish([long, message("1", to: "q")])
                #expect(
                    outcomes == [.unpublishable(code: 0, "its names are longer than the protocol allows"), .confirmed]
                )
                let none = try await publisher.publish([])
                #expect(none.isEmpty)
            }
        }
    }

    @Test func `an exchange that does not exist costs the connection, not the messages after it`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            let publisher = Publisher(broker.configuration, logger: quiet)
            try await whileRunning([publisher]) {
                let bad = Message(exchange: "nowhere", routingKey: "k", id: "bad", body: [])
                let waiting = Task { try await publisher.publish([bad]) }
                try await eventually("a loss") { !publisher.isConnected }
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
            }
        }
    }

    @Test func `a message for which the broker closes the channel is told apart, the others go`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await broker.declare(internalExchange: "inside")
            let publisher = Publisher(broker.configuration, window: 5, logger: quiet)
            try await whileRunning([publisher]) {
                var messages = (0..<40).map { message("\($0)", to: "q") }
                for index in [3, 4, 22] { messages[index].exchange = "inside" }
                let told = messages
                let answer = Mutex<[PublishOutcome]>([])
                let publishing = Task {
                    let outcomes = try await publisher.publish(told)
                    answer.withLock { $0 = outcomes }
                }
                defer { publishing.cancel() }
                try await eventually("an answer") { answer.withLock { !$0.isEmpty } }
                let outcomes = answer.withLock { $0 }
                for (index, outcome) in outcomes.enumerated() {
                    guard [3, 4, 22].contains(index) else {
                        #expect(outcome == .confirmed, "\(index)")
                        continue
                    }
                    #expect("\(outcome)".hasPrefix("unpublishable") && "\(outcome)".contains("403"), "\(outcome)")
                }
                // And at full speed afterwards.
                let later = try await publisher.publish((100..<120).map { message("\($0)", to: "q") })
                #expect(later.allSatisfy { $0 == .confirmed })
            }
        }
    }

    @Test func `a lost connection is reopened and everything is confirmed`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            let publisher = Publisher(broker.configuration, window: 100, logger: quiet)
            let seen = Seen()
            let consumer = Consumer(broker.configuration, queue: .named("q"), prefetch: 100, logger: quiet) { batch in
                seen.add(batch)
                return batch.map { _ in .acknowledge }
            }
            try await whileRunning([publisher, consumer]) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<20 {
                        group.addTask {
                            for index in 0..<100 {
                                let outcomes = try await publisher.publish([message("\(task)-\(index)", to: "q")])
                                #expect(outcomes == [.confirmed])
                            }
                        }
                    }
                    var closed = 0
                    for part in 1...3 {
                        try await eventually { seen.ids.count > part * 300 }
                        try await eventually("connections to close") {
                            closed += try await broker.closeConnections()
                            return closed >= part * 2
                        }
                    }
                    try await group.waitForAll()
                }
                try await eventually { Set(seen.ids).count == 2000 }
            }
        }
    }

    @Test func `closing without a broker does not hang and tells who waits`() async throws {
        let nowhere = try #require(BrokerConfiguration(uri: "amqp://127.0.0.1:1", connectionName: "test"))
        let publisher = Publisher(nowhere, logger: quiet)
        let waiting = Task { try await publisher.publish([message("1", to: "q")]) }
        try await whileRunning([publisher]) { #expect(!publisher.isConnected) }
        await #expect(throws: PublisherClosed.self) { try await waiting.value }
        await #expect(throws: PublisherClosed.self) { try await publisher.publish([message("2", to: "q")]) }
    }
}
