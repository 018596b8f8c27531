// SPDX-License-Identifier: Apache-2.0
// The deliveries a consumer holds, without a broker.

import Testing

@testable import Messaging

@Suite struct DeliveryWindowTests {
    private typealias Answer = DeliveryWindow.Answer
    private var window = DeliveryWindow()

    private mutating func arrive(_ tags: ClosedRange<UInt64>) {
        for tag in tags {
            window.arrived(Delivery(exchange: "", routingKey: "\(tag)", messageID: nil, body: []), tag: tag)
        }
    }

    @Test mutating func `lends one batch at a time`() {
        arrive(1...5)
        #expect(window.takeBatch(limit: 3)?.map(\.routingKey) == ["1", "2", "3"])
        #expect(window.takeBatch(limit: 3) == nil)
        _ = window.settle([.acknowledge, .acknowledge, .acknowledge])
        #expect(window.takeBatch(limit: 3)?.map(\.routingKey) == ["4", "5"])
    }

    @Test mutating func `settles each run at once`() {
        arrive(1...6)
        _ = window.takeBatch(limit: 6)
        #expect(
            window.settle([.acknowledge, .acknowledge, .reject, .acknowledge, .requeue, .requeue]) == [
                Answer(tag: 2, multiple: true, settlement: .acknowledge),
                Answer(tag: 3, multiple: false, settlement: .reject),
                Answer(tag: 4, multiple: false, settlement: .acknowledge),
                Answer(tag: 6, multiple: true, settlement: .requeue),
            ]
        )
    }

    @Test mutating func `what was not settled goes back`() {
        arrive(1...3)
        _ = window.takeBatch(limit: 3)
        #expect(
            window.settle([.acknowledge]) == [
                Answer(tag: 1, multiple: false, settlement: .acknowledge),
                Answer(tag: 3, multiple: true, settlement: .requeue),
            ]
        )
    }

    @Test mutating func `gives everything back at once`() {
        arrive(1...5)
        _ = window.takeBatch(limit: 2)
        #expect(window.giveBack() == Answer(tag: 5, multiple: true, settlement: .requeue))
        #expect(window.giveBack() == nil)
        #expect(!window.isInHand && !window.hasWaiting)
    }
}
