// SPDX-License-Identifier: Apache-2.0
// WebSocket frames, good and bad, and the queue of a slow reader.

import NIOCore
import NIOHTTP1
import Support
import Testing

@testable import SocketIO

@Suite struct WebSocketTests {
    private func parse(
        _ bytes: [UInt8],
        limit: Int = 100,
        inflater: WebSocketInflater? = nil
    ) throws -> [WebSocketParser.Message] {
        var parser = WebSocketParser(limit: limit, inflater: inflater)
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
            .text(ByteBuffer(string: "hi")), .ping(ByteBuffer(bytes: [7])), .text(ByteBuffer(string: "마")),
            .binary(ByteBuffer(bytes: [1, 2])), .pong, .close(.normal),
        ]
        #expect(try parse(frames) == expected)
    }

    @Test func readsLongLengths() throws {
        let text = String(repeating: "a", count: 70_000)
        #expect(try parse(ClientFrame.text(text), limit: 1 << 20) == [.text(ByteBuffer(string: text))])
        let shorter = String(text.prefix(300))
        #expect(try parse(ClientFrame.text(shorter), limit: 1 << 20) == [.text(ByteBuffer(string: shorter))])
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
        // Reserved bits, opcodes and lengths that are not the shortest.
        ([0xA1, 0x80, 0, 0, 0, 0], .protocolError),
        ([0x91, 0x80, 0, 0, 0, 0], .protocolError),
        (ClientFrame.bytes(7, []), .protocolError),
        (ClientFrame.bytes(11, []), .protocolError),
        (ClientFrame.bytes(15, []), .protocolError),
        ([0x81, 0xFE, 0, 5, 0, 0, 0, 0, 65, 65, 65, 65, 65], .protocolError),
        ([0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 65], .protocolError),
        // Octets of text that cannot go on tell so before the message ends.
        (ClientFrame.bytes(1, [0xCE, 0xBA, 0xF4, 0x90], isFinal: false), .badText),
        (Array(ClientFrame.bytes(1, [65, 0xED, 0xA0, 65, 65, 65, 65, 65]).prefix(9)), .badText),
        (ClientFrame.bytes(1, [0xE2, 0x82]), .badText),
        (ClientFrame.bytes(1, [0xC0, 0xAF]), .badText),
        // Codes that nobody may send, and reasons that are no text.
        (ClientFrame.bytes(8, [0, 0]), .protocolError),
        (ClientFrame.bytes(8, [3, 0xE7]), .protocolError),
        (ClientFrame.bytes(8, [3, 0xEC]), .protocolError),
        (ClientFrame.bytes(8, [3, 0xED]), .protocolError),
        (ClientFrame.bytes(8, [3, 0xEE]), .protocolError),
        (ClientFrame.bytes(8, [3, 0xF8]), .protocolError),
        (ClientFrame.bytes(8, [0x0B, 0xB7]), .protocolError),
        (ClientFrame.bytes(8, [0x13, 0x88]), .protocolError),
        (ClientFrame.bytes(8, [3, 0xE8, 0xCE]), .badText),
        (ClientFrame.bytes(8, [UInt8](repeating: 65, count: 126)), .protocolError),
        ([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLarge),
        ([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .protocolError),
        (
            ClientFrame.bytes(1, [UInt8](repeating: 65, count: 60), isFinal: false)
                + ClientFrame.bytes(0, [UInt8](repeating: 65, count: 60)),
            .tooLarge
        ),
    ])
    func endsWhatBreaksTheProtocol(_ bytes: [UInt8], _ code: WebSocketCloseCode) {
        #expect(throws: WebSocketParser.Violation(code: code)) { _ = try parse(bytes) }
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] as [UInt16])
    func codesThatMaySendAreRead(_ code: UInt16) throws {
        let frame = ClientFrame.bytes(8, [UInt8(code >> 8), UInt8(code & 255)] + Array("왜".utf8))
        #expect(try parse(frame) == [.close(WebSocketCloseCode(number: code))])
        #expect(try parse(ClientFrame.bytes(8, [])) == [.close(nil)])
    }

    @Test func masksGoOnOverPieces() throws {
        let text = String(repeating: "abc마당", count: 37)
        #expect(try parse(ClientFrame.text(text), limit: 1 << 20) == [.text(ByteBuffer(string: text))])
        var parser = WebSocketParser(limit: 1 << 20)
        var bytes = ByteBuffer()
        for piece in ClientFrame.text(text).chunks(of: 13) {
            bytes.writeBytes(piece)
            if let message = try parser.next(&bytes) { #expect(message == .text(ByteBuffer(string: text))) }
        }
    }

    // MARK: Compression

    @Test func agreesOnCompression() {
        func agreed(_ offer: String) -> String? { WebSocketDeflate(offers: [offer])?.header }
        #expect(agreed("permessage-deflate") == "permessage-deflate")
        #expect(agreed("permessage-deflate; client_max_window_bits") == "permessage-deflate")
        #expect(
            agreed("permessage-deflate; server_no_context_takeover; client_no_context_takeover")
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        )
        #expect(
            agreed("permessage-deflate; server_max_window_bits=10") == "permessage-deflate; server_max_window_bits=10"
        )
        // What cannot be met is passed over for the next offer.
        #expect(agreed("permessage-deflate; server_max_window_bits=8, permessage-deflate") == "permessage-deflate")
        for offer in [
            "x-webkit-deflate-frame", "permessage-deflate; unknown", "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
            "permessage-deflate; server_max_window_bits=010", "permessage-deflate; client_max_window_bits=99",
        ] { #expect(agreed(offer) == nil) }
    }

    @Test(arguments: [true, false]) func compressedMessagesComeBack(forgets: Bool) throws {
        let deflater = WebSocketDeflater(WebSocketDeflate(serverForgets: forgets))
        let inflater = WebSocketInflater(forgets: forgets)
        for text in ["", "hello", String(repeating: "마당 ", count: 5000), "hello"] {
            let frame = try #require(deflater.frame(WebSocketMessage(text: text.utf8)))
            let bytes = Array(frame.readableBytesView)
            #expect(bytes[0] == 0xC1)
            let header = bytes[1] < 126 ? 2 : 4
            let outcome = inflater.inflate(ByteBuffer(bytes: bytes.dropFirst(header)), limit: 1 << 20)
            #expect(outcome == .whole(ByteBuffer(string: text)))
        }
    }

    @Test func readsCompressedFramesOfTheSpecification() throws {
        // RFC 7692, section 7.2.3: "Hello" whole, in two fragments, and again with the window of before.
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        var whole = ClientFrame.bytes(1, hello)
        whole[0] |= 0x40
        var first = ClientFrame.bytes(1, Array(hello.prefix(3)), isFinal: false)
        first[0] |= 0x40
        var again = ClientFrame.bytes(1, [0xF2, 0x00, 0x11, 0x00, 0x00])
        again[0] |= 0x40
        let rest = ClientFrame.bytes(0, Array(hello.dropFirst(3)))
        let expected = WebSocketParser.Message.text(ByteBuffer(string: "Hello"))
        let frames = whole + first + rest + again + ClientFrame.text("Hello")
        let messages = try parse(frames, inflater: WebSocketInflater(forgets: false))
        #expect(messages == [expected, expected, expected, expected])
        var marked = rest
        marked[0] |= 0x40
        #expect(throws: WebSocketParser.Violation(code: .protocolError)) {
            _ = try parse(first + marked, inflater: WebSocketInflater(forgets: false))
        }
    }

    @Test func whatSwellsBeyondTheLimitIsCutOff() throws {
        let deflater = WebSocketDeflater(WebSocketDeflate())
        let bomb = try #require(deflater.frame(WebSocketMessage(text: [UInt8](repeating: 65, count: 10_000_000))))
        let compressed = Array(bomb.readableBytesView.dropFirst(4))
        #expect(compressed.count < 20_000)
        let inflater = WebSocketInflater(forgets: true)
        #expect(inflater.inflate(ByteBuffer(bytes: compressed), limit: 100_000) == .tooLarge)
        #expect(inflater.inflate(ByteBuffer(bytes: [1, 2, 3, 4, 0xFF]), limit: 100_000) == .broken)
        #expect(inflater.inflate(ByteBuffer(bytes: compressed), limit: 10_000_000) != .tooLarge)
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
        let rest = [queue.next(), queue.next(), queue.next()]
        #expect(rest == [frame, frame, nil])
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

extension [UInt8] {
    fileprivate func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
