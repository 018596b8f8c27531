// SPDX-License-Identifier: Apache-2.0
// An open WebSocket, whatever is spoken over it.

import NIOCore

/// What is spoken over a WebSocket. Everything happens on the connection's event loop.
protocol WebSocketSession: AnyObject {
    func opened(_ connection: WebSocketConnection)
    func received(text: String)
    func received(binary: ByteBuffer)
    func tick(now: Milliseconds)
    /// Called once, however it ended.
    func closed()
}

final class WebSocketConnection: ChannelDuplexHandler, RemovableChannelHandler, Timed {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let loop: GatewayLoop
    private let session: any WebSocketSession
    private var context: ChannelHandlerContext?
    private var parser: WebSocketParser
    private var queue: SendQueue
    private var input = ByteBuffer()
    private var lastHeard: Milliseconds
    private var lastPing: Milliseconds
    private var closesBy: Milliseconds?
    private var isOver = false

    init(loop: GatewayLoop, session: any WebSocketSession) {
        let limits = loop.dependencies.config.limits
        self.loop = loop
        self.session = session
        parser = WebSocketParser(limit: limits.webSocketMessage)
        queue = SendQueue(limit: limits.streamQueue)
        lastHeard = loop.monotonic
        // Not all at the same moment after a restart has brought everybody back at once.
        lastPing = loop.monotonic - Milliseconds(loop.nextRandom() % UInt64(max(1, limits.ping / 2)))
    }

    /// Sends a whole frame; a reader that is too slow for it is disconnected.
    func send(_ frame: ByteBuffer) {
        guard let context, closesBy == nil else { return }
        switch queue.offer(frame, isWritable: context.channel.isWritable) {
        case .write: context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        case .wait: break
        case .disconnect: context.close(promise: nil)
        }
    }

    /// Begins the end: the client answers, or is cut off soon.
    func close(_ code: WebSocketCloseCode) {
        guard let context, closesBy == nil else { return }
        closesBy = loop.monotonic + loop.dependencies.config.limits.linger
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame.close(code)), promise: nil)
        end()
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        session.closed()
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        session.opened(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.remove(self)
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        loop.remove(self)
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        lastHeard = loop.monotonic
        if input.readableBytes > 0 { input.writeBuffer(&bytes) } else { input = bytes }
        do throws(WebSocketParser.Violation) {
            while let message = try parser.next(&input) {
                guard handle(message, context) else { break }
            }
        } catch {
            input = ByteBuffer()
            close(error.code)
        }
        if input.readableBytes == 0 { input = ByteBuffer() }
    }

    /// False when nothing more is wanted.
    private func handle(_ message: WebSocketParser.Message, _ context: ChannelHandlerContext) -> Bool {
        switch message {
        case .close(let code):
            if closesBy == nil { close(code.map { WebSocketCloseCode(number: $0) } ?? .normal) }
            context.close(promise: nil)
            return false
        case .ping(let payload):
            send(WebSocketFrame.pong(payload))
        case .pong: break
        case .text(let text): if closesBy == nil { session.received(text: text) }
        case .binary(let bytes): if closesBy == nil { session.received(binary: bytes) }
        }
        return context.channel.isActive
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        var wrote = false
        while context.channel.isWritable, let frame = queue.next() {
            context.write(wrapOutboundOut(frame), promise: nil)
            wrote = true
        }
        if wrote { context.flush() }
    }

    // MARK: Deadlines

    func tick(now: Milliseconds) {
        if let closesBy {
            if now > closesBy { context?.close(promise: nil) }
            return
        }
        let ping = loop.dependencies.config.limits.ping
        if now - lastHeard > ping * 3 {
            context?.close(promise: nil)
        } else if now - lastPing > ping {
            lastPing = now
            send(WebSocketFrame.ping)
        }
        session.tick(now: now)
    }

    func quiesce() { close(.restart) }

    func abort() { context?.close(promise: nil) }
}
