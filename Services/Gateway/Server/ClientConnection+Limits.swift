// SPDX-License-Identifier: Apache-2.0
// What a connection may take: its place among others, time, and memory for what its client has not read yet.

import HTTPTypes
import NIOCore
import Web

extension ClientConnection {
    /// Holds a place for as long as the connection lasts, whoever speaks on it later; false when there is none.
    func takePlace(_ context: ChannelHandlerContext) -> Bool {
        let budget = dependencies.connections
        if budget.isFull { loop.shed() }
        let held: ConnectionPlace
        switch budget.open(dependencies.config.trustedProxies.contains(peer) ? nil : peer) {
        case .place(let place): held = place
        case .told(let refusal, let place):
            self.refusal = refusal
            held = place
        case .closed: return false
        }
        context.channel.closeFuture.whenComplete { _ in held.end() }
        return true
    }

    var shedRank: ShedRank? {
        guard exchange == nil, pending.isEmpty, lingersUntil == nil else { return nil }
        return ShedRank(kind: .idle, since: waitingSince)
    }

    /// Counts what waits for the client.
    func noteHeldAnswer() {
        var held = 0
        if let context, !context.channel.isWritable {
            held = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        }
        loop.heldAnswers += held - heldAnswer
        heldAnswer = held
    }

    // MARK: Deadlines

    func tick(now: Milliseconds) {
        guard let context else { return }
        if let until = lingersUntil {
            if now > until { context.close(promise: nil) }
            return
        }
        if let since = unwritableSince, now - since > limits.stalledWrite { return context.close(promise: nil) }
        guard let exchange else {
            if now - waitingSince > patience { context.close(promise: nil) } else { endIfNotNeeded(now: now) }
            return
        }
        if let since = exchange.costlySince, now - since > limits.costlyPatience {
            return answer(.tooMany(retryAfter: .seconds(1)), to: exchange)
        }
        guard !exchange.requestIsComplete, exchange.heldSince == nil else { return }
        let elapsed = now - exchange.started - exchange.heldFor
        let rate = exchange.connection == nil ? limits.bodyRate : limits.uploadRate
        if elapsed > limits.bodyGrace, Milliseconds(exchange.bodyBytes) < elapsed * Milliseconds(rate) / 1000 {
            dropUpstream(exchange)
            if exchange.answerStarted {
                context.close(promise: nil)
            } else {
                exchange.keepsAlive = false
                answer(Problem(.requestTimeout, "request-timeout"), to: exchange)
            }
        }
    }

    /// How long to wait for a request.
    private var patience: Milliseconds {
        if refusal != nil { return limits.linger }
        return served == 0 ? limits.firstHead : limits.idle
    }

    func quiesce() { endIfNotNeeded(now: loop.monotonic) }

    /// A request may be on its way on any connection that waits for one. For a while it is still answered, and its
    /// client told that it was the last; what is idle even then ends.
    private func endIfNotNeeded(now: Milliseconds) {
        guard exchange == nil, pending.isEmpty, lingersUntil == nil, now >= loop.awaitsRequestsUntil else { return }
        linger()
    }

    func abort() { context?.close(promise: nil) }
}
