// SPDX-License-Identifier: Apache-2.0
// What a client's connection is about: requests in turn, each with its answer, and one end.

/// A connection as a value: it is told what happens and says what to do, and knows no channel.
struct ConnectionState: Equatable {
    enum Phase: Equatable {
        /// For a request.
        case waiting(since: Milliseconds)
        case exchange(ExchangeState)
        /// The last answer is on its way to the client; what the client sends is dropped from now on.
        case finishing(until: Milliseconds, lingers: Bool)
        /// The answer is out, and a client that still sends has time to read it.
        case lingering(until: Milliseconds)
        /// Another protocol has the channel.
        case handedOver
        case gone
    }

    enum BodyAction: Equatable {
        case drop, keep, send, giveSession
        /// Keep it, and go on with what waited for so much.
        case goOn
        case refuse, linger
    }

    enum EndAction: Equatable {
        case none
        case endSending, endSession
        /// Go on with what waited for the whole.
        case goOn
        case next(NextAction)
    }

    enum NextAction: Equatable {
        case none
        /// The answer is out, the request not yet in.
        case readOn
        case takeNextRequest
        case linger
        /// End when the answer is written.
        case finish
    }

    enum Collecting: Equatable {
        case whole, tooLong, waits
    }

    enum FailureAction: Equatable {
        case none, answer, sendAgain
        /// Half an answer is out: only the connection's end tells the client so.
        case close
    }

    enum RefusalAction: Equatable {
        case none, answer, close
    }

    enum WrittenAction: Equatable {
        case none, close, closeOutput
    }

    enum TickAction: Equatable {
        case none, close
        /// Nobody has asked for anything for a while, but not yet for too long.
        case rest
        case answerTooMany, answerTooSlow
    }

    private(set) var phase: Phase
    private var served = 0
    /// Whether there is no room for it, and its first request is answered with that.
    private let isRefused: Bool
    private(set) var readIsHeld = false
    /// Since when the client has not taken what it was sent.
    private var unwritableSince: Milliseconds?

    init(now: Milliseconds, isRefused: Bool = false) {
        phase = .waiting(since: now)
        self.isRefused = isRefused
    }

    private var exchange: ExchangeState? {
        get { if case .exchange(let exchange) = phase { exchange } else { nil } }
        set { if let newValue { phase = .exchange(newValue) } }
    }

    var isWritable: Bool { unwritableSince == nil }
    /// Since when it has waited for a request; nil when it does not.
    var waitingSince: Milliseconds? { if case .waiting(let since) = phase { since } else { nil } }
    /// Whether requests are still heard.
    var isListening: Bool { exchange != nil || waitingSince != nil }
    /// Whether a request is there to which nothing has been said.
    var awaitsAnswer: Bool { exchange?.answer == .awaited }
    var isRead: Bool { exchange?.isRead ?? true }
    var isAnswerChunked: Bool { exchange?.answer == .started(isChunked: true) }
    var mayReplay: Bool { exchange?.mayReplay ?? false }

    // MARK: The request

    /// Whether the next part of a request may be taken now. None begins while the client leaves answers unread.
    var takesParts: Bool {
        switch phase {
        case .waiting: isWritable
        case .exchange(let exchange): !exchange.isRead
        case .finishing, .lingering, .handedOver, .gone: false
        }
    }

    mutating func began(_ exchange: ExchangeState) {
        served += 1
        phase = .exchange(exchange)
        if isRefused { isLast() }
    }

    /// The body of the request is a file.
    mutating func takesUpload() { exchange?.isUpload = true }

    /// There will be no other request on the connection.
    mutating func isLast() { exchange?.keepsAlive = false }

    /// - Parameter most: octets that a body may have.
    mutating func bodyCame(_ count: Int, most: Int) -> BodyAction { exchange?.bodyCame(count, most: most) ?? .drop }

    /// - Parameters:
    ///   - mayBeSending: whether the client may have sent more that nobody will read.
    ///   - patience: how long a client may leave its last answer unread.
    mutating func endCame(now: Milliseconds, mayBeSending: Bool, patience: Milliseconds) -> EndAction {
        guard var exchange else { return .none }
        exchange.isRead = true
        let stage = exchange.stage
        if case .collecting = stage { exchange.stage = .accepted }
        self.exchange = exchange
        if exchange.answer == .complete { return .next(next(now: now, mayBeSending: mayBeSending, patience: patience)) }
        switch stage {
        case .sending: return .endSending
        case .session: return .endSession
        case .collecting: return .goOn
        case .judged, .accepted, .queued: return .none
        }
    }

    /// What comes cannot be understood or taken: nothing that follows is trusted.
    mutating func refuses(with exchange: ExchangeState) -> RefusalAction {
        guard isListening else { return .none }
        guard awaitsAnswer || waitingSince != nil else { return .close }
        phase = .exchange(exchange)
        isLast()
        return .answer
    }

    // MARK: Its way

    /// It is known who asks, and that there is a budget for it.
    mutating func accepts() { exchange?.stage = .accepted }

    /// The request goes on when it is whole, or its body longer than `most`.
    mutating func collects(most: Int) -> Collecting {
        accepts()
        guard let exchange, !exchange.isRead else { return .whole }
        guard exchange.bodyBytes <= most else { return .tooLong }
        self.exchange?.stage = .collecting(most: most)
        return .waits
    }

    mutating func queues(now: Milliseconds) { exchange?.stage = .queued(since: now) }

