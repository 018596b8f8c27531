// SPDX-License-Identifier: Apache-2.0
// Looks at what lies in a queue.

import Threads

/// Takes up to `limit` messages of a queue in hand, lets `decide` look at them, and settles them as it says; if it
/// throws, all go back.
public func inspect<Value: Sendable>(
    queue: String,
    broker: BrokerConfiguration,
    limit: Int = 10_000,
    decide: @Sendable ([Delivery]) async throws -> (settlements: [Settlement], value: Value)
) async throws -> Value {
    var broker = broker
    // Nobody reads the connection while `decide` runs.
    broker.heartbeat = 600
    let inspection = try await onThread(named: "inspect") { [broker] in
        try Inspection(queue: queue, broker: broker, limit: limit)
    }
    do {
        let (settlements, value) = try await decide(inspection.deliveries)
        try await onThread(named: "inspect") { try inspection.end(settlements) }
        return value
    } catch {
        try? await onThread(named: "inspect") { try inspection.end([]) }
        throw error
    }
}

/// A connection with messages in hand, used by one thread after the other.
private final class Inspection: @unchecked Sendable {
    private let connection: Connection
    private var window: DeliveryWindow
    let deliveries: [Delivery]

    init(queue: String, broker: BrokerConfiguration, limit: Int) throws {
        let connection = try Connection.open(broker)
        var window = DeliveryWindow(limit: limit)
        let doorbell = Doorbell()
        var count = 0
        var isEmpty = false
        while !isEmpty, count < limit {
            connection.encoder.get(queue)
            try connection.write()
            let before = count
            while count == before, !isEmpty {
                guard try connection.wait(doorbell: doorbell, seconds: 5) || connection.hasUnwritten else {
                    throw ConnectionFailure("the broker does not answer")
                }
                try connection.write()
                try connection.receive { incoming in
                    switch incoming {
                    case .delivered(let tag, let delivery):
                        window.arrived(delivery, tag: tag, at: 0)
                        count += 1
                    case .empty: isEmpty = true
                    default: break
                    }
                }
            }
        }
        deliveries = window.takeBatch(at: 0) ?? []
        self.window = window
        self.connection = connection
    }

    /// Settles and closes; what has no settlement goes back.
    func end(_ settlements: [Settlement]) throws {
        for answer in window.settle(settlements) { connection.encoder.settle(answer) }
        connection.close()
    }
}
