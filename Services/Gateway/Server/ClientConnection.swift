// SPDX-License-Identifier: Apache-2.0
// The channel of one client: tells `ConnectionState` what happens and does what it says.

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
    private(set) var context: ChannelHandlerContext?
    private(set) var peer = ClientAddress.unknown
    var state: ConnectionState
    /// The request that is under way; nil between two, and once the connection ends.
    private(set) var exchange: Exchange?
    var writer: AnswerWriter
    /// Parts of requests whose turn has not come.
    private var pending = CircularBuffer<HTTPServerRequestPart>()
    private var isDelivering = false
    /// Whether the channel was given bytes that it may keep to itself.
    private var isUnflushed = false
    /// Octets of answers that the client has not taken yet, beyond what any connection may hold.
    private var heldAnswer = 0
    /// Why there is no room for this connection; its first request is answered with that.
    private var refusal: ConnectionBudget.Refusal?

    init(loop: GatewayLoop, face: Face, decoder: ByteToMessageHandler<HTTPRequestDecoder>) {
        self.loop = loop
        self.face = face
        self.decoder = decoder
        state = ConnectionState(now: loop.monotonic)
        writer = AnswerWriter(loop.dependencies.headers)
    }

    var dependencies: GatewayDependencies { loop.dependencies }
    var limits: GatewayLimits { loop.dependencies.config.limits }
    private var isStopping: Bool { dependencies.isStopping.load(ordering: .relaxed) }

    /// Whether the exchange is the one under way, and nothing was said to it yet: what comes late must ask.
    func isOpen(_ exchange: Exchange) -> Bool { self.exchange === exchange && state.awaitsAnswer }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer = ClientAddress(context.channel.remoteAddress)
        guard face == .admin || takePlace(context) else { return context.close(promise: nil) }
        loop.add(self)
    }

    /// Holds a place for as long as the connection lasts, whoever speaks on it later; false when there is none.
    private func takePlace(_ context: ChannelHandlerContext) -> Bool {
        let budget = dependencies.connections
        if budget.isFull { loop.shed() }
        let held: ConnectionPlace
        switch budget.open(dependencies.config.trustedProxies.contains(peer) ? nil : peer) {
        case .place(let place): held = place
        case .told(let refusal, let place):
            self.refusal = refusal
            state = ConnectionState(now: loop.monotonic, isRefused: true)
            held = place
        case .closed: return false
        }
        context.channel.closeFuture.whenComplete { _ in held.end() }
        return true
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        leave()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state.isListening else { return }
        let part = unwrapInboundIn(data)
        if isDelivering || !pending.isEmpty || !state.takesParts {
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
        guard state.isListening else { return }
        switch error {
        case HTTPParserError.headerOverflow: refuse(.headersTooLarge)
        case is HTTPParserError, is NIOHTTPDecoderError, is ByteToMessageDecoderError: refuse(.malformed("syntax"))
        default: context.close(promise: nil)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        state.writabilityChanged(context.channel.isWritable, now: loop.monotonic)
        if state.isWritable {
            noteHeldAnswer()
            exchange?.connection?.resumeReading()
            deliver()
        }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if mayRead { context.read() } else { state.holdsRead(now: loop.monotonic) }
    }

    private var mayRead: Bool {
        let isTaken = exchange?.connection?.isWritable ?? true
        let most = limits.unacceptedBody
        return state.mayRead(hasMore: !pending.isEmpty, upstreamIsWritable: isTaken, unaccepted: most)
    }

    func resumeReading() {
        guard state.readIsHeld, let context, mayRead, state.resumesRead(now: loop.monotonic) else { return }
        context.read()
    }

    func flush() {
        guard let context else { return }
        if writer.bytes.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(writer.take()), promise: nil)
        } else if isUnflushed {
            context.flush()
        }
        isUnflushed = false
    }

    /// Gives bytes to the channel as they are.
    func write(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        isUnflushed = true
        context?.write(wrapOutboundOut(bytes), promise: nil)
    }

    func abort() { context?.close(promise: nil) }

    // MARK: Requests in turn

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        while state.takesParts, let part = pending.popFirst() { take(part) }
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
        let framing: BodyFraming
        do {
            framing = try RequestValidation.framing(of: head, limits: limits)
        } catch {
            return refuse(error, head: head)
        }
        guard let target = RequestTarget(head.uri) else { return refuse(.malformed("target"), head: head) }
        let exchange = begin(head, target, framing)
        state.began(ExchangeState(head, framing: framing, now: exchange.started))
        if let refusal { return answer(Problem(refusal), to: exchange) }
        start(exchange)
        if isOpen(exchange), head.headers.contains(name: "expect") {
            writer.text("HTTP/1.1 100 Continue\r\n\r\n")
            flush()
        }
    }

    private func begin(_ head: HTTPRequestHead, _ target: RequestTarget, _ framing: BodyFraming) -> Exchange {
        let begun = Exchange(
            head: head,
            target: target,
            framing: framing,
            started: loop.monotonic,
            requestID: exchange?.requestID ?? loop.newRequestID()
        )
        exchange = begun
        return begun
    }

    private func takeBody(_ bytes: ByteBuffer, _ exchange: Exchange) {
        switch state.bodyCame(bytes.readableBytes, most: exchange.mostBody(limits)) {
        case .drop: break
        case .keep: exchange.body.append(bytes)
        case .send:
            if state.mayReplay { exchange.body.append(bytes) }
            exchange.body.sent(keeping: state.mayReplay)
            exchange.connection?.send(bytes)
        case .giveSession: exchange.engine?.receive(bytes)
        case .goOn:
            exchange.body.append(bytes)
            goOn(exchange, isWhole: false)
        case .refuse: refuse(.bodyTooLarge)
        case .linger: linger()
        }
    }

    private func takeEnd(_ exchange: Exchange) {
        let mayBeSending = !pending.isEmpty || isStopping
        switch state.endCame(now: loop.monotonic, mayBeSending: mayBeSending, patience: limits.stalledWrite) {
        case .none: break
        case .endSending: exchange.connection?.sendEnd()
        case .endSession: exchange.engine?.end()
        case .goOn: goOn(exchange, isWhole: true)
        case .next(let action): perform(action)
        }
    }

    /// Goes on with the whole request, or as soon as its body is longer than `most`.
    func read(_ exchange: Exchange, upTo most: Int = .max, then proceed: @escaping (_ isWhole: Bool) -> Void) {
        switch state.collects(most: most) {
        case .whole: proceed(true)
        case .tooLong: proceed(false)
        case .waits:
            exchange.whenRead = proceed
            resumeReading()
        }
    }

    private func goOn(_ exchange: Exchange, isWhole: Bool) {
        let proceed = exchange.whenRead
        exchange.whenRead = nil
        proceed?(isWhole)
    }

    /// Answers a request that cannot be understood, and trusts nothing that follows on the connection.
    func refuse(_ fault: RequestFault, head: HTTPRequestHead? = nil) {
        let head = head ?? exchange?.head ?? HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        // Nobody knows where it ends.
        switch state.refuses(with: ExchangeState(head, framing: .chunked, now: loop.monotonic)) {
        case .none: break
        case .close: abort()
        case .answer:
            if let exchange { dropUpstream(exchange) }
            answer(Problem(fault), to: begin(head, .root, .chunked))
        }
    }

    /// The answer is out: on to the next request, or to the end of the connection.
    func finished(_ exchange: Exchange) {
        state.answerEnds()
        exchange.costly?.end()
        account(exchange)
        flush()
        guard self.exchange === exchange else { return }
        let mayBeSending = !pending.isEmpty || isStopping
        perform(state.next(now: loop.monotonic, mayBeSending: mayBeSending, patience: limits.stalledWrite))
    }

    private func perform(_ action: ConnectionState.NextAction) {
        switch action {
        case .none: break
        case .readOn: resumeReading()
        case .takeNextRequest:
            exchange = nil
            deliver()
        case .linger: linger()
        case .finish: endWhenWritten()
        }
    }

    // MARK: The end

    /// Ends the connection so that the client can still read the answer: what it sends meanwhile is read and dropped.
    private func linger() {
        guard state.lingers(now: loop.monotonic, limits) else { return }
        endWhenWritten()
    }

    private func endWhenWritten() {
        exchange = nil
        pending.removeAll()
        guard let context else { return }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            switch self.state.written(now: self.loop.monotonic, self.limits) {
            case .none: break
            case .close: self.abort()
            case .closeOutput: self.context?.close(mode: .output, promise: nil)
            }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
        resumeReading()
    }

    /// The client is gone.
    private func leave() {
        loop.remove(self)
        loop.heldAnswers -= heldAnswer
        heldAnswer = 0
        let isUnanswered = state.leaves()
        guard let exchange else { return }
        self.exchange = nil
        exchange.whenRead = nil
        dropUpstream(exchange)
        guard isUnanswered else { return }
        if exchange.status == 0 { exchange.status = 499 }
        account(exchange)
    }

    /// Gives the connection to `successor`, which sees its bytes from now on.
    func hand(over exchange: Exchange, to successor: some ChannelHandler) {
        guard let context else { return }
        account(exchange)
        state.handsOver()
        self.exchange = nil
        flush()
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

    // MARK: Limits

    var shedRank: ShedRank? {
        guard pending.isEmpty, let since = state.waitingSince else { return nil }
        return ShedRank(kind: .idle, since: since)
    }

    /// Counts what waits for the client.
    func noteHeldAnswer() {
        var held = 0
        if let context, !state.isWritable {
            held = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        }
        loop.heldAnswers += held - heldAnswer
        heldAnswer = held
    }

    /// Ahead of the client by a bound, so that the service is soon free for others.
    var upstreamMayRead: Bool {
        state.isWritable || heldAnswer < limits.answerHold && loop.heldAnswers < limits.answersHeld
    }

    func tick(now: Milliseconds) {
        switch state.tick(now: now, limits) {
        case .none: break
        case .close: abort()
        case .rest: endIfNotNeeded(now: now)
        case .answerTooMany: if let exchange { answer(.tooMany(retryAfter: .seconds(1)), to: exchange) }
        case .answerTooSlow:
            state.isLast()
            if let exchange { answer(Problem(.requestTimeout, "request-timeout"), to: exchange) }
        }
    }

    func quiesce() { endIfNotNeeded(now: loop.monotonic) }

    /// A request may be on its way on any connection that waits for one. For a while it is still answered, and its
    /// client told that it was the last; what is idle even then ends.
    private func endIfNotNeeded(now: Milliseconds) {
        guard state.waitingSince != nil, pending.isEmpty, now >= loop.awaitsRequestsUntil else { return }
        linger()
    }
}
