// SPDX-License-Identifier: Apache-2.0
// The connections of one event loop to one service.

import NIOCore
import NIOPosix
import Surface

/// Why a service gave no answer.
enum UpstreamFailure: Error, Equatable {
    /// Not even tried, as the service keeps failing or too many wait for it already; or the service itself says so.
    case refused(retryAfter: Milliseconds)
    case unreachable
    /// The connection ended before the answer did.
    case closed
    case timedOut
    /// What came is no HTTP.
    case broken
}

/// Whoever waits for an answer of a service. Everything happens on the event loop.
protocol UpstreamReceiver: AnyObject {
    /// The connection is yours until the answer's end: send the request.
    func upstreamReady(_ connection: UpstreamConnection)
    func upstreamHead(_ head: ServiceAnswerHead)
    func upstreamBody(_ bytes: ByteBuffer)
    func upstreamEnd()
    /// Nothing more has come for now.
    func upstreamPaused()
    func upstreamFailed(_ failure: UpstreamFailure)
    func upstreamWritable()
    /// Whether more of the answer can be taken.
    var upstreamMayRead: Bool { get }
}

/// A place in the queue for a connection, given up by `cancel`.
final class UpstreamTicket {
    fileprivate(set) var receiver: (any UpstreamReceiver)?
    fileprivate let since: Milliseconds

    init(_ receiver: any UpstreamReceiver, since: Milliseconds) {
        self.receiver = receiver
        self.since = since
    }

    func cancel() { receiver = nil }
}

final class UpstreamPool {
    let service: ServiceName
    let eventLoop: any EventLoop
    private let addresses: [UpstreamAddress]
    /// Whose turn it is to get the next connection.
    private var turn: Int
    /// Until when an address to which no connection came about is tried last.
    private var shunned: [UpstreamAddress: Milliseconds] = [:]
    private let limits: GatewayLimits
    private(set) var breaker = CircuitBreaker()
    private var idle: [UpstreamConnection] = []
    private var all: [ObjectIdentifier: UpstreamConnection] = [:]
    private var connecting = 0
    private var waiting = CircularBuffer<UpstreamTicket>()

    init(service: ServiceName, address: UpstreamAddress, limits: GatewayLimits, eventLoop: any EventLoop) {
        self.service = service
        addresses = [address] + address.others
        turn = Int.random(in: addresses.indices)
        self.limits = limits
        self.eventLoop = eventLoop
    }

    var connections: Int { all.count + connecting }
    /// Connections that somebody has.
    var busy: Int { connections - idle.count }

    /// Finds a connection; the receiver may be called before this returns.
    ///
    /// - Parameters:
    ///   - fresh: whether only a new connection will do, because a used one has just failed.
    ///   - mayRepeat: whether the request can be sent again should the connection turn out to be closed.
    func acquire(_ receiver: any UpstreamReceiver, fresh: Bool = false, mayRepeat: Bool) -> UpstreamTicket {
        let now = monotonic()
        let ticket = UpstreamTicket(receiver, since: now)
        if case .no(let retryAfter) = breaker.ask(now: now) {
            receiver.upstreamFailed(.refused(retryAfter: retryAfter))
            return ticket
        }
        if !fresh {
            while let connection = idle.last {
                // The others have rested for longer.
                let isSafe = mayRepeat || connection.rested(now: now) < limits.upstreamReuse
                guard isSafe || connections >= limits.upstreamConnections else { break }
                idle.removeLast()
                guard connection.isUsable else { continue }
                connection.assign(receiver, now: now)
                return ticket
            }
        }
        if waiting.count >= limits.upstreamWaiting { waiting.removeAll { $0.receiver == nil } }
        if connections < limits.upstreamConnections {
            connect(ticket)
        } else if waiting.count < limits.upstreamWaiting {
            waiting.append(ticket)
        } else {
            breaker.abandoned()
            receiver.upstreamFailed(.refused(retryAfter: 1000))
        }
        return ticket
    }

    private func connect(_ ticket: UpstreamTicket) {
        connecting += 1
        turn = (turn + 1) % addresses.count
        let now = monotonic()
        let order = addresses[turn...] + addresses[..<turn]
        let isShunned = { (address: UpstreamAddress) in self.shunned[address].map { $0 > now } ?? false }
        connect(ticket, order.filter { !isShunned($0) } + order.filter(isShunned))
    }

