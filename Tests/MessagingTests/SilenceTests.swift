// SPDX-License-Identifier: Apache-2.0
// A network that loses everything, and a broker that takes nothing.

import Messaging
import Support
import Testing

@Suite struct SilenceTests {
    /// Through the wire, and soon to notice that nothing comes.
    private func through(_ wire: Wire, _ configuration: BrokerConfiguration) -> BrokerConfiguration {
        var configuration = configuration
        configuration.port = wire.port
        // A machine may be busy for some seconds: that is no silence of the broker's.
        configuration.heartbeat = 6
        return configuration
    }

    private func tell(_ publisher: Publisher, _ id: String) async throws {
        let outcomes = try await publisher.publish([message(id, to: "q")])
        #expect(outcomes == [.confirmed])
    }

    @Test func `a publisher notices a silent network by missing heartbeats, and what it was given arrives`()
        async throws
    {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await withWire(to: broker.configuration.port) { wire in
                let publisher = Publisher(through(wire, broker.configuration), logger: quiet)
                try await whileRunning([publisher]) {
                    try await tell(publisher, "heard")
                    wire.fallSilent()
                    try await tell(publisher, "unheard")
                    #expect(wire.connections == 2)
                }
            }
        }
    }

    @Test func `a consumer notices a silent network by missing heartbeats, and goes on`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await withWire(to: broker.configuration.port) { wire in
                let seen = Seen()
                let publisher = Publisher(broker.configuration, logger: quiet)
                let consumer = Consumer(
                    through(wire, broker.configuration),
                    queue: .named("q"),
                    prefetch: 10,
                    logger: quiet
                ) { batch in
                    seen.add(batch)
                    return batch.map { _ in .acknowledge }
                }
                try await whileRunning([publisher, consumer]) {
                    try await tell(publisher, "heard")
                    try await eventually { seen.ids.contains("heard") }
                    wire.fallSilent()
                    try await tell(publisher, "unheard")
                    try await eventually { seen.ids.contains("unheard") }
                    #expect(wire.connections == 2)
                }
            }
        }
    }

    @Test func `a blocked publisher sends nothing until the broker takes messages again`() async throws {
        try await withTestBroker { broker in
            try await broker.declare("q")
            try await withWire(to: broker.configuration.port, framed: true) { wire in
                let seen = Seen()
                let blocked = Publisher(through(wire, broker.configuration), logger: quiet)
                let free = Publisher(broker.configuration, logger: quiet)
                let consumer = Consumer(broker.configuration, queue: .named("q"), prefetch: 10, logger: quiet) {
                    batch in
                    seen.add(batch)
                    return batch.map { _ in .acknowledge }
                }
                try await whileRunning([blocked, free, consumer]) {
                    try await tell(blocked, "before")
                    wire.inject(connectionBlocked(because: "low on memory"))
                    try await eventually { blocked.isBlocked }
                    async let outcome = blocked.publish([message("held", to: "q")])
                    try await tell(free, "other")
                    try await eventually { seen.ids == ["before", "other"] }
                    let heartbeats = wire.heartbeats
                    try await eventually("a heartbeat while blocked") { wire.heartbeats > heartbeats }
                    #expect(seen.ids == ["before", "other"])
                    wire.inject(connectionUnblocked)
                    let late = try await outcome
                    #expect(late == [.confirmed])
                    try await eventually { seen.ids == ["before", "other", "held"] }
                    #expect(!blocked.isBlocked)
                    // Heartbeats went on: it is still the first connection.
                    #expect(wire.connections == 1)
                }
            }
        }
    }
}

/// A method frame on channel 0.
private func frame(_ payload: [UInt8]) -> [UInt8] {
    [1, 0, 0, 0, 0, 0, UInt8(clamping: payload.count)] + payload + [0xCE]
}

private func connectionBlocked(because reason: String) -> [UInt8] {
    frame([0, 10, 0, 60, UInt8(clamping: reason.utf8.count)] + Array(reason.utf8))
}

private let connectionUnblocked = frame([0, 10, 0, 61])
