// SPDX-License-Identifier: Apache-2.0
// What is sent and what arrives.

/// A message to publish.
public struct Message: Sendable {
    public var exchange: String
    public var routingKey: String
    /// The AMQP message-id, by which a returned message is recognised.
    public var id: String
    public var headers: [String: String] = [:]
    public var body: [UInt8]
    /// A media type (RFC 2046).
    var contentType = "application/json"
    public var persistent = true
    /// Whether the broker must give it back when no queue takes it.
    public var mandatory = true

    public init(exchange: String, routingKey: String, id: String, body: [UInt8]) {
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
public enum PublishOutcome: Sendable, Equatable {
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
public struct Delivery: Sendable {
    public let exchange: String
    public let routingKey: String
    public let messageID: String?
    /// Text, numbers and booleans as text; tables and arrays are left out.
    public let headers: [String: String]
    public let body: [UInt8]
    public let redelivered: Bool
    /// `x-delivery-count` of quorum queues; 0 at first.
    public let deliveryCount: Int

    public init(
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
public enum Settlement: Sendable {
    case acknowledge
    /// Can never work: to the dead letters.
    case reject
    /// Back to the queue.
    case requeue
}
