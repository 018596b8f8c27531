// SPDX-License-Identifier: Apache-2.0
// An open WebSocket, whatever is spoken over it.

public import NIOCore

/// What is spoken over a WebSocket. Everything happens on the connection's event loop.
public protocol WebSocketSession: AnyObject {
    func opened(_ connection: WebSocketConnection)
    /// - Parameter text: UTF-8.
    func received(text: ByteBuffer)
    func received(binary: ByteBuffer)
    func tick(now: Int64)
    /// Called once, however it ended.
    func closed()
    /// Whether somebody has yet to say, by `trust`, that the client may come in.
    var awaitsTrust: Bool { get }
}

extension WebSocketSession {
    public var awaitsTrust: Bool { false }
}

/// Who tells the connections of an event loop the time, by calling their `tick` again and again.
public protocol WebSocketTimekeeper: AnyObject {
    /// Milliseconds of a clock that never goes back.
    var monotonic: Int64 { get }
    func add(_ connection: WebSocketConnection)
    func remove(_ connection: WebSocketConnection)
}

/// Sizes and times of a WebSocket.
public struct WebSocketSettings: Sendable {
    /// Octets of the longest message.
    public var message = 16 * 1024
    /// Frames and octets that may wait for a slow reader.
    public var queue = 256
    public var queueBytes = Int.max
    /// Milliseconds from one ping of ours to the next; nil sends none and waits for nothing.
    public var ping: Int64? = 20_000
    /// Milliseconds in which the client must answer our end.
    public var linger: Int64 = 2000
    /// Messages shorter than this are not compressed.
    public var compressionThreshold = 0

    public init() {}
}

public final class WebSocketConnection: ChannelDuplexHandler, RemovableChannelHandler {
    public typealias InboundIn = ByteBuffer
    public typealias OutboundIn = ByteBuffer
    public typealias OutboundOut = ByteBuffer

    private let settings: WebSocketSettings
    private let timekeeper: any WebSocketTimekeeper
    private let session: any WebSocketSession
    private let deflater: WebSocketDeflater?
    private var context: ChannelHandlerContext?
    private var parser: WebSocketParser
    private var queue: SendQueue
    private var input = ByteBuffer()
    private let openedAt: Int64
    private var lastHeard: Int64
    private var lastPing: Int64
    private var closesBy: Int64?
    private var hearsNothing = false
    private var isOver = false
    private var flushIsDue = false

    /// - Parameter deflate: the compression that was agreed on.
    public init(
        _ settings: WebSocketSettings,
        session: any WebSocketSession,
        timekeeper: any WebSocketTimekeeper,
        deflate: WebSocketDeflate? = nil
    ) {
        self.settings = settings
        self.timekeeper = timekeeper
        self.session = session
        parser = WebSocketParser(
            limit: settings.message,
            inflater: deflate.map { WebSocketInflater(forgets: $0.clientForgets) }
        )
        deflater = deflate.map { WebSocketDeflater($0) }
        queue = SendQueue(limit: settings.queue, byteLimit: settings.queueBytes)
        openedAt = timekeeper.monotonic
        lastHeard = openedAt
        // Not all at the same moment after a restart has brought everybody back at once.
        lastPing = timekeeper.monotonic - Int64.random(in: 0...max(1, (settings.ping ?? 0) / 2))
    }

    /// Whether somebody has let the client in.
    public private(set) var isTrusted = false

    /// Since when nobody has let the client in; nil once somebody has, and where nobody has to.
    public var strangerSince: Int64? {
        closesBy == nil && !isTrusted && session.awaitsTrust ? openedAt : nil
    }

    /// Lets the client send longer messages.
    func trust(message: Int) {
        isTrusted = true
        parser.limit = message
    }

    /// Nil once the connection is gone.
    var eventLoop: (any EventLoop)? { context?.eventLoop }

