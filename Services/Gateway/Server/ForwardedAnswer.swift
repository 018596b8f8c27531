// SPDX-License-Identifier: Apache-2.0
// Answers of services, passed on while they come.

import Calls
import Domain
import NIOCore
import NIOHTTP1
import ServiceKit
import Surface
import Views
import Web

extension ClientConnection {
    func upstreamHead(_ head: ServiceAnswerHead) {
        guard let exchange, state.awaitsAnswer else { return }
        if let form = exchange.form {
            form.status = head.status
            form.retryAfter = head.first(.retryAfter)
            return
        }
        if exchange.shownFile != nil, head.status >= 400, head.status != 416 {
            return answer(head.status == 404 ? .notFound : Problem(.broken, of: .media), to: exchange)
        }
        if exchange.service == .auth, let account = NewAccount(field: head.first(.registered)) {
            return hold(head, account, exchange)
        }
        if let stored = exchange.storing?.begins(head) {
            passOn(stored.head, exchange)
            return upstreamBody(stored.body)
        }
        passOn(head, exchange)
    }

    private func passOn(_ head: ServiceAnswerHead, _ exchange: Exchange) {
        let length: AnswerLength =
            switch head.framing {
            case .none: .empty
            case .length(let count): .known(count)
            case .chunks, .untilClose: .unknown
            }
        let status = HTTPResponseStatus(statusCode: head.status)
        startAnswer(exchange, status: status, length: length, isOwn: false) { bytes in
            head.writeFields(to: &bytes)
            if !head.has(.frameOptions) { bytes.writeStaticString("X-Frame-Options: DENY\r\n") }
            // What is answered to somebody is for nobody else, unless the service knows better.
            if exchange.principal != nil, !head.has(.cacheControl) {
                bytes.writeStaticString("Cache-Control: private, no-store\r\n")
            }
        }
        guard let service = exchange.service else { return }
        dependencies.latencies[service.index].observe(microseconds: (loop.monotonic - exchange.started) * 1000)
    }

    func upstreamBody(_ bytes: ByteBuffer) {
        guard let exchange, bytes.readableBytes > 0 else { return }
        if let form = exchange.form {
            form.answer.writeImmutableBuffer(bytes)
            guard form.answer.readableBytes > FormOnItsWay.mostAnswer else { return }
            return answer(Problem(.broken, of: .media), to: exchange)
        }
        guard !exchange.wantsNoBody else { return }
        if let held = exchange.held { return held.body.append(bytes) }
        exchange.storing?.append(bytes)
        exchange.bytesOut += bytes.readableBytes
        if let before = writer.part(bytes, isChunked: state.isAnswerChunked) {
            write(before)
            write(bytes)
        }
        if writer.bytes.readableBytes > 64 * 1024 { flush() }
        noteHeldAnswer()
    }

    func upstreamEnd() {
        guard let exchange else { return }
        if let form = exchange.form { return formEnds(form, exchange) }
        if let held = exchange.held {
            held.isWhole = true
            exchange.connection = nil
            return
        }
        exchange.storing?.ends(dependencies.stored)
        writer.end(isChunked: state.isAnswerChunked)
        exchange.connection = nil
        finished(exchange)
    }

    // MARK: Accounts that have just been made

    /// Answers once others can find the account; when posts does not say so in time, its event makes the profile.
    private func hold(_ head: ServiceAnswerHead, _ account: NewAccount, _ exchange: Exchange) {
        let held = HeldAnswer(head)
        exchange.held = held
        let release = { [weak self] in
            guard let self, self.isOpen(exchange), exchange.held === held else { return }
            exchange.held = nil
            self.passOn(held.head, exchange)
            for bytes in held.body { self.upstreamBody(bytes) }
            if held.isWhole { self.upstreamEnd() }
            self.flush()
        }
        var account = account
        if let uploads = exchange.rest?.uploads, !uploads.isEmpty {
            (account.avatar, account.header) = (uploads["avatar"], uploads["header"])
            claim(Array(uploads.values), for: account)
        }
        InternalCall.ask(
            loop.pool(.posts),
            PostsCall.makeAccount,
            secret: dependencies.config.internalSecret(.posts),
            body: account.json()
        ) { _ in release() }
        let bound = NIOLoopBound(release, eventLoop: loop.eventLoop)
        loop.eventLoop.scheduleTask(in: .milliseconds(limits.profileWait)) { bound.value() }
    }

    /// Tells media whose the pictures are that came with a sign-up. Without it they go, and the profile stays without.
    private func claim(_ ids: [MediaID], for account: NewAccount) {
        InternalCall.ask(
            loop.pool(.media),
            MediaEndpoint.claimUploads,
            secret: dependencies.config.internalSecret(.media),
            body: UploadClaim(ids: ids, owner: account.account.id).json()
        ) { _ in }
    }
}
