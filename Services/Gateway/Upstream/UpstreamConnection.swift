// SPDX-License-Identifier: Apache-2.0
// One connection to a service, carrying one request at a time.

import NIOCore
import NIOHTTP1

final class UpstreamConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    let address: UpstreamAddress
    private let pool: UpstreamPool
    private var context: ChannelHandlerContext?
    private var receiver: (any UpstreamReceiver)?
    private var readIsHeld = false
    private var requestEnded = false
    private var answerStarted = false
    private var keepsAlive = true
    private var servedBefore = false
    private var lastProgress: Milliseconds = 0
    private var restingSince: Milliseconds = 0

    /// Whether an earlier request was answered over this connection, so that it may have been closed meanwhile.
    private(set) var isReused = false

    init(pool: UpstreamPool, address: UpstreamAddress) {
        self.pool = pool
        self.address = address
    }

    var isUsable: Bool { context?.channel.isActive == true && receiver == nil }
    var isWritable: Bool { context?.channel.isWritable ?? false }

    func assign(_ receiver: any UpstreamReceiver, now: Milliseconds) {
        self.receiver = receiver
        requestEnded = false
        answerStarted = false
        keepsAlive = true
        isReused = servedBefore
        servedBefore = true
        lastProgress = now
        receiver.upstreamReady(self)
    }

    func rest(now: Milliseconds) { restingSince = now }

    /// How long nobody has had it.
    func rested(now: Milliseconds) -> Milliseconds { now - restingSince }

    func send(_ head: HTTPRequestHead) { context?.write(wrapOutboundOut(.head(head)), promise: nil) }

    func send(_ bytes: ByteBuffer) {
        lastProgress = pool.monotonic()
        context?.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
    }

    func sendEnd() {
        requestEnded = true
        lastProgress = pool.monotonic()
        context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func flush() { context?.flush() }

    /// The client left: the service need not go on.
    func cancel() {
        guard receiver != nil else { return }
        receiver = nil
        if !answerStarted { pool.abandoned() }
        close()
    }

    func close() { context?.close(promise: nil) }

    func resumeReading() {
        guard readIsHeld, let context else { return }
        readIsHeld = false
        context.read()
    }

    func tick(now: Milliseconds, limits: GatewayLimits) {
        guard let receiver else {
            if now - restingSince > limits.upstreamIdle { close() }
            return
        }
        if !answerStarted {
            if requestEnded {
                if now - lastProgress > limits.firstByte { fail(.timedOut) }
            } else if isWritable {
                // The client is slow, which says nothing of the service; the client's own deadline ends it.
                lastProgress = now
            } else if now - lastProgress > limits.upstreamStall {
                fail(.timedOut)
            }
        } else if !receiver.upstreamMayRead {
            lastProgress = now
        } else if now - lastProgress > limits.upstreamStall {
            fail(.timedOut)
        }
    }

    private func fail(_ failure: UpstreamFailure) {
        guard let receiver else { return }
        self.receiver = nil
        // A used connection that turns out closed says nothing about the service.
        if failure == .closed, isReused, !answerStarted {
            pool.abandoned()
        } else {
            pool.failed(timedOut: failure == .timedOut)
        }
        close()
        receiver.upstreamFailed(failure)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        pool.closed(self)
        fail(.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError || error is NIOHTTPDecoderError {
            fail(.broken)
        } else {
            fail(.closed)
        }
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let receiver else { return }
        lastProgress = pool.monotonic()
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.status != .switchingProtocols else { return fail(.broken) }
            answerStarted = true
            keepsAlive = head.isKeepAlive
            pool.answered(status: Int(head.status.code), ofOthers: !head.headers.contains(name: "x-madang-hinders"))
            // A bad request may cost its connection, too.
            if !keepsAlive, head.status.code < 400 { pool.stops(address) }
            receiver.upstreamHead(head)
        case .body(let bytes): receiver.upstreamBody(bytes)
        case .end:
            self.receiver = nil
            if requestEnded, keepsAlive, context.channel.isActive {
                pool.release(self)
            } else {
                close()
            }
            receiver.upstreamEnd()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { receiver?.upstreamPaused() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        lastProgress = pool.monotonic()
        if context.channel.isWritable { receiver?.upstreamWritable() }
    }

    func read(context: ChannelHandlerContext) {
        if receiver?.upstreamMayRead ?? true {
            context.read()
        } else {
            readIsHeld = true
        }
    }
}
