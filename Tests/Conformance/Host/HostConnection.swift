// SPDX-License-Identifier: Apache-2.0
// One HTTP connection of the host: requests in turn, handed to the endpoints.

import NIOCore
import NIOHTTP1
import SocketIO
import Synchronization

/// How many requests have been taken and not answered; `GET /open` tells.
final class OpenRequests: Sendable {
    let count = Atomic(0)
    private let eventLoops: [any EventLoop]

    init(_ eventLoops: [any EventLoop]) { self.eventLoops = eventLoops }

    /// The count, once the sessions of all event loops know of what was counted: a request is counted where its
    /// connection is, and reaches its session a turn later.
    func known(on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        let counted = count.load(ordering: .relaxed)
        return EventLoopFuture.andAllSucceed(eventLoops.map { $0.submit {} }, on: eventLoop).map { counted }
    }
}

/// What the host listens for.
struct Endpoints: Sendable {
    let engine: EngineServer
    let socket: EngineServer
    let echo: WebSocketSettings
    let open: OpenRequests

    func server(of path: Substring) -> EngineServer? {
        switch path {
        case "/engine.io/", "/engine.io": engine
        case "/socket.io/", "/socket.io": socket
        default: nil
        }
    }
}

final class HostConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let endpoints: Endpoints
    private let timekeeper: HostTimekeeper
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private var context: ChannelHandlerContext?
    private var pending = CircularBuffer<HTTPServerRequestPart>()
    private var head: HTTPRequestHead?
    private var exchange: EngineExchange?
    private var isAnswered = false
    private var isWhole = false
    private var isHandedOver = false
    private var isOpen = false

    init(_ endpoints: Endpoints, _ timekeeper: HostTimekeeper, _ decoder: ByteToMessageHandler<HTTPRequestDecoder>) {
        self.endpoints = endpoints
        self.timekeeper = timekeeper
        self.decoder = decoder
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        exchange?.gone()
        exchange = nil
        closed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pending.append(unwrapInboundIn(data))
        proceed()
    }

    private func proceed() {
        // The next request waits until the one before is answered.
        while !isHandedOver, !(isWhole && !isAnswered), let part = pending.popFirst() { take(part) }
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): begin(head)
        case .body(let bytes): exchange?.receive(bytes)
        case .end:
            isWhole = true
            exchange?.end()
            if exchange != nil, !isAnswered { opened() }
            guard let head, exchange == nil, !isAnswered else { return }
            if head.path == "/open" { tellOpen() } else { upgrade(head) }
        }
    }

    private func tellOpen() {
        guard let context else { return }
        endpoints.open.known(on: context.eventLoop).assumeIsolated().whenSuccess {
            self.answer(200, ("text/plain", ByteBuffer(string: "\($0)")))
        }
    }

    private func opened() {
        guard !isOpen else { return }
        isOpen = true
        endpoints.open.count.add(1, ordering: .relaxed)
    }

    private func closed() {
        if isOpen { endpoints.open.count.subtract(1, ordering: .relaxed) }
        isOpen = false
    }

    private func begin(_ head: HTTPRequestHead) {
        (self.head, exchange, isAnswered, isWhole) = (head, nil, false, false)
        guard head.method != .OPTIONS else { return answer(204, nil) }
        guard !head.headers.contains(name: "upgrade") else { return }
        guard head.path != "/open" else { return }
        guard let server = endpoints.server(of: head.path) else {
            return answer(head.path == "/echo" ? 426 : 404, ("text/plain", ByteBuffer()))
        }
        let exchange = EngineExchange(server, head, head.request) { [weak self] answer in
            self?.answer(Int(answer.status.code), (answer.type, answer.body))
        }
        self.exchange = exchange
        exchange.start()
        // A body may take its time.
        if head.method == .POST, !isAnswered { opened() }
    }

    // MARK: WebSocket

    private func upgrade(_ head: HTTPRequestHead) {
        do throws(WebSocketHandshake.Fault) {
            let handshake = try WebSocketHandshake(head)
            if head.path == "/echo" {
                let deflate = WebSocketDeflate(offers: handshake.extensions)
                return hand(over: handshake, endpoints.echo, WebSocketEcho(), deflate)
            }
            guard let server = endpoints.server(of: head.path) else { return answer(404, ("text/plain", ByteBuffer())) }
            server.admit(head, head.request) { outcome in
                switch outcome {
                case .success(let session): self.hand(over: handshake, server.settings.webSocket, session, nil)
                case .failure(let refusal):
                    let refused = EngineAnswer.refused(refusal)
                    self.answer(Int(refused.status.code), (refused.type, refused.body))
                }
            }
        } catch {
            answer(400, ("text/plain", ByteBuffer()))
        }
    }

    private func hand(
        over handshake: WebSocketHandshake,
        _ settings: WebSocketSettings,
        _ session: any WebSocketSession,
        _ deflate: WebSocketDeflate?
    ) {
        guard let context, !isHandedOver else { return }
        isHandedOver = true
        let text = handshake.answer(deflate: deflate)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        let connection = WebSocketConnection(settings, session: session, timekeeper: timekeeper, deflate: deflate)
        do {
            try context.pipeline.syncOperations.addHandler(connection, position: .first)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            context.pipeline.syncOperations.removeHandler(decoder, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    // MARK: Answers

    private func answer(_ status: Int, _ content: (type: String, body: ByteBuffer)?) {
        guard let context, let head, !isAnswered else { return }
        isAnswered = true
        closed()
        exchange = nil
        let origin = head.headers.first(name: "origin")
        let keepsAlive = head.isKeepAlive && isWhole || head.isKeepAlive && head.method == .GET
        var bytes = ByteBuffer(string: "HTTP/1.1 \(HTTPResponseStatus(statusCode: status))\r\n")
        if let content { bytes.writeString("Content-Type: \(content.type)\r\nCache-Control: no-store\r\n") }
        if let content { bytes.writeString("Content-Length: \(content.body.readableBytes)\r\n") }
        if let origin {
            bytes.writeString("Access-Control-Allow-Origin: \(origin)\r\nAccess-Control-Allow-Credentials: true\r\n")
            bytes.writeString("Vary: Origin\r\n")
            if head.method == .OPTIONS {
                let wanted = head.headers.first(name: "access-control-request-headers") ?? "Content-Type"
                bytes.writeString("Access-Control-Allow-Methods: GET, POST, OPTIONS\r\n")
                bytes.writeString("Access-Control-Allow-Headers: \(wanted)\r\n")
            }
        }
        if !keepsAlive { bytes.writeString("Connection: close\r\n") }
        bytes.writeString("\r\n")
        if let content { bytes.writeImmutableBuffer(content.body) }
        let written = context.eventLoop.makePromise(of: Void.self)
        if !keepsAlive {
            written.futureResult.assumeIsolated().whenComplete { _ in
                self.context?.close(mode: .output, promise: nil)
            }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
        proceed()
    }
}

extension HTTPRequestHead {
    fileprivate var path: Substring { uri.prefix { $0 != "?" } }

    fileprivate var request: SocketIORequest {
        SocketIORequest(headers: headers, query: String(uri.dropFirst(path.count + 1)), address: "127.0.0.1")
    }
}

/// Ticks for the WebSockets of an event loop.
final class HostTimekeeper: WebSocketTimekeeper {
    private var connections: [ObjectIdentifier: WebSocketConnection] = [:]

    var monotonic: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }
    func add(_ connection: WebSocketConnection) { connections[ObjectIdentifier(connection)] = connection }
    func remove(_ connection: WebSocketConnection) { connections[ObjectIdentifier(connection)] = nil }

    func tick() {
        let now = monotonic
        for connection in connections.values { connection.tick(now: now) }
    }
}
