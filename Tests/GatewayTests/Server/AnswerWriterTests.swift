// SPDX-License-Identifier: Apache-2.0
// The bytes of answers, without a socket.

import Domain
import NIOCore
import NIOHTTP1
import Testing

@testable import GatewayService

@Suite struct AnswerWriterTests {
    private func writer() throws -> AnswerWriter { AnswerWriter(StandingHeaders(site: try TestGateway.config().site)) }

    private func exchange(_ fields: HTTPHeaders = [:]) -> Exchange {
        Exchange(
            head: HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields),
            target: .root,
            framing: .none,
            started: 0,
            requestID: "r"
        )
    }

    @Test(arguments: [
        (AnswerFraming(field: .length(3), keepsAlive: true), "Content-Length: 3\r\n", ""),
        (AnswerFraming(field: .chunked, keepsAlive: true), "Transfer-Encoding: chunked\r\n", ""),
        (AnswerFraming(field: .none, keepsAlive: false), "", "Connection: close\r\n"),
        (
            AnswerFraming(field: .length(0), keepsAlive: true, namesKeptConnection: true), "Content-Length: 0\r\n",
            "Connection: keep-alive\r\n"
        ),
    ])
    func aHeadSaysWhereItsBodyEnds(_ framing: AnswerFraming, _ length: String, _ connection: String) throws {
        var writer = try writer()
        let date = "Fri, 02 Jan 2026 03:04:05 GMT"
        writer.head(.ok, framing, of: exchange(), date: date, reset: nil, isOwn: false) {
            $0.writeString("X-A: b\r\n")
        }
        #expect(
            String(buffer: writer.take())
                == "HTTP/1.1 200 OK\r\nX-A: b\r\n\(length)Date: \(date)\r\nX-Request-Id: r\r\n"
                + "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n\(connection)\r\n"
        )
        #expect(writer.bytes.readableBytes == 0)
    }

    @Test func whatIsLargeIsHandedOnInsteadOfCopied() throws {
        var writer = try writer()
        let small = ByteBuffer(repeating: 1, count: 16 * 1024)
        #expect(writer.part(small, isChunked: false) == nil)
        // A little more is still copied to what waits anyway.
        #expect(writer.part(ByteBuffer(repeating: 2, count: 32 * 1024), isChunked: false) == nil)
        #expect(writer.take().readableBytes == 48 * 1024)
        #expect(writer.part(ByteBuffer(repeating: 2, count: 32 * 1024), isChunked: false) == ByteBuffer())
        writer.text("A")
        let larger = ByteBuffer(repeating: 3, count: 32 * 1024 + 1)
        #expect(writer.part(larger, isChunked: false) == ByteBuffer(string: "A"))
    }

    @Test func chunksHaveTheirLengthBeforeAndALineBehind() throws {
        var writer = try writer()
        #expect(writer.part(ByteBuffer(repeating: UInt8(ascii: "a"), count: 26), isChunked: true) == nil)
        let before = writer.part(ByteBuffer(repeating: 0, count: 40_000), isChunked: true)
        #expect(before.map { String(buffer: $0) } == "1a\r\n\(String(repeating: "a", count: 26))\r\n9c40\r\n")
        writer.end(isChunked: true)
        #expect(String(buffer: writer.take()) == "\r\n0\r\n\r\n")
        writer.end(isChunked: false)
        #expect(writer.bytes.readableBytes == 0)
    }
}
