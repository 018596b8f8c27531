// SPDX-License-Identifier: Apache-2.0
// What the tests of publishing and consuming share.

import Logging
import Messaging
import Support
import Synchronization

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
