// SPDX-License-Identifier: Apache-2.0
// What each user of the broker may do, tried on a real one.

import Support
import Surface
import Testing

@testable import Messaging

@Suite struct PermissionTests {
    private static let services = ServiceName.allCases.map(\.rawValue)
    private static let users = services + ["gateway", "replay"]
    private static let queues = ["posts.fanout", "chat.projections", "notifications.activity"]

    private func message(_ exchange: String, _ key: String) -> Message {
        var message = Message(exchange: exchange, routingKey: key, id: "1", body: [])
        message.mandatory = false
        return message
    }

    private func isRefused(_ outcome: PublishOutcome) -> Bool {
        if case .unpublishable(403, _) = outcome { true } else { false }
    }

    @Test(arguments: users)
    func `a user tells its own events and nobody else's`(_ name: String) async throws {
        try await withTestBroker { broker in
            let publisher = Publisher(try await broker.user(name), window: 1, logger: quiet)
            try await whileRunning([publisher]) {
                for other in Self.services + ["gateway", "media"] {
                    for exchange in ["events", "plain", "reached", "live"] {
                        let outcome = try await publisher.publish([message(exchange, "\(other).Fact.v1")])[0]
                        // A gateway tells nothing but what is live.
                        let may = other == name && (name != "gateway" || exchange == "live")
                        #expect(
                            may ? outcome == .confirmed : isRefused(outcome),
                            "\(name) \(exchange) \(other): \(outcome)"
                        )
                    }
                }
                // Told again, to whomever: its own all the same.
                for (key, told) in Self.services.map({ ("notifications.activity.\($0).Fact.v1", $0) }) {
                    let outcome = try await publisher.publish([message("retold", key)])[0]
                    #expect(told == name ? outcome == .confirmed : isRefused(outcome), "\(name) \(key): \(outcome)")
                }
                // Past the exchanges, and to the dead letters: forged events all the same.
                for queue in Self.queues + ["\(name).anything"] {
                    let outcome = try await publisher.publish([message("", queue)])[0]
                    #expect(
                        name == "replay" ? outcome == .confirmed : isRefused(outcome),
                        "\(name) \(queue): \(outcome)"
                    )
                }
                let dead = try await publisher.publish([message("dead", "posts")])[0]
                #expect(isRefused(dead), "\(name): \(dead)")
            }
        }
    }

    /// Asks again where the broker has too much to do to answer: only what it refuses is refused.
    private static func isRead(_ queue: String, by user: BrokerConfiguration) async throws -> Bool {
        var asked = 0
        while true {
            do {
                return try await inspect(queue: queue, broker: user) { ($0.map { _ in .requeue }, true) }
            } catch let failure as ConnectionFailure {
                if failure.refusal?.code == 403 { return false }
                asked += 1
                guard asked < 60 else { throw failure }
            }
        }
    }

    @Test(arguments: users)
    func `a user reads its own queues and nobody else's`(_ name: String) async throws {
        try await withTestBroker { broker in
            let user = try await broker.user(name)
            for queue in Self.queues + Self.services.map({ "\($0).dead" }) {
                let isRead = try await Self.isRead(queue, by: user)
                #expect(isRead == queue.hasPrefix("\(name)."), "\(name) \(queue)")
            }
        }
    }
}
