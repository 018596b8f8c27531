// SPDX-License-Identifier: Apache-2.0
// Starts the host.

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SocketIO

enum ConformanceHost {
    /// Serves until the process is killed.
    static func serve(_ options: HostOptions) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: options.threads)
        let eventLoops = group.makeIterator().map { $0 as any EventLoop }
        var settings = SocketIOSettings()
        settings.engine.pingInterval = Int64(options.pingInterval)
        settings.engine.pingTimeout = Int64(options.pingTimeout)
        settings.engine.maxPayload = options.maxPayload
        settings.connectTimeout = Int64(options.connectTimeout)
        let fixed = settings
        var echo = WebSocketSettings()
        echo.message = 64 << 20
        echo.queue = 1 << 16
        echo.queueBytes = 256 << 20
        echo.ping = nil
        let endpoints = Endpoints(
            engine: try await EngineServer.make(fixed.engine, on: eventLoops) { _ in { line, _ in EngineEcho(line) } },
            socket: try await EngineServer.make(fixed.engine, on: eventLoops) { eventLoop in
                let spoken = SocketIOProtocol(fixed, application: SocketIOEcho(eventLoop))
                return { spoken.connection($0, $1) }
            },
            echo: echo,
            open: OpenRequests(eventLoops)
        )
        let keepers = try await timekeepers(eventLoops)
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let keeper = keepers.first(where: { $0.eventLoop === channel.eventLoop })?.value else {
                        throw ChannelError.inappropriateOperationForState
                    }
                    let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
                    try channel.pipeline.syncOperations.addHandler(decoder)
                    try channel.pipeline.syncOperations.addHandler(HostConnection(endpoints, keeper, decoder))
                }
            }
            .bind(host: "127.0.0.1", port: options.port).get()
        // Unbuffered: whoever started the host waits for this line.
        FileHandle.standardOutput.write(Data("listening on 127.0.0.1:\(channel.localAddress?.port ?? 0)\n".utf8))
        try await channel.closeFuture.get()
    }

    private static func timekeepers(_ eventLoops: [any EventLoop]) async throws -> [NIOLoopBound<HostTimekeeper>] {
        var keepers: [NIOLoopBound<HostTimekeeper>] = []
        for eventLoop in eventLoops {
            keepers.append(
                try await eventLoop.submit {
                    let keeper = NIOLoopBound(HostTimekeeper(), eventLoop: eventLoop)
                    eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(50), delay: .milliseconds(50)) { _ in
                        keeper.value.tick()
                    }
                    return keeper
                }.get()
            )
        }
        return keepers
    }
}

extension EngineServer {
    /// Makes a hub on each event loop.
    ///
    /// - Parameter user: makes what speaks over a new session; asked once for each event loop, on it.
    static func make(
        _ settings: EngineSettings,
        on eventLoops: [any EventLoop],
        user: @escaping @Sendable (any EventLoop) -> (EngineLine, SocketIORequest) -> any EngineUser
    ) async throws -> EngineServer {
        var hubs: [NIOLoopBound<EngineHub>] = []
        for (index, eventLoop) in eventLoops.enumerated() {
            hubs.append(
                try await eventLoop.submit {
                    let hub = EngineHub(settings, eventLoop: eventLoop, index: index, user: user(eventLoop))
                    return NIOLoopBound(hub, eventLoop: eventLoop)
                }.get()
            )
        }
        return EngineServer(settings, hubs: hubs)
    }
}
