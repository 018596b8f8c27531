// SPDX-License-Identifier: Apache-2.0
// What the services tell about just now, from the broker to the open streams.

import Domain
import Events
import Logging
import Messaging
import ServiceKit
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Hands live messages to every event loop.
struct LiveFeed: Sendable {
    /// After a loss every stream's token is asked about again, within this time.
    static let doubtSpan: Milliseconds = 3000

    let server: GatewayServer
    let dependencies: GatewayDependencies

    func consumer(_ broker: BrokerConfiguration) -> Consumer {
        Consumer(
            broker,
            queue: .temporary(exchange: Audience.live.rawValue, keys: ["#"]),
            prefetch: 500,
            logger: dependencies.logger,
            connected: { link(true) },
            disconnected: { link(false) }
        ) { deliveries in
            for delivery in deliveries { take(delivery.body) }
            return deliveries.map { _ in .acknowledge }
        }
    }

    func link(_ linked: Bool) {
        dependencies.isLinked.store(linked, ordering: .releasing)
        server.onEveryLoop { loop in
            loop.authenticator.link(linked)
            if linked {
                loop.streams.doubtAll(now: loop.monotonic, span: LiveFeed.doubtSpan, random: loop.nextRandom)
            }
        }
    }

    /// Takes one message; what is not understood is noted and left.
    func take(_ body: [UInt8]) {
        do {
            let message = try JSONDecoder().decode(LiveMessage.self, from: Data(body))
            if let session = message.revoked {
                server.onEveryLoop { loop in
                    loop.authenticator.revoke(session)
                    loop.streams.revoke(session)
                }
            } else if let update = message.update {
                server.onEveryLoop { $0.streams.deliver(update) }
            }
        } catch {
            dependencies.metrics.count(
                "madang_gateway_live_undecodable_total",
                help: "Live messages that could not be read."
            )
            dependencies.logger.warning("a live message could not be read", metadata: ["error": "\(error)"])
        }
    }
}

/// The part of an envelope that matters here.
struct LiveMessage: Decodable {
    let type: String
    let update: LiveUpdate?
    let revoked: SessionID?

    private enum Keys: String, CodingKey {
        case type, data
    }

    private struct Data: Decodable {
        let update: LiveUpdate?
        let session: SessionID?

        enum CodingKeys: String, CodingKey {
            case update
            case session = "session_id"
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        type = try container.decode(String.self, forKey: .type)
        let data = try container.decode(Data.self, forKey: .data)
        switch type {
        case SessionRevoked.type:
            revoked = data.session
            update = nil
        default:
            update = data.update
            revoked = nil
        }
    }
}