    /// Tries one process after the other: the service is away only when none of them can be reached.
    private func connect(_ ticket: UpstreamTicket, _ order: [UpstreamAddress]) {
        guard let address = order.first else {
            connecting -= 1
            return fail(ticket, .unreachable)
        }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.milliseconds(limits.connect))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.maxMessagesPerRead, value: 4)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = UpstreamConnection(pool: bound.value, address: address)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
        let future: EventLoopFuture<any Channel>
        if let literal = try? SocketAddress(ipAddress: address.host, port: address.port) {
            future = bootstrap.connect(to: literal)
        } else {
            future = bootstrap.connect(host: address.host, port: address.port)
        }
        future.hop(to: eventLoop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel):
                self.connecting -= 1
                guard let connection = try? channel.pipeline.syncOperations.handler(type: UpstreamConnection.self)
                else {
                    channel.close(promise: nil)
                    self.fail(ticket, .unreachable)
                    return
                }
                self.all[ObjectIdentifier(connection)] = connection
                guard let receiver = ticket.receiver else {
                    self.breaker.abandoned()
                    self.release(connection)
                    return
                }
                ticket.cancel()
                connection.assign(receiver, now: self.monotonic())
            case .failure:
                self.shunned[address] = self.monotonic() + self.limits.shunning
                self.connect(ticket, Array(order.dropFirst()))
            }
        }
    }

    private func fail(_ ticket: UpstreamTicket, _ failure: UpstreamFailure) {
        breaker.failed(now: monotonic())
        let receiver = ticket.receiver
        ticket.cancel()
        receiver?.upstreamFailed(failure)
        refuseWaitingIfOpen()
        serveWaiting()
    }

    /// Takes back a connection whose answer is complete.
    func release(_ connection: UpstreamConnection) {
        while let ticket = waiting.popFirst() {
            guard let receiver = ticket.receiver else { continue }
            ticket.cancel()
            connection.assign(receiver, now: monotonic())
            return
        }
        connection.rest(now: monotonic())
        idle.append(connection)
    }

    func closed(_ connection: UpstreamConnection) {
        all[ObjectIdentifier(connection)] = nil
        idle.removeAll { $0 === connection }
        serveWaiting()
    }

    /// A process said with a good answer that it closes the connection: it stops, and others are asked from now on.
    func stops(_ address: UpstreamAddress) {
        guard addresses.count > 1 else { return }
        shunned[address] = monotonic() + limits.shunning
        let left = idle.filter { $0.address == address }
        idle.removeAll { $0.address == address }
        for connection in left { connection.close() }
    }

    private func serveWaiting() {
        while connections < limits.upstreamConnections, let ticket = waiting.popFirst() {
            guard let receiver = ticket.receiver else { continue }
            if case .no(let retryAfter) = breaker.ask(now: monotonic()) {
                ticket.cancel()
                receiver.upstreamFailed(.refused(retryAfter: retryAfter))
            } else {
                connect(ticket)
            }
        }
    }

    /// Nobody waits for a service that keeps failing.
    private func refuseWaitingIfOpen() {
        while breaker.state == .open, let ticket = waiting.popFirst() {
            let receiver = ticket.receiver
            ticket.cancel()
            receiver?.upstreamFailed(.refused(retryAfter: breaker.firstPause))
        }
    }

    /// Whoever has waited for too long is told so, and may come back.
    private func expireWaiting(now: Milliseconds) {
        while let ticket = waiting.first, ticket.receiver == nil || now - ticket.since > limits.upstreamWait {
            waiting.removeFirst()
            let receiver = ticket.receiver
            ticket.cancel()
            if receiver != nil { breaker.abandoned() }
            receiver?.upstreamFailed(.refused(retryAfter: 1000))
        }
    }

    /// A fault of the service, such as 500, may be what one request brings about: it says nothing of others.
    /// Nor does a service that cannot write but read: `ofOthers` is false then.
    func answered(status: Int, ofOthers: Bool = true) {
        if ofOthers, (502...504).contains(status) { failed() } else { breaker.succeeded(now: monotonic()) }
    }

    func failed(timedOut: Bool = false) {
        breaker.failed(now: monotonic(), timedOut: timedOut)
        refuseWaitingIfOpen()
    }

    func abandoned() { breaker.abandoned() }

    func tick(now: Milliseconds) {
        for connection in all.values {
            connection.tick(now: now, limits: limits)
        }
        expireWaiting(now: now)
    }

    func close() {
        for connection in all.values { connection.close() }
    }

    func monotonic() -> Milliseconds { Milliseconds(NIODeadline.now().uptimeNanoseconds / 1_000_000) }
}
