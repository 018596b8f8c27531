// SPDX-License-Identifier: Apache-2.0
// What the gateway shows of itself besides counts of requests.

import Messaging
import ServiceKit
import SocketIO
import Surface
import Synchronization

/// Numbers of one event loop, written by it at every tick, so that reading metrics never waits for a loop.
final class LoopSample: Sendable {
    let connections = Atomic(0)
    let streams = Atomic(0)
    let chatSockets = Atomic(0)
    let chatRooms = Atomic(0)
    let sessions = Atomic(0)
    let tokenHits = Atomic(0)
    let tokenMisses = Atomic(0)
    let breakers = [BreakerSample](ServiceName.allCases.map { _ in BreakerSample() })

    final class BreakerSample: Sendable {
        /// 0 closed, 1 half open, 2 open.
        let state = Atomic(0)
        let connections = Atomic(0)
    }
}

enum GatewayGauges {
    static func register(_ samples: [LoopSample], _ dependencies: GatewayDependencies) {
        let metrics = dependencies.metrics
        func sum(_ name: String, _ help: String, _ read: @escaping @Sendable (LoopSample) -> Int) {
            metrics.gauge(name, help: help) { Double(samples.reduce(0) { $0 + read($1) }) }
        }
        sum("madang_gateway_connections", "Open connections of clients, streams among them.") {
            $0.connections.load(ordering: .relaxed)
        }
        sum("madang_gateway_streams", "Open streams.") { $0.streams.load(ordering: .relaxed) }
        sum("madang_gateway_chat_sockets", "Open Socket.IO namespaces of chat.") {
            $0.chatSockets.load(ordering: .relaxed)
        }
        sum("madang_gateway_chat_rooms", "Channels with somebody connected, for each event loop.") {
            $0.chatRooms.load(ordering: .relaxed)
        }
        metrics.gauge("madang_gateway_chat_online", help: "Accounts connected at any gateway.") {
            Double(dependencies.presence.onlineCount)
        }
        sum("madang_gateway_socketio_sessions", "Open Socket.IO connections, over polling and WebSocket.") {
            $0.sessions.load(ordering: .relaxed)
        }
        sum("madang_gateway_token_hits", "Tokens that were known.") { $0.tokenHits.load(ordering: .relaxed) }
        sum("madang_gateway_token_misses", "Tokens that auth was asked about.") {
            $0.tokenMisses.load(ordering: .relaxed)
        }
        metrics.gauge("madang_gateway_live", help: "Whether live updates and revocations reach us.") {
            dependencies.isLinked.load(ordering: .relaxed) && dependencies.hearsRevocations.load(ordering: .relaxed)
                ? 1 : 0
        }
        // Shown from the start: what an alert asks about must be there before it happens.
        for (name, help) in [
            (
                "madang_gateway_live_losses_total",
                "Times that live updates may have been missed: the broker away, or more of them than we take."
            ),
            ("madang_gateway_live_undecodable_total", "Live messages that could not be read."),
        ] {
            metrics.count(name, help: help, by: 0)
        }
        if let publisher = dependencies.publisher {
            metrics.gauge("madang_broker_connected", help: "Whether the broker is reached.") {
                publisher.isConnected ? 1 : 0
            }
            metrics.gauge("madang_broker_blocked", help: "Whether the broker takes nothing, short of memory or disk.") {
                publisher.isBlocked ? 1 : 0
            }
            metrics.total(
                "madang_broker_losses_total",
                help: "Connections to the broker that were lost, or could not be made.",
                labels: [("link", "live")]
            ) { Double(publisher.lostConnections) }
        }
        for service in ServiceName.allCases {
            metrics.gauge(
                "madang_gateway_breaker",
                help: "Worst state of the circuit breakers: 0 closed, 1 half open, 2 open.",
                labels: [("service", service.rawValue)]
            ) { Double(samples.map { $0.breakers[service.index].state.load(ordering: .relaxed) }.max() ?? 0) }
            metrics.gauge(
                "madang_gateway_upstream_connections",
                help: "Open connections to a service.",
                labels: [("service", service.rawValue)]
            ) { Double(samples.reduce(0) { $0 + $1.breakers[service.index].connections.load(ordering: .relaxed) }) }
        }
    }
}

extension GatewayLoop {
    func measure() {
        sample.connections.store(connectionCount, ordering: .relaxed)
        sample.streams.store(streams.count, ordering: .relaxed)
        sample.chatSockets.store(chat.socketCount, ordering: .relaxed)
        sample.chatRooms.store(chat.rooms.count, ordering: .relaxed)
        sample.sessions.store(hub?.count ?? 0, ordering: .relaxed)
        sample.tokenHits.store(authenticator.hits, ordering: .relaxed)
        sample.tokenMisses.store(authenticator.misses, ordering: .relaxed)
        for service in ServiceName.allCases {
            let pool = pool(service)
            sample.breakers[service.index].state.store(pool.breaker.state.rawValue, ordering: .relaxed)
            sample.breakers[service.index].connections.store(pool.connections, ordering: .relaxed)
        }
    }
}
