// SPDX-License-Identifier: Apache-2.0
// Answers of HTTP as bytes: the head that all have, a service's or the gateway's own.

import NIOCore
import NIOHTTP1

/// Makes the bytes of a connection's answers; knows no channel.
struct AnswerWriter {
    /// What waits to be given to the channel.
    private(set) var bytes = ByteBuffer()
    private let headers: StandingHeaders

    init(_ headers: StandingHeaders) { self.headers = headers }

    /// What waits, which is then for the caller to send.
    mutating func take() -> ByteBuffer {
        let taken = bytes
        bytes = ByteBuffer()
        return taken
    }

    mutating func text(_ text: StaticString) { bytes.writeStaticString(text) }

    /// The head of an answer.
    ///
    /// - Parameters:
    ///   - date: the moment, as the field `Date` has it.
    ///   - reset: when the budget of the exchange begins anew, as text; nil without one.
    ///   - fields: writes further lines, each with its end.
    mutating func head(
        _ status: HTTPResponseStatus,
        _ framing: AnswerFraming,
        of exchange: Exchange,
        date: String,
        reset: String?,
        isOwn: Bool,
        fields: (inout ByteBuffer) -> Void
    ) {
        if bytes.capacity == 0 { bytes.reserveCapacity(2048) }
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(String(status.code))
        bytes.writeStaticString(" ")
        bytes.writeString(status.reasonPhrase)
        bytes.writeStaticString("\r\n")
        fields(&bytes)
        switch framing.field {
        case .none: break
        case .chunked: bytes.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .length(let count):
            bytes.writeStaticString("Content-Length: ")
            bytes.writeString(String(count))
            bytes.writeStaticString("\r\n")
        }
        bytes.writeStaticString("Date: ")
        bytes.writeString(date)
        bytes.writeStaticString("\r\nX-Request-Id: ")
        bytes.writeString(exchange.requestID)
        bytes.writeStaticString("\r\n")
        if let budget = exchange.budget, let reset { write(budget, reset: reset) }
        if exchange.route?.isPage != true, exchange.head.headers.contains(name: "origin") {
            headers.writeShared(&bytes)
        }
        headers.writeSecurity(&bytes, isOwn: isOwn)
        if !framing.keepsAlive {
            bytes.writeStaticString("Connection: close\r\n")
        } else if framing.namesKeptConnection {
            bytes.writeStaticString("Connection: keep-alive\r\n")
        }
        bytes.writeStaticString("\r\n")
    }

    private mutating func write(_ budget: Budget, reset: String) {
        bytes.writeStaticString("X-RateLimit-Limit: ")
        bytes.writeString(String(budget.limit))
        bytes.writeStaticString("\r\nX-RateLimit-Remaining: ")
        bytes.writeString(String(budget.remaining))
        bytes.writeStaticString("\r\nX-RateLimit-Reset: ")
        bytes.writeString(reset)
        bytes.writeStaticString("\r\n")
    }

    // MARK: Bodies

    /// The whole body of an answer of our own.
    mutating func whole(_ body: ByteBuffer) { bytes.writeImmutableBuffer(body) }

    /// A part of a service's body.
    ///
    /// What is large is not copied: then what goes before it is returned, to be sent first, and next the part itself.
    mutating func part(_ part: ByteBuffer, isChunked: Bool) -> ByteBuffer? {
        if isChunked {
            bytes.writeString(String(part.readableBytes, radix: 16))
            bytes.writeStaticString("\r\n")
        }
        let isSmall =
            part.readableBytes <= 16 * 1024 || bytes.readableBytes > 0 && part.readableBytes <= 32 * 1024
        var before: ByteBuffer?
        if isSmall { bytes.writeImmutableBuffer(part) } else { before = take() }
        if isChunked { bytes.writeStaticString("\r\n") }
        return before
    }

    /// The end of a service's body.
    mutating func end(isChunked: Bool) {
        if isChunked { bytes.writeStaticString("0\r\n\r\n") }
    }

    /// Agrees to another protocol: the whole head, as its handshake made it.
    mutating func agreement(_ head: String) { bytes.writeString(head) }
}
