// SPDX-License-Identifier: Apache-2.0
// WebSocket frames, good and bad, and the queue of a slow reader.

import NIOCore
import NIOHTTP1
import Support
import Testing

@testable import SocketIO

@Suite struct WebSocketTests {
    private func parse(_ bytes: [UInt8], limit: Int = 100) throws -> [WebSocketParser.Message] {
        var parser = WebSocketParser(limit: limit)
        var buffer = ByteBuffer()
        var messages: [WebSocketParser.Message] = []
        // Octet by octet: what comes in pieces is the same as what comes at once.
        for byte in bytes {
            buffer.writeInteger(byte)
            while let message = try parser.next(&buffer) { messages.append(message) }
        }
        return messages
    }

    @Test func readsMessagesWholeAndInFragments() throws {
        let frames =
            ClientFrame.text("hi") + ClientFrame.bytes(1, Array("마".utf8.prefix(1)), isFinal: false)
            + ClientFrame.bytes(9, [7]) + ClientFrame.bytes(0, Array("마".utf8.dropFirst()))
            + ClientFrame.bytes(2, [1, 2])
            + ClientFrame.bytes(10, []) + ClientFrame.bytes(8, [3, 232])
        let expected: [WebSocketParser.Message] = [
            .text("hi"), .ping(ByteBuffer(bytes: [7])), .text("마"), .binary(ByteBuffer(bytes: [1, 2])), .pong,
            .close(1000),
        ]
        #expect(try parse(frames) == expected)
    }

    @Test func readsLongLengths() throws {
        let text = String(repeating: "a", count: 70_000)
        #expect(try parse(ClientFrame.text(text), limit: 1 << 20) == [.text(text)])
        #expect(
            try parse(ClientFrame.text(String(text.prefix(300))), limit: 1 << 20) == [.text(String(text.prefix(300)))]
        )
    }

    @Test(arguments: [
        (ClientFrame.bytes(1, [65], isMasked: false), WebSocketCloseCode.protocolError),
        ([0xC1, 0x80, 0, 0, 0, 0], .protocolError),
        (ClientFrame.bytes(3, []), .protocolError),
        (ClientFrame.bytes(0, [65]), .protocolError),
        (ClientFrame.bytes(1, [65], isFinal: false) + ClientFrame.bytes(1, [65]), .protocolError),
        (ClientFrame.bytes(9, [], isFinal: false), .protocolError),
        (ClientFrame.bytes(9, [UInt8](repeating: 0, count: 126)), .protocolError),
        (ClientFrame.bytes(8, [1]), .protocolError),
        (ClientFrame.bytes(1, [0xFF, 0xFE]), .badText),
        (ClientFrame.bytes(1, [UInt8](repeating: 65, count: 101)), .tooLarge),
        ([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLarge),
        (
            ClientFrame.bytes(1, [UInt8](repeating: 65, count: 60), isFinal: false)
                + ClientFrame.bytes(0, [UInt8](repeating: 65, count: 60)),
            .tooLarge
        ),
    ])
    func endsWhatBreaksTheProtocol(_ bytes: [UInt8], _ code: WebSocketCloseCode) {
        #expect(throws: WebSocketParser.Violation(code: code)) { _ = try parse(bytes) }
    }

    @Test func endlessFragmentsEnd() {
        #expect(throws: WebSocketParser.Violation(code: .tooLarge)) {
            _ = try parse(
                ClientFrame.bytes(1, [65], isFinal: false)
                    + Array(repeatElement(ClientFrame.bytes(0, [65], isFinal: false), count: 200).joined())
            )
        }
    }

    @Test func writesLengthsOfEachKind() {
        for (count, header) in [(5, 2), (200, 4), (70_000, 10)] {
            let frame = WebSocketFrame.text([UInt8](repeating: 65, count: count))
            #expect(frame.readableBytes == count + header)
        }
        #expect(Array(WebSocketFrame.close(.restart).readableBytesView) == [0x88, 2, 3, 0xF4])
    }

    @Test func aQueueThatIsFullDisconnects() {
        var queue = SendQueue(limit: 2)
        let frame = ByteBuffer(string: "x")
        #expect(queue.offer(frame, isWritable: true) == .write)
        #expect(queue.offer(frame, isWritable: false) == .wait)
        // Order is kept: nothing overtakes what waits.
        #expect(queue.offer(frame, isWritable: true) == .wait)
        #expect(queue.offer(frame, isWritable: false) == .disconnect)
        #expect(queue.next() != nil && queue.next() != nil && queue.next() == nil)
    }

    @Test func acceptsOnlyAWholeHandshake() throws {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        head.headers = [
            "Upgrade": "WebSocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "token, other",
        ]
        let handshake = try WebSocketHandshake(head)
        #expect(handshake.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(handshake.subprotocol == "token")
        for (name, value) in [
            ("Sec-WebSocket-Version", "8"), ("Sec-WebSocket-Key", "short"), ("Connection", "close"), ("Upgrade", "h2c"),
        ] {
            var broken = head
            broken.headers.replaceOrAdd(name: name, value: value)
            #expect(throws: WebSocketHandshake.Fault.self) { _ = try WebSocketHandshake(broken) }
        }
    }
}
