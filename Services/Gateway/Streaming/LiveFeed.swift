// SPDX-License-Identifier: Apache-2.0
// What the services tell about just now, from the broker to the open streams.

import Domain
import Events
import Logging
import Messaging
import NIOCore
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
        dependencies.budgets.link(linked)
        server.onEveryLoop { loop in
            loop.authenticator.link(linked)
            guard linked else { return loop.chat.unlinked() }
            loop.streams.doubtAll(now: loop.monotonic, span: LiveFeed.doubtSpan, random: loop.nextRandom)
            loop.chat.doubtAll(now: loop.monotonic, span: LiveFeed.doubtSpan, random: loop.nextRandom)
            loop.chat.linked()
        }
        if linked { dependencies.presence.linked(now: LiveFeed.monotonic) }
    }

    private static var monotonic: Milliseconds { Milliseconds(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// Takes one message; what is not understood is noted and left.
    func take(_ body: [UInt8]) {
        do {
            switch try JSONDecoder().decode(LiveMessage.self, from: Data(body)) {
            case .revoked(let session):
                server.onEveryLoop { loop in
                    loop.authenticator.revoke(session)
                    loop.streams.revoke(session)
                    loop.chat.revoke(session)
                }
            case .update(let update): server.onEveryLoop { $0.streams.deliver(update) }
            case .chat(let live): server.onEveryLoop { $0.chat.deliver(live) }
            case .presence(let event):
                dependencies.budgets.note(event.gatewayID, at: LiveFeed.monotonic)
                dependencies.presence.heard(event, now: LiveFeed.monotonic)
            case .budgets(let event): dependencies.budgets.hear(event, at: LiveFeed.monotonic)
            case .typing(let event): server.onEveryLoop { $0.chat.typing(event) }
            case .other: break
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
enum LiveMessage: Decodable {
    case update(LiveUpdate)
    case revoked(SessionID)
    case chat(ChatLive)
    case presence(PresenceChanged)
    case typing(TypingStarted)
    case budgets(BudgetsSpent)
    case other

    private enum Keys: String, CodingKey {
        case type, data
    }

    private struct Streamed: Decodable {
        let update: LiveUpdate?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        func data<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try container.decode(Value.self, forKey: .data)
        }
        switch try container.decode(String.self, forKey: .type) {
        case SessionRevoked.type: self = .revoked(try data(SessionRevoked.self).sessionID)
        case ChatUpdated.type: self = .chat(ChatLive(try data(ChatUpdated.self).update))
        case PresenceChanged.type: self = .presence(try data(PresenceChanged.self))
        case BudgetsSpent.type: self = .budgets(try data(BudgetsSpent.self))
        case TypingStarted.type: self = .typing(try data(TypingStarted.self))
        default: self = try data(Streamed.self).update.map { .update($0) } ?? .other
        }
    }
}
