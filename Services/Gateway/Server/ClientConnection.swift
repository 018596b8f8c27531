// SPDX-License-Identifier: Apache-2.0
// One connection of a client: requests in, in turn, with limits and deadlines.

import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import SocketIO
import Synchronization
import Web

final class ClientConnection: ChannelDuplexHandler, RemovableChannelHandler, Timed {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Which of the gateway's two faces the connection sees.
    enum Face {
        case clients, admin
    }

    let loop: GatewayLoop
    let face: Face
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    var context: ChannelHandlerContext?
    var exchange: Exchange?
    var output = ByteBuffer()
    private(set) var peer = ClientAddress.unknown
    var pending = CircularBuffer<HTTPServerRequestPart>()
    private var isDelivering = false
    private var readIsHeld = false
    var served = 0
    var waitingSince: Milliseconds = 0
    var unwritableSince: Milliseconds?
    /// Octets of answers that the client has not taken yet, beyond what any connection may hold.
    var heldAnswer = 0
    var lingersUntil: Milliseconds?
    /// Why there is no room for this connection; its first request is answered with that.
    var refusal: ConnectionBudget.Refusal?

    init(loop: GatewayLoop, face: Face, decoder: ByteToMessageHandler<HTTPRequestDecoder>) {
        self.loop = loop
        self.face = face
        self.decoder = decoder
    }

