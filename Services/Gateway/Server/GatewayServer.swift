// SPDX-License-Identifier: Apache-2.0
// Listens for clients, and stops without losing a request.

import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import SocketIO
import Synchronization
import Web

final class GatewayServer: Service {
    private let dependencies: GatewayDependencies
    private let group: MultiThreadedEventLoopGroup
    private let loops: [NIOLoopBound<GatewayLoop>]
    private let bound = Mutex<Int?>(nil)

    init(_ dependencies: GatewayDependencies, group: MultiThreadedEventLoopGroup = .singleton) async throws {
        self.dependencies = dependencies
        self.group = group
        var loops: [NIOLoopBound<GatewayLoop>] = []
        var hubs: [NIOLoopBound<EngineHub>] = []
        for (index, eventLoop) in group.makeIterator().enumerated() {
            let (loop, hub) = try await eventLoop.submit {
                let loop = GatewayLoop(eventLoop: eventLoop, dependencies: dependencies)
                loop.start()
                return (NIOLoopBound(loop, eventLoop: eventLoop), loop.openHub(index: index))
            }.get()
            loops.append(loop)
            hubs.append(hub)
        }
        self.loops = loops
        let socketIO = EngineServer(dependencies.config.socketIO.engine, hubs: hubs)
        for loop in loops { try await loop.eventLoop.submit { loop.value.socketIO = socketIO }.get() }
        GatewayGauges.register(try await collect { $0.sample }, dependencies)
        dependencies.presence.attach { [weak self] account, isOnline, rooms in
            self?.onEveryLoop { $0.chat.announce(account, isOnline: isOnline, in: rooms) }
        }
    }

    /// The port on which it listens; nil before it does.
    var port: Int? { bound.withLock { $0 } }

    /// Runs tasks on the event loop where there is one; of several none shall have more to do than the others.
    var tasks: (any TaskExecutor)? { loops.count == 1 ? loops.first.map { LoopTasks($0.eventLoop) } : nil }

    /// Runs `body` on every event loop, in the order of the calls.
    func onEveryLoop(_ body: @escaping @Sendable (GatewayLoop) -> Void) {
        for loop in loops { loop.eventLoop.execute { body(loop.value) } }
    }

    /// What `read` finds on every event loop.
    func collect<Value: Sendable>(_ read: @escaping @Sendable (GatewayLoop) -> Value) async throws -> [Value] {
        var values: [Value] = []
        for loop in loops { values.append(try await loop.eventLoop.submit { read(loop.value) }.get()) }
        return values
    }

    func run() async throws {
        let config = dependencies.config
        let listener = try await bind(config.host, config.port, face: .clients)
        var admin: (any Channel)?
        if let address = config.admin { admin = try await bind(address.host, address.port, face: .admin) }
        bound.withLock { $0 = listener.localAddress?.port }
        dependencies.logger.info("listening", metadata: ["port": "\(port ?? 0)"])
        // Never ends by itself: the stop is what it waits for.
        try? await gracefulShutdown()
        dependencies.isStopping.store(true, ordering: .releasing)
        // Whoever balances load looks at readiness before it stops sending; every answer says that it is the last on its
        // connection, so that few are left to wait for.
        try? await Task.sleep(for: .milliseconds(config.limits.notReady))
        try? await listener.close()
        onEveryLoop { $0.drain() }
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(config.limits.drain))
        while ContinuousClock.now < deadline {
            let open = try await collect { $0.connectionCount }
            if open.allSatisfy({ $0 == 0 }) { break }
            try? await Task.sleep(for: .milliseconds(50))
        }
        onEveryLoop { $0.abort() }
        dependencies.presence.stop()
        try? await admin?.close()
        _ = try await collect { $0.close() }
    }

    /// `TCP_NOTSENT_LOWAT`: how much of what a client has not taken the system keeps besides what is on its way, where
    /// it would keep megabytes of each that never reads.
    private static let unsentOption = NIOBSDSocket.Option(rawValue: 25)

    private func bind(_ host: String, _ port: Int, face: ClientConnection.Face) async throws -> any Channel {
        let limits = dependencies.config.limits
        let byLoop = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.eventLoop), $0) })
        return try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(GatewayServer.unsentOption), value: 64 * 1024)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 * 1024, high: 64 * 1024))
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 64 * 1024)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let loop = byLoop[ObjectIdentifier(channel.eventLoop)]?.value else {
                        throw ChannelError.inappropriateOperationForState
                    }
                    var decoding = NIOHTTPDecoderLimitConfiguration()
                    decoding.maxHeaderFieldSize = limits.headers
                    decoding.maxHeaderListSize = limits.headers
                    decoding.maxHeaderFieldCount = limits.headerCount
                    let decoder = ByteToMessageHandler(
                        HTTPRequestDecoder(
                            leftOverBytesStrategy: .dropBytes,
                            informationalResponseStrategy: .drop,
                            limitConfiguration: decoding
                        )
                    )
                    let operations = channel.pipeline.syncOperations
                    try operations.addHandler(decoder)
                    try operations.addHandler(ClientConnection(loop: loop, face: face, decoder: decoder))
                }
            }
            .bind(host: host, port: port).get()
    }
}
