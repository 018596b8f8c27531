// SPDX-License-Identifier: Apache-2.0
// A stream as server-sent events.

import NIOCore
import SocketIO

/// Holds a connection after the head of its answer; what the client still sends is dropped.
final class EventStream: ChannelDuplexHandler, RemovableChannelHandler, Timed, StreamOutlet {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let heartbeat = ByteBuffer(string: ":thump\n")

    private let loop: GatewayLoop
    private let admitted: AdmittedStream
    private let name: StreamName
    private var context: ChannelHandlerContext?
    private var follower: Follower?
    private var queue: SendQueue
    private var lastBeat: Milliseconds
    private var stalledSince: Milliseconds?
    private var closesBy: Milliseconds?

    init(loop: GatewayLoop, admitted: AdmittedStream, name: StreamName) {
        let limits = loop.dependencies.config.limits
        self.loop = loop
        self.admitted = admitted
        self.name = name
        queue = SendQueue(limit: limits.streamQueue, byteLimit: limits.streamQueueBytes)
        lastBeat = loop.monotonic - Milliseconds(loop.nextRandom() % UInt64(max(1, limits.ping / 2)))
    }

    func deliver(_ frame: StreamFrame) { send(frame.serverSentEvent) }

    private func send(_ bytes: ByteBuffer) {
        guard let context, closesBy == nil else { return }
        switch queue.offer(bytes, isWritable: context.channel.isWritable) {
        case .write: context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        case .wait: break
        case .disconnect: context.close(promise: nil)
        }
    }

    func revoked() { finish(ByteBuffer()) }

    private func finish(_ last: ByteBuffer) {
        guard let context, closesBy == nil else { return }
        closesBy = loop.monotonic + loop.dependencies.config.limits.linger
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in self.context?.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(last), promise: written)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        let follower = Follower(
            principal: admitted.principal,
            token: admitted.token,
            limit: 1,
            outlet: self,
            verifyAt: loop.verification(of: admitted.principal)
        )
        self.follower = follower
        loop.streams.add(follower)
        _ = loop.streams.subscribe(follower, to: name)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        leave()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        loop.remove(self)
        if let follower { loop.streams.remove(follower) }
        follower = nil
        admitted.place.end()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalledSince = context.channel.isWritable ? nil : loop.monotonic
        var wrote = false
        while context.channel.isWritable, let bytes = queue.next() {
            context.write(wrapOutboundOut(bytes), promise: nil)
            wrote = true
        }
        if wrote { context.flush() }
    }

    // MARK: Deadlines

    func tick(now: Milliseconds) {
        let limits = loop.dependencies.config.limits
        if let closesBy {
            if now > closesBy { context?.close(promise: nil) }
            return
        }
        if let stalledSince, now - stalledSince > limits.ping * 3 { return abort() }
        if now - lastBeat > limits.ping {
            lastBeat = now
            send(EventStream.heartbeat)
        }
        guard let follower else { return }
        if follower.isOver(now: now) { return quiesce() }
        if now >= follower.verifyAt { loop.verify(follower) }
    }

    /// Told to come back after a while, each after another.
    func quiesce() { finish(ByteBuffer(string: "retry: \(1000 + loop.nextRandom() % 4000)\n\n")) }

    func abort() { context?.close(promise: nil) }
}
