// SPDX-License-Identifier: Apache-2.0
// A gateway that is connected to a real broker.

import Domain
import Events
import JSON
import Messaging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import SocketIO
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

/// An event as its service sends it.
func message(_ event: some Event) throws -> [UInt8] {
    try Envelope(id: EventID.new(), time: .now(), traceparent: nil, data: event).message()
}

extension LiveFeed {
    /// Loses the broker, or finds it again.
    func link(_ linked: Bool) {
        updates(linked: linked)
        revocations(linked: linked)
    }

    func take(_ update: ChatUpdate) {
        do { take(try message(ChatUpdated(update: update, subjectVersion: 1))) } catch { Issue.record(error) }
    }

    /// Takes a message as its service would send it, by the key that its type is.
    func take(_ body: [UInt8]) {
        let type = RawJSON(ByteBuffer(bytes: parts(ofMessage: body).envelope)).member("type")?.text ?? ""
        take(Delivery(exchange: "live", routingKey: type, messageID: nil, body: body))
    }
}

extension TestGateway {
    /// Runs `body` with a gateway that hears the broker's live messages.
    static func run(
        on broker: TestBroker,
        _ environment: [String: String] = [:],
        limits: (inout GatewayLimits) -> Void = { _ in },
        auth judge: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour = FakeAuth.answer,
        chat talk: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour = { _ in .answer(.ok, [], "[]") },
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        let address =
            "amqp://\(broker.configuration.user):\(broker.configuration.password)@"
            + "\(broker.configuration.host):\(broker.configuration.port)/\(broker.configuration.virtualHost)"
        let environment = environment.merging(["MADANG_AMQP": address]) { $1 }
        try await TestGateway.run(environment, limits: limits, auth: judge, chat: talk, now: now) { gateway in
            guard let publisher = gateway.dependencies.publisher else { return }
            gateway.feed.link(false)
            let consumers = gateway.feed.consumers(broker.configuration)
            try await whileRunning([publisher, gateway.dependencies.live, gateway.dependencies.budgets] + consumers) {
                let dependencies = gateway.dependencies
                try await eventually("the broker connected") {
                    dependencies.isLinked.load(ordering: .acquiring)
                        && dependencies.hearsRevocations.load(ordering: .acquiring) && publisher.isConnected
                }
                try await body(gateway)
            }
        }
    }

    /// Tells something over the broker, as a service's relay does.
    func tell(_ body: [UInt8], type: String, id: String = EventID.new()) async throws {
        _ = try await dependencies.publisher?.publish([TestGateway.message(body, type, id: id)])
    }

    static func message(_ body: [UInt8], _ type: String, id: String = EventID.new()) -> Message {
        var message = Message(exchange: "live", routingKey: type, id: id, body: body)
        message.mandatory = false
        message.persistent = false
        return message
    }

    /// Waits until this many streams are open.
    func streams(_ count: Int) async throws {
        try await eventually("\(count) streams") {
            try await server.collect { $0.streams.count }.reduce(0, +) == count
        }
    }

    /// Opens a stream of server-sent events.
    func events(_ path: String, token: String) async throws -> RawClient {
        let client = try await client()
        try await client.send(
            "GET /api/v1/streaming/\(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n"
        )
        _ = try await client.text(containing: ":)\n")
        return client
    }
}
