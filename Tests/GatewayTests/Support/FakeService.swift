// SPDX-License-Identifier: Apache-2.0
// A service that answers as a test tells it, and remembers what it was asked.

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

final class FakeService: Sendable {
    struct Asked: Sendable {
        let head: HTTPRequestHead
        let body: String
        let bytes: Int
    }

    enum Behaviour: Sendable {
        case answer(HTTPResponseStatus, [(String, String)], String)
        /// These bytes, whatever they are; then the connection stays open.
        case raw(String)
        case rawThenClose(String)
        case close
        case silence
        /// An answer that waits until the gate is open.
        indirect case held(Gate, Behaviour)
        /// An answer that takes its time.
        indirect case later(TimeAmount, Behaviour)
        /// This many octets in chunks.
        case stream(Int)
    }

    private let channel: any Channel
    let port: Int

    init(port: Int = 0, _ behaviour: @escaping @Sendable (Asked) -> Behaviour) async throws {
        let log = Shared<[Asked]>([])
        let connections = Shared<[any Channel]>([])
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                connections.value.withLock { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    let operations = channel.pipeline.syncOperations
                    try operations.configureHTTPServerPipeline(
                        withPipeliningAssistance: false,
                        withErrorHandling: false
                    )
                    try operations.addHandler(Scripted(behaviour: behaviour, log: log))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        self.port = channel.localAddress?.port ?? 0
        shared = (log, connections)
    }

    private let shared: (log: Shared<[Asked]>, connections: Shared<[any Channel]>)

    var asked: [Asked] { shared.log.value.withLock { $0 } }
    func asked(_ path: String) -> [Asked] { asked.filter { $0.head.uri.hasPrefix(path) } }
    var connectionCount: Int { shared.connections.value.withLock { $0.count } }

    /// Closes every connection that is open now.
    func dropConnections() async {
        let open = shared.connections.value.withLock { $0 }
        for channel in open { try? await channel.close() }
    }

    func stop() async throws {
        try await channel.close()
        await dropConnections()
    }
}

/// Holds back what a test wants to come later.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [@Sendable () -> Void])>((false, []))

    func whenOpen(_ proceed: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(proceed) }
            return state.isOpen
        }
        if isOpen { proceed() }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for proceed in waiting { proceed() }
    }
}

/// A value behind a lock, shared by reference.
final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}

private final class Scripted: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let behaviour: @Sendable (FakeService.Asked) -> FakeService.Behaviour
    private let log: Shared<[FakeService.Asked]>
    private var head: HTTPRequestHead?
    private var body = ""
    private var bytes = 0

    init(behaviour: @escaping @Sendable (FakeService.Asked) -> FakeService.Behaviour, log: Shared<[FakeService.Asked]>)
    {
        self.behaviour = behaviour
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = ""
            bytes = 0
        case .body(let part):
            bytes += part.readableBytes
            if bytes <= 1 << 16 { body += String(buffer: part) }
        case .end:
            guard let head else { return }
            let asked = FakeService.Asked(head: head, body: body, bytes: bytes)
            log.value.withLock { $0.append(asked) }
            perform(behaviour(asked), head, context)
        }
    }

    private func perform(_ behaviour: FakeService.Behaviour, _ head: HTTPRequestHead, _ context: ChannelHandlerContext)
    {
        switch behaviour {
        case .answer(let status, let fields, let text):
            var headers = HTTPHeaders(fields)
            if status != .noContent { headers.replaceOrAdd(name: "content-length", value: String(text.utf8.count)) }
            write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)), context)
            if !text.isEmpty { write(.body(.byteBuffer(ByteBuffer(string: text))), context) }
            write(.end(nil), context)
            context.flush()
        case .raw(let text): raw(text, context, closes: false)
        case .rawThenClose(let text): raw(text, context, closes: true)
        case .close: context.close(promise: nil)
        case .silence: break
        case .later(let time, let behaviour):
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: time) { bound.value.0.perform(behaviour, head, bound.value.1) }
        case .held(let gate, let behaviour):
            let eventLoop = context.eventLoop
            let bound = NIOLoopBound((self, context), eventLoop: eventLoop)
            gate.whenOpen {
                eventLoop.execute {
                    let (scripted, context) = bound.value
                    if context.channel.isActive { scripted.perform(behaviour, head, context) }
                }
            }
        case .stream(let count):
            write(.head(HTTPResponseHead(version: .http1_1, status: .ok)), context)
            sendRest(count, NIOLoopBound(context, eventLoop: context.eventLoop))
        }
    }

    /// Goes on only as fast as the other side reads.
    private func sendRest(_ count: Int, _ bound: NIOLoopBound<ChannelHandlerContext>) {
        let context = bound.value
        guard count > 0 else {
            write(.end(nil), context)
            context.flush()
            return
        }
        let size = min(count, 32 * 1024)
        let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: size)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { self.sendRest(count - size, bound) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: written)
    }

    private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(part), promise: nil)
    }

    private func raw(_ text: String, _ context: ChannelHandlerContext, closes: Bool) {
        guard let encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self) else {
            return
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        if closes { written.futureResult.whenComplete { _ in bound.value.close(promise: nil) } }
        encoder.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: written)
    }
}
