// SPDX-License-Identifier: Apache-2.0
// Who is connected, by what gateways say and when they last said it.

import Domain
import Events
import Foundation
import Logging
import Messaging
import Support
import Testing

@testable import NotificationsService

@Suite struct PresenceTests {
    private let start = ContinuousClock.now

    private func word(
        _ gateway: String,
        _ version: Int64,
        connected: [AccountID] = [],
        disconnected: [AccountID] = [],
        isWhole: Bool = false
    ) -> PresenceChanged {
        PresenceChanged(
            gatewayID: gateway,
            connected: connected,
            disconnected: disconnected,
            isWhole: isWhole,
            subjectVersion: version
        )
    }

    @Test func `nobody is connected until a gateway says so`() {
        var table = PresenceTable()
        #expect(!table.isConnected(1, at: start))
        table.take(word("a", 1, connected: [1]), at: start)
        #expect(table.isConnected(1, at: start))
        #expect(!table.isConnected(2, at: start))
    }

    @Test func `who leaves one gateway may be at another`() {
        var table = PresenceTable()
        table.take(word("a", 1, connected: [1]), at: start)
        table.take(word("b", 1, connected: [1]), at: start)
        table.take(word("a", 2, disconnected: [1]), at: start)
        #expect(table.isConnected(1, at: start))
        table.take(word("b", 2, isWhole: true), at: start)
        #expect(!table.isConnected(1, at: start))
    }

    @Test func `a whole word replaces what was known, and an old word is nothing`() {
        var table = PresenceTable()
        table.take(word("a", 5, connected: [1, 2]), at: start)
        table.take(word("a", 6, connected: [2, 3], isWhole: true), at: start)
        table.take(word("a", 4, connected: [4]), at: start)
        #expect([1, 2, 3, 4].map { table.isConnected($0, at: start) } == [false, true, true, false])
    }

    @Test func `a gateway that says nothing any more has nobody`() {
        var table = PresenceTable()
        table.take(word("a", 1, connected: [1], isWhole: true), at: start)
        table.take(word("b", 1, connected: [2], isWhole: true), at: start + .seconds(20))
        #expect(table.isConnected(1, at: start + .seconds(30)))
        #expect(!table.isConnected(1, at: start + .seconds(31)))
        #expect(table.isConnected(2, at: start + .seconds(31)))
        // It comes back, with another count of words.
        table.take(word("a", 1, connected: [3], isWhole: true), at: start + .seconds(60))
        #expect(table.isConnected(3, at: start + .seconds(60)))
        table.forget()
        #expect(!table.isConnected(3, at: start + .seconds(60)))
    }

    @Test func `what gateways say is heard, and forgotten with the broker`() async throws {
        var logger = Logger(label: "notifications-tests")
        logger.logLevel = .critical
        let quiet = logger
        try await withTestBroker { broker in
            let presence = Presence()
            let consumer = presence.consumer(broker.configuration, logger: quiet)
            let publisher = Publisher(broker.configuration, logger: quiet)
            let envelope = Envelope(
                id: "01900000-0000-7000-8000-000000000001",
                time: Stage.now,
                traceparent: nil,
                data: word("a", 1, connected: [7], isWhole: true)
            )
            let body = Array(try JSONEncoder().encode(envelope))
            try await whileRunning([publisher, consumer]) {
                try await eventually { consumer.isConnected }
                for bytes in [Array("{".utf8), body] {
                    var message = Message(
                        exchange: Audience.live.rawValue,
                        routingKey: PresenceChanged.type,
                        id: envelope.id,
                        body: bytes
                    )
                    message.mandatory = false
                    message.persistent = false
                    #expect(try await publisher.publish([message]) == [.confirmed])
                }
                try await eventually { presence.isConnected(7) }
                try await eventually("a loss") {
                    try await broker.closeConnections()
                    return !presence.isConnected(7)
                }
            }
        }
    }
}