    /// Sends a message, compressed if that was agreed on.
    public func send(_ message: WebSocketMessage) {
        guard closesBy == nil else { return }
        if let deflater, message.payload.readableBytes >= settings.compressionThreshold,
            let frame = deflater.frame(message)
        {
            send(frame)
        } else {
            send(message.frame)
        }
    }

    /// Sends a whole frame; a reader that is too slow for it is disconnected.
    public func send(_ frame: ByteBuffer) {
        guard let context, closesBy == nil else { return }
        switch queue.offer(frame, isWritable: context.channel.isWritable) {
        case .write:
            context.write(wrapOutboundOut(frame), promise: nil)
            flushSoon(context)
        case .wait: break
        case .disconnect: context.close(promise: nil)
        }
    }

    /// Everything that is sent in one turn of the event loop leaves together.
    private func flushSoon(_ context: ChannelHandlerContext) {
        guard !flushIsDue else { return }
        flushIsDue = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            bound.value.flushIsDue = false
            bound.value.context?.flush()
        }
    }

    /// Begins the end: the client answers, or is cut off soon.
    public func close(_ code: WebSocketCloseCode?) {
        guard let context, closesBy == nil else { return }
        closesBy = timekeeper.monotonic + settings.linger
        writeRest(context)
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame.close(code)), promise: nil)
        end()
    }

    /// What is waiting goes before the close.
    private func writeRest(_ context: ChannelHandlerContext) {
        while let frame = queue.next() { context.write(wrapOutboundOut(frame), promise: nil) }
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        session.closed()
    }

    // MARK: Channel

    public func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timekeeper.add(self)
        session.opened(self)
    }

    public func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timekeeper.remove(self)
        end()
    }

    public func channelInactive(context: ChannelHandlerContext) {
        timekeeper.remove(self)
        end()
        context.fireChannelInactive()
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hearsNothing else { return }
        var bytes = unwrapInboundIn(data)
        lastHeard = timekeeper.monotonic
        if input.readableBytes > 0 { input.writeBuffer(&bytes) } else { input = bytes }
        do throws(WebSocketParser.Violation) {
            while let message = try parser.next(&input) {
                guard handle(message, context) else { break }
            }
        } catch {
            fail(error.code, context)
        }
        if hearsNothing || input.readableBytes == 0 { input = ByteBuffer() }
    }

    /// False when nothing more is wanted.
    private func handle(_ message: WebSocketParser.Message, _ context: ChannelHandlerContext) -> Bool {
        switch message {
        case .close(let code):
            hearsNothing = true
            if closesBy == nil { close(code) }
            closeWhenWritten(context)
            return false
        case .ping(let payload): send(WebSocketFrame.pong(payload))
        case .pong: break
        case .text(let text): if closesBy == nil { session.received(text: text) }
        case .binary(let bytes): if closesBy == nil { session.received(binary: bytes) }
        }
        return context.channel.isActive
    }

    /// What a client sends after it has broken the protocol is read and dropped (RFC 6455, section 7.1.7).
    private func fail(_ code: WebSocketCloseCode, _ context: ChannelHandlerContext) {
        hearsNothing = true
        close(code)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.context?.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    private func closeWhenWritten(_ context: ChannelHandlerContext) {
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in self.context?.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    public func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    public func channelWritabilityChanged(context: ChannelHandlerContext) {
        var wrote = false
        while context.channel.isWritable, let frame = queue.next() {
            context.write(wrapOutboundOut(frame), promise: nil)
            wrote = true
        }
        if wrote { context.flush() }
    }

    // MARK: Deadlines

    public func tick(now: Int64) {
        if let closesBy {
            if now > closesBy { context?.close(promise: nil) }
            return
        }
        if let ping = settings.ping {
            if now - lastHeard > ping * 3 {
                context?.close(promise: nil)
            } else if now - lastPing > ping {
                lastPing = now
                send(WebSocketFrame.ping)
            }
        }
        session.tick(now: now)
    }

    /// The stop has begun.
    public func quiesce() { close(.restart) }

    public func abort() { context?.close(promise: nil) }
}
