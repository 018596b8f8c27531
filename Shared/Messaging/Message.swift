// SPDX-License-Identifier: Apache-2.0
// What is sent and what arrives.

/// A message to publish.
package struct Message: Sendable {
    package var exchange: String
    package var routingKey: String
    /// The AMQP message-id, by which a returned message is recognised.
    package var id: String
    package var headers: [String: String] = [:]
    package var body: [UInt8]
    /// A media type (RFC 2046).
    var contentType = "application/json"
    package var persistent = true
    /// Whether the broker must give it back when no queue takes it.
    package var mandatory = true

    package init(exchange: String, routingKey: String, id: String, body: [UInt8]) {
        self.exchange = exchange
        self.routingKey = routingKey
        self.id = id
        self.body = body
    }

    /// Whether its names fit the protocol's short strings.
    var isEncodable: Bool {
        exchange.utf8.count < 256 && routingKey.utf8.count < 256 && id.utf8.count < 256
            && headers.keys.allSatisfy { $0.utf8.count < 256 }
    }
}

/// What became of a published message.
package enum PublishOutcome: Sendable, Equatable {
    /// Every queue it was routed to has it.
    case confirmed
    /// The broker could not take it.
    case refused
    /// No queue takes it.
    case returned(String)
    /// The broker closes the channel because of it, for example because it is too large or may not be sent by us; or
    /// its names do not fit the protocol (code 0). It cannot be sent by trying again.
    case unpublishable(code: Int, String)
}

/// A message that arrived.
package struct Delivery: Sendable {
    package let exchange: String
    package let routingKey: String
    package let messageID: String?
    /// Text, numbers and booleans as text; tables and arrays are left out.
    package let headers: [String: String]
    package let body: [UInt8]
    package let redelivered: Bool
    /// `x-delivery-count` of quorum queues; 0 at first.
    package let deliveryCount: Int

    package init(
        exchange: String,
        routingKey: String,
        messageID: String?,
        headers: [String: String] = [:],
        body: [UInt8],
        redelivered: Bool = false
    ) {
        self.exchange = exchange
        self.routingKey = routingKey
        self.messageID = messageID
        self.headers = headers
        self.body = body
        self.redelivered = redelivered
        deliveryCount = headers["x-delivery-count"].flatMap { Int($0) } ?? 0
    }
}

/// What to do with a delivery.
package enum Settlement: Sendable {
    case acknowledge
    /// Can never work: to the dead letters.
    case reject
    /// Back to the queue.
    case requeue
}
