// SPDX-License-Identifier: Apache-2.0
// What the tests of publishing and consuming share.

import Logging
import Messaging
import ServiceLifecycle
import Support
import Synchronization

/// Runs services while `body` runs, then stops them gracefully and waits for their end.
func running<Value: Sendable>(
    _ services: [any Service],
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let group = ServiceGroup(services: services, logger: quiet)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        do {
            let value = try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        } catch {
            await group.triggerGracefulShutdown()
            throw error
        }
    }
}

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Deliveries seen by a consumer.
final class Seen: Sendable {
    private let deliveries = Mutex<[[Delivery]]>([])

    func add(_ batch: [Delivery]) { deliveries.withLock { $0.append(batch) } }

    var batches: [[Delivery]] { deliveries.withLock { $0 } }
    var all: [Delivery] { batches.flatMap { $0 } }
    var ids: [String] { all.compactMap(\.messageID) }
}

/// A message for one queue, through the default exchange.
func message(_ id: String, to queue: String, body: [UInt8] = [123, 125]) -> Message {
    Message(exchange: "", routingKey: queue, id: id, body: body)
}