    var dependencies: GatewayDependencies { loop.dependencies }
    var limits: GatewayLimits { loop.dependencies.config.limits }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer = ClientAddress(context.channel.remoteAddress)
        waitingSince = loop.monotonic
        guard face == .admin || takePlace(context) else { return context.close(promise: nil) }
        loop.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.remove(self)
        leave()
    }

    func channelInactive(context: ChannelHandlerContext) {
        loop.remove(self)
        leave()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard lingersUntil == nil else { return }
        let part = unwrapInboundIn(data)
        if isDelivering || !pending.isEmpty || exchange?.requestIsComplete == true || !mayBegin {
            pending.append(part)
        } else {
            take(part)
            deliver()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        exchange?.connection?.flush()
        flush()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard lingersUntil == nil else { return }
        if error is HTTPParserError || error is NIOHTTPDecoderError || error is ByteToMessageDecoderError {
            let fault: RequestFault =
                if let error = error as? HTTPParserError, error == .headerOverflow { .headersTooLarge } else {
                    .malformed("syntax")
                }
            refuse(fault)
        } else {
            context.close(promise: nil)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unwritableSince = nil
            noteHeldAnswer()
            exchange?.connection?.resumeReading()
            deliver()
        } else {
            unwritableSince = loop.monotonic
        }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if mayRead {
            context.read()
        } else {
            readIsHeld = true
            exchange?.heldSince = exchange?.heldSince ?? loop.monotonic
        }
    }

    /// Whether another request may begin: not while the client leaves answers unread.
    private var mayBegin: Bool { exchange != nil || context?.channel.isWritable != false }

    private var mayRead: Bool {
        if lingersUntil != nil { return true }
        guard pending.isEmpty, mayBegin else { return false }
        guard let exchange else { return true }
        if exchange.requestIsComplete { return false }
        if exchange.answerIsComplete { return true }
        if let connection = exchange.connection { return connection.isWritable }
        if exchange.engine != nil { return true }
        return exchange.unsentBytes < (exchange.isAccepted ? Exchange.replayLimit : limits.unacceptedBody)
    }

    func resumeReading() {
        guard readIsHeld, mayRead, let context else { return }
        readIsHeld = false
        if let exchange, let since = exchange.heldSince {
            exchange.heldFor += loop.monotonic - since
            exchange.heldSince = nil
        }
        context.read()
    }

    // MARK: Requests in turn

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        while exchange?.requestIsComplete != true, lingersUntil == nil, mayBegin, let part = pending.popFirst() {
            take(part)
        }
        isDelivering = false
        resumeReading()
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): begin(head)
        case .body(let bytes): if let exchange { takeBody(bytes, exchange) }
        case .end: if let exchange { takeEnd(exchange) }
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        let now = loop.monotonic
        served += 1
        let framing: BodyFraming
        do {
            framing = try RequestValidation.framing(of: head, limits: limits)
        } catch {
            return refuse(error, head: head)
        }
        guard let target = RequestTarget(head.uri) else { return refuse(.malformed("target"), head: head) }
        let exchange = Exchange(
            head: head,
            target: target,
            framing: framing,
            started: now,
            requestID: loop.newRequestID()
        )
        self.exchange = exchange
        if let refusal {
            exchange.keepsAlive = false
            return answer(ClientConnection.problem(for: refusal), to: exchange)
        }
        start(exchange)
        if exchange === self.exchange, !exchange.answerStarted, head.headers.contains(name: "expect") {
            output.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
            flush()
        }
    }

    private func takeBody(_ bytes: ByteBuffer, _ exchange: Exchange) {
        exchange.bodyBytes += bytes.readableBytes
        guard !exchange.answerIsComplete else {
            if exchange.bodyBytes > limits.body { linger() }
            return
        }
        guard exchange.bodyBytes <= limits.body else {
            dropUpstream(exchange)
            if exchange.answerStarted {
                context?.close(promise: nil)
            } else {
                refuse(.bodyTooLarge)
            }
            return
        }
        if let engine = exchange.engine { return engine.receive(bytes) }
        exchange.kept(bytes)
        if let connection = exchange.connection {
            connection.send(bytes)
        } else {
            exchange.unsent.append(bytes)
            exchange.unsentBytes += bytes.readableBytes
        }
        if let atTooLong = exchange.atTooLong, exchange.bodyBytes > atTooLong.limit { atTooLong.then() }
    }

    private func takeEnd(_ exchange: Exchange) {
        exchange.requestIsComplete = true
        exchange.atTooLong = nil
        exchange.connection?.sendEnd()
        exchange.engine?.end()
        if let atEnd = exchange.atEnd {
            exchange.atEnd = nil
            atEnd()
        }
        if exchange.answerIsComplete { next(exchange) }
    }

    /// The answer is out: on to the next request, or to the end of the connection.
    func finished(_ exchange: Exchange) {
        exchange.answerIsComplete = true
        exchange.costly?.end()
        account(exchange)
        flush()
        guard self.exchange === exchange else { return }
        if exchange.requestIsComplete {
            next(exchange)
        } else if !exchange.keepsAlive {
            linger()
        } else {
            resumeReading()
        }
    }

    private func next(_ exchange: Exchange) {
        self.exchange = nil
        waitingSince = loop.monotonic
        if exchange.keepsAlive {
            deliver()
        } else {
            closeWhenWritten()
        }
    }

    /// Ends the connection so that the client can still read the answer: what it sends meanwhile is read and dropped.
    func linger() {
        guard lingersUntil == nil, let context else { return }
        lingersUntil = loop.monotonic + limits.linger
        pending.removeAll()
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.context?.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
        resumeReading()
    }

    private func closeWhenWritten() {
        guard let context else { return }
        // Bytes that nobody has read would take the answer with them.
        let mayBeSending = !pending.isEmpty || dependencies.isStopping.load(ordering: .relaxed)
        pending.removeAll()
        lingersUntil = loop.monotonic + limits.stalledWrite
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            guard mayBeSending else { return self.context?.close(promise: nil) ?? () }
            self.lingersUntil = self.loop.monotonic + self.limits.linger
            self.context?.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
        resumeReading()
    }

    func flush() {
        guard let context else { return }
        if output.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(output), promise: nil)
            output = ByteBuffer()
        } else {
            context.flush()
        }
    }

    /// The client is gone.
    private func leave() {
        loop.heldAnswers -= heldAnswer
        heldAnswer = 0
        guard let exchange else { return }
        self.exchange = nil
        exchange.atEnd = nil
        exchange.atTooLong = nil
        dropUpstream(exchange)
        if !exchange.answerIsComplete {
            exchange.status = exchange.status == 0 ? 499 : exchange.status
            account(exchange)
        }
    }

    func dropUpstream(_ exchange: Exchange) {
        exchange.engine?.gone()
        exchange.engine = nil
        exchange.costly?.end()
        exchange.costlySince = nil
        if let ticket = exchange.ticket, ticket.receiver != nil {
            ticket.cancel()
            if let service = exchange.service { loop.pool(service).abandoned() }
        }
        exchange.ticket = nil
        exchange.connection?.cancel()
        exchange.connection = nil
    }

    // MARK: Other protocols

    /// Gives the connection to `successor`, which sees its bytes from now on.
    func hand(over exchange: Exchange, to successor: some ChannelHandler) {
        guard let context else { return }
        account(exchange)
        exchange.answerIsComplete = true
        self.exchange = nil
        flush()
        lingersUntil = .max
        do {
            try context.pipeline.syncOperations.addHandler(successor, position: .first)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            context.pipeline.syncOperations.removeHandler(decoder, promise: nil)
            // Reading was held since the request's end.
            context.channel.read()
        } catch {
            context.close(promise: nil)
        }
    }
}
