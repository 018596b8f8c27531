// SPDX-License-Identifier: Apache-2.0
// The deliveries a consumer holds, without a broker.

import Testing

@testable import Messaging

@Suite struct DeliveryWindowTests {
    private typealias Answer = DeliveryWindow.Answer
    private var window = DeliveryWindow(limit: 3)

    private mutating func arrive(_ tags: ClosedRange<UInt64>, at moment: Double = 0) {
        for tag in tags {
            window.arrived(Delivery(exchange: "", routingKey: "\(tag)", messageID: nil, body: []), tag: tag, at: moment)
        }
    }

    @Test mutating func `lends one batch at a time`() {
        arrive(1...5)
        #expect(window.takeBatch(at: 0)?.map(\.routingKey) == ["1", "2", "3"])
        #expect(window.takeBatch(at: 0) == nil)
        _ = window.settle([.acknowledge, .acknowledge, .acknowledge])
        #expect(window.takeBatch(at: 0)?.map(\.routingKey) == ["4", "5"])
    }

    @Test mutating func `settles each run at once`() {
        window = DeliveryWindow(limit: 6)
        arrive(1...6)
        _ = window.takeBatch(at: 0)
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
        _ = window.takeBatch(at: 0)
        #expect(
            window.settle([.acknowledge]) == [
                Answer(tag: 1, multiple: false, settlement: .acknowledge),
                Answer(tag: 3, multiple: true, settlement: .requeue),
            ]
        )
    }

    @Test mutating func `the first of a batch waits for others`() {
        window = DeliveryWindow(limit: 3, gathering: 0.5)
        #expect(window.untilBatch(at: 7) == nil)
        arrive(1...1, at: 7)
        arrive(2...2, at: 7.25)
        #expect(window.untilBatch(at: 7.25) == 0.25 && window.takeBatch(at: 7.25) == nil)
        #expect(window.takeBatch(at: 7.5)?.map(\.routingKey) == ["1", "2"])
        // What came while a batch was in hand has waited already.
        arrive(3...3, at: 7.5)
        #expect(window.untilBatch(at: 9) == nil)
        _ = window.settle([.acknowledge, .acknowledge])
        #expect(window.takeBatch(at: 9)?.map(\.routingKey) == ["3"])
    }

    @Test mutating func `a full batch waits for nobody`() {
        window = DeliveryWindow(limit: 3, gathering: 0.5)
        arrive(1...3, at: 7)
        #expect(window.takeBatch(at: 7)?.count == 3)
    }

    @Test mutating func `who does not wait ends the waiting of all`() {
        window = DeliveryWindow(limit: 3, gathering: 0.5, patient: ["1", "2", "5", "6"])
        arrive(1...2, at: 7)
        #expect(window.untilBatch(at: 7) == 0.5)
        arrive(3...4, at: 7.25)
        #expect(window.takeBatch(at: 7.25)?.map(\.routingKey) == ["1", "2", "3"])
        arrive(5...5, at: 7.25)
        _ = window.settle([.acknowledge, .acknowledge, .acknowledge])
        // The fourth is left, and does not wait either.
        #expect(window.takeBatch(at: 7.25)?.map(\.routingKey) == ["4", "5"])
        _ = window.settle([.acknowledge, .acknowledge])
        arrive(6...6, at: 8)
        #expect(window.untilBatch(at: 8) == 0.5)
        // After a lost connection nobody is left who did not wait.
        arrive(7...7, at: 8)
        window.clear()
        arrive(6...6, at: 9)
        #expect(window.untilBatch(at: 9) == 0.5)
    }

    @Test mutating func `gives everything back at once`() {
        window = DeliveryWindow(limit: 2)
        arrive(1...5)
        _ = window.takeBatch(at: 0)
        #expect(window.giveBack() == [Answer(tag: 5, multiple: true, settlement: .requeue)])
        #expect(window.giveBack().isEmpty)
        #expect(!window.isInHand && !window.hasWaiting)
    }

    @Test mutating func `acknowledgements wait for the next ones, but not for long`() {
        window = DeliveryWindow(limit: 8, leisure: 0.5)
        arrive(1...1)
        _ = window.takeBatch(at: 0)
        #expect(window.settle([.acknowledge], at: 7).isEmpty && window.untilOwed(at: 7) == 0.5)
        arrive(2...3)
        _ = window.takeBatch(at: 0)
        // Others put off nothing.
        #expect(window.settle([.acknowledge, .acknowledge], at: 7.25).isEmpty && window.untilOwed(at: 7.25) == 0.25)
        #expect(window.untilOwed(at: 8) == 0)
        #expect(window.takeOwed() == Answer(tag: 3, multiple: true, settlement: .acknowledge))
        #expect(window.takeOwed() == nil && window.untilOwed(at: 8) == nil)
        arrive(4...4)
        _ = window.takeBatch(at: 0)
        _ = window.settle([.acknowledge], at: 9)
        #expect(window.takeOwed() == Answer(tag: 4, multiple: false, settlement: .acknowledge))
    }

    @Test mutating func `half of what may be unsettled is told at once`() {
        window = DeliveryWindow(limit: 4, leisure: 0.5)
        arrive(1...2)
        _ = window.takeBatch(at: 0)
        #expect(window.settle([.acknowledge, .acknowledge], at: 7).isEmpty && window.untilOwed(at: 7) == 0)
    }

    @Test mutating func `what is not acknowledged takes along what is owed`() {
        window = DeliveryWindow(limit: 8, leisure: 0.5)
        arrive(1...2)
        _ = window.takeBatch(at: 0)
        _ = window.settle([.acknowledge, .acknowledge], at: 7)
        arrive(3...6)
        _ = window.takeBatch(at: 0)
        #expect(
            window.settle([.acknowledge, .reject, .acknowledge, .requeue], at: 7) == [
                Answer(tag: 3, multiple: true, settlement: .acknowledge),
                Answer(tag: 4, multiple: false, settlement: .reject),
                Answer(tag: 5, multiple: false, settlement: .acknowledge),
                Answer(tag: 6, multiple: false, settlement: .requeue),
            ]
        )
        #expect(window.untilOwed(at: 7) == nil)
        arrive(7...9)
        _ = window.takeBatch(at: 0)
        _ = window.settle([.acknowledge, .acknowledge, .acknowledge], at: 8)
        arrive(10...11)
        #expect(
            window.giveBack() == [
                Answer(tag: 9, multiple: true, settlement: .acknowledge),
                Answer(tag: 11, multiple: true, settlement: .requeue),
            ]
        )
        arrive(12...12)
        _ = window.takeBatch(at: 0)
        _ = window.settle([.acknowledge], at: 9)
        // Over a new connection the broker gives it again.
        window.clear()
        #expect(window.takeOwed() == nil)
    }
}
