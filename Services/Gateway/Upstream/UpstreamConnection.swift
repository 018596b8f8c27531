// SPDX-License-Identifier: Apache-2.0
// One connection to a service, carrying one request at a time.

import NIOCore

final class UpstreamConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let address: UpstreamAddress
    private let pool: UpstreamPool
    private var context: ChannelHandlerContext?
    private var reader = ServiceAnswerReader()
    private var receiver: (any UpstreamReceiver)?
    /// Neither side has ended it.
    private var isOpen = true
    /// Whether the service takes what it is sent.
    private(set) var isWritable = true
    private var readIsHeld = false
    private var requestEnded = false
    private var isChunked = false
    /// Whether the channel was given bytes that it may keep to itself.
    private var isUnflushed = false
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

    var isUsable: Bool { isOpen && receiver == nil }

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

    func send(_ request: ServiceRequest) {
        isChunked = request.isChunked
        reader.expect(isHead: request.isHead)
        write(request.bytes)
    }

    /// Sends a part of the body.
    func send(_ bytes: ByteBuffer) {
        lastProgress = pool.monotonic()
        guard bytes.readableBytes > 0 else { return }
        if isChunked { write(ByteBuffer(string: String(bytes.readableBytes, radix: 16) + "\r\n")) }
        write(bytes)
        if isChunked { write(ByteBuffer(staticString: "\r\n")) }
    }

    func sendEnd() {
        requestEnded = true
        lastProgress = pool.monotonic()
        if isChunked { write(ByteBuffer(staticString: "0\r\n\r\n")) }
        flush()
    }

    private func write(_ bytes: ByteBuffer) {
        isUnflushed = true
        context?.write(wrapOutboundOut(bytes), promise: nil)
    }

    func flush() {
        guard isUnflushed else { return }
        isUnflushed = false
        context?.flush()
    }

    /// The client left: the service need not go on.
    func cancel() {
        guard receiver != nil else { return }
        receiver = nil
        if !answerStarted { pool.abandoned() }
        close()
    }

    func close() {
        isOpen = false
        context?.close(promise: nil)
    }

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

    func handlerRemoved(context: ChannelHandlerContext) { gone() }

    private func gone() {
        context = nil
        (isOpen, isWritable) = (false, false)
    }

    func channelInactive(context: ChannelHandlerContext) {
        gone()
        pool.closed(self)
        if reader.endsWithConnection { finish() } else { fail(.closed) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(.closed)
        close()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard receiver != nil else { return close() }
        lastProgress = pool.monotonic()
        reader.append(unwrapInboundIn(data))
        do {
            while let receiver, let part = try reader.next() { take(part, receiver) }
        } catch {
            fail(.broken)
        }
    }

    private func take(_ part: ServiceAnswerReader.Part, _ receiver: any UpstreamReceiver) {
        switch part {
        case .head(let head):
            answerStarted = true
            keepsAlive = head.keepsAlive && head.framing != .untilClose
            pool.answered(status: head.status, ofOthers: !head.has(.hinders))
            // A bad request may cost its connection, too.
            if !head.keepsAlive, head.status < 400 { pool.stops(address) }
            receiver.upstreamHead(head)
        case .body(let bytes): receiver.upstreamBody(bytes)
        case .end: finish()
        }
    }

    /// The answer is complete.
    private func finish() {
        guard let receiver else { return }
        self.receiver = nil
        if requestEnded, keepsAlive, reader.isEmpty, isOpen {
            pool.release(self)
        } else {
            close()
        }
        receiver.upstreamEnd()
    }

    func channelReadComplete(context: ChannelHandlerContext) { receiver?.upstreamPaused() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        lastProgress = pool.monotonic()
        isWritable = context.channel.isWritable
        if isWritable { receiver?.upstreamWritable() }
    }

    func read(context: ChannelHandlerContext) {
        if receiver?.upstreamMayRead ?? true {
            context.read()
        } else {
            readIsHeld = true
        }
    }
}