    /// False when nobody waits any more.
    mutating func leavesQueue() -> Bool {
        guard awaitsAnswer, case .queued = exchange?.stage else { return false }
        accepts()
        return true
    }

    /// A service is there; false when nobody asks it any more.
    mutating func sends() -> Bool {
        guard awaitsAnswer else { return false }
        exchange?.stage = .sending
        exchange?.unsentBytes = 0
        return true
    }

    mutating func entersSession() { exchange?.stage = .session }

    /// Neither a service nor a session has the request any more.
    mutating func releases() { exchange?.stage = .accepted }

    /// The service will not answer, or not to the end.
    ///
    /// - Parameter mayBeStale: whether it was asked on a used connection, and may be asked again.
    mutating func fails(_ failure: UpstreamFailure, mayBeStale: Bool) -> FailureAction {
        guard let exchange else { return .none }
        guard exchange.answer == .awaited else { return .close }
        accepts()
        guard failure == .closed, mayBeStale, !exchange.isRetried, exchange.mayReplay else { return .answer }
        self.exchange?.isRetried = true
        self.exchange?.unsentBytes = exchange.bodyBytes
        return .sendAgain
    }

    // MARK: The answer

    /// - Parameter isStopping: whether every answer is the last of its connection.
    mutating func answerStarts(_ length: AnswerLength, isStopping: Bool) -> AnswerFraming {
        exchange?.answerStarts(length, isStopping: isStopping) ?? AnswerFraming(field: .none, keepsAlive: false)
    }

    mutating func answerEnds() { exchange?.answer = .complete }

    /// On to the next request, or to the end of the connection.
    mutating func next(now: Milliseconds, mayBeSending: Bool, patience: Milliseconds) -> NextAction {
        guard let exchange, exchange.answer == .complete else { return .none }
        guard exchange.isRead else { return exchange.keepsAlive ? .readOn : .linger }
        if exchange.keepsAlive {
            phase = .waiting(since: now)
            return .takeNextRequest
        }
        phase = .finishing(until: now + patience, lingers: mayBeSending)
        return .finish
    }

    // MARK: The end

    /// False when it is ending already.
    mutating func lingers(now: Milliseconds, _ limits: GatewayLimits) -> Bool {
        guard isListening else { return false }
        phase = .lingering(until: now + limits.linger)
        return true
    }

    /// All that was said has left us.
    mutating func written(now: Milliseconds, _ limits: GatewayLimits) -> WrittenAction {
        switch phase {
        case .finishing(_, lingers: true):
            // Bytes that nobody has read would take the answer with them.
            phase = .lingering(until: now + limits.linger)
            return .closeOutput
        case .finishing: return .close
        case .lingering: return .closeOutput
        case .waiting, .exchange, .handedOver, .gone: return .none
        }
    }

    mutating func handsOver() { phase = .handedOver }

    /// The client is gone; whether it leaves a request behind that was not answered to the end.
    mutating func leaves() -> Bool {
        defer { if phase != .handedOver { phase = .gone } }
        return exchange.map { $0.answer != .complete } ?? false
    }

    // MARK: Reading

    /// - Parameters:
    ///   - hasMore: whether parts of requests wait for their turn.
    ///   - upstreamIsWritable: whether the service that has the request takes more of it.
    ///   - unaccepted: octets of a body that are taken before it is known who sends it.
    func mayRead(hasMore: Bool, upstreamIsWritable: Bool, unaccepted: Int) -> Bool {
        switch phase {
        case .finishing, .lingering, .handedOver, .gone: true
        case .waiting: !hasMore && isWritable
        case .exchange(let exchange):
            !hasMore && exchange.mayRead(unaccepted: unaccepted, upstreamIsWritable: upstreamIsWritable)
        }
    }

    mutating func holdsRead(now: Milliseconds) {
        readIsHeld = true
        if exchange?.heldSince == nil { exchange?.heldSince = now }
    }

    /// Whether there is a read to be made up for.
    mutating func resumesRead(now: Milliseconds) -> Bool {
        guard readIsHeld else { return false }
        readIsHeld = false
        if let since = exchange?.heldSince {
            exchange?.heldFor += now - since
            exchange?.heldSince = nil
        }
        return true
    }

    // MARK: Time

    mutating func writabilityChanged(_ isWritable: Bool, now: Milliseconds) {
        unwritableSince = isWritable ? nil : now
    }

    func tick(now: Milliseconds, _ limits: GatewayLimits) -> TickAction {
        switch phase {
        case .finishing(let until, _), .lingering(let until): return now > until ? .close : .none
        case .handedOver, .gone: return .none
        case .waiting, .exchange: break
        }
        if let since = unwritableSince, now - since > limits.stalledWrite { return .close }
        guard let exchange else { return isOverdue(now: now, limits) ? .close : .rest }
        if case .queued(let since) = exchange.stage, exchange.answer == .awaited {
            if now - since > limits.costlyPatience { return .answerTooMany }
        }
        guard exchange.isTooSlow(now: now, limits) else { return .none }
        return exchange.answer == .awaited ? .answerTooSlow : .close
    }

    /// Whether a request should have come by now.
    private func isOverdue(now: Milliseconds, _ limits: GatewayLimits) -> Bool {
        guard let since = waitingSince else { return false }
        let patience = isRefused ? limits.linger : served == 0 ? limits.firstHead : limits.idle
        return now - since > patience
    }
}
