// SPDX-License-Identifier: Apache-2.0
// Answers of services, passed on while they come.

import NIOCore
import NIOHTTP1
import ServiceKit
import Surface

extension ClientConnection {
    func upstreamHead(_ head: HTTPResponseHead) {
        guard let exchange, state.awaitsAnswer else { return }
        let length: AnswerLength
        if head.status.code == 204 || head.status.code == 304 {
            length = .empty
        } else if let count = head.headers.first(name: "content-length").flatMap(Int.init), count >= 0 {
            length = .known(count)
        } else {
            length = .unknown
        }
        var mayBeFramed = true
        // What is answered to somebody is for nobody else, unless the service knows better.
        var isPersonal = exchange.principal != nil
        startAnswer(exchange, status: head.status, length: length, isOwn: false) { bytes in
            for (name, value) in head.headers where Forward.passesBack(name) {
                if Forward.same(name, "x-frame-options") { mayBeFramed = false }
                if Forward.same(name, "cache-control") { isPersonal = false }
                // The gateway's own stand for all.
                if Forward.same(name, "x-content-type-options") || Forward.same(name, "referrer-policy")
                    || Forward.same(name, "date")
                {
                    continue
                }
                bytes.writeString(name)
                bytes.writeStaticString(": ")
                bytes.writeString(value)
                bytes.writeStaticString("\r\n")
            }
            if mayBeFramed { bytes.writeStaticString("X-Frame-Options: DENY\r\n") }
            if isPersonal { bytes.writeStaticString("Cache-Control: private, no-store\r\n") }
        }
        guard let service = exchange.service else { return }
        dependencies.latencies[service.index].observe(.milliseconds(loop.monotonic - exchange.started))
    }

    func upstreamBody(_ bytes: ByteBuffer) {
        guard let exchange, !exchange.wantsNoBody, bytes.readableBytes > 0 else { return }
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
        writer.end(isChunked: state.isAnswerChunked)
        exchange.connection = nil
        finished(exchange)
    }
}
