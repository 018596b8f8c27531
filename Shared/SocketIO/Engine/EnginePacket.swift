// SPDX-License-Identifier: Apache-2.0
// Packets of Engine.IO v4 ("Packet encoding").

import FoundationEssentials
import NIOCore

/// A packet of a client.
enum EnginePacket: Equatable {
    case close
    case ping(ByteBuffer)
    case pong
    case text(ByteBuffer)
    case binary(ByteBuffer)
    case upgrade
    case noop

    /// Nil for what no client may send.
    init?(_ text: ByteBuffer) {
        var rest = text
        switch rest.readInteger(as: UInt8.self) {
        case UInt8(ascii: "1"): self = .close
        case UInt8(ascii: "2"): self = .ping(rest)
        case UInt8(ascii: "3"): self = .pong
        case UInt8(ascii: "4"): self = .text(rest)
        case UInt8(ascii: "5"): self = .upgrade
        case UInt8(ascii: "6"): self = .noop
        default: return nil
        }
    }
}

/// Packets that the server sends besides messages.
enum EngineNotice {
    static let close = WebSocketMessage(text: "1".utf8)
    static let ping = WebSocketMessage(text: "2".utf8)
    static let probed = WebSocketMessage(text: "3probe".utf8)
    static let noop = WebSocketMessage(text: "6".utf8)

    /// The handshake.
    static func open(sid: String, _ settings: EngineSettings, upgrades: Bool) -> WebSocketMessage {
        WebSocketMessage(
            text: (#"0{"sid":"\#(sid)","upgrades":[\#(upgrades ? "\"websocket\"" : "")],"#
                + #""pingInterval":\#(settings.pingInterval),"pingTimeout":\#(settings.pingTimeout),"#
                + #""maxPayload":\#(settings.maxPayload)}"#).utf8
        )
    }
}

/// Several packets in one body ("HTTP long-polling").
enum EnginePayload {
    static let separator: UInt8 = 0x1E

    static func encode(_ messages: some Collection<WebSocketMessage>) -> ByteBuffer {
        if messages.count == 1, let only = messages.first, only.isText { return only.payload }
        let size = messages.reduce(0) { $0 + $1.payload.readableBytes * ($1.isText ? 1 : 2) + 2 }
        var bytes = ByteBufferAllocator().buffer(capacity: size)
        var isFirst = true
        for message in messages {
            if !isFirst { bytes.writeInteger(separator) }
            isFirst = false
            if message.isText {
                bytes.writeImmutableBuffer(message.payload)
            } else {
                bytes.writeStaticString("b")
                bytes.writeString(Data(message.payload.readableBytesView).base64EncodedString())
            }
        }
        return bytes
    }

    /// Nil when one of them is no packet, or the whole is no UTF-8.
    static func decode(_ body: ByteBuffer) -> [EnginePacket]? {
        var text = TextCheck()
        guard body.withUnsafeReadableBytes({ text.take($0) }), text.isComplete else { return nil }
        var packets: [EnginePacket] = []
        var rest = body
        while true {
            let length = rest.readableBytesView.firstIndex(of: separator).map { $0 - rest.readerIndex }
            guard let part = rest.readSlice(length: length ?? rest.readableBytes), let packet = packet(part) else {
                return nil
            }
            packets.append(packet)
            guard length != nil else { return packets }
            rest.moveReaderIndex(forwardBy: 1)
        }
    }

    private static func packet(_ part: ByteBuffer) -> EnginePacket? {
        guard part.readableBytesView.first == UInt8(ascii: "b") else { return EnginePacket(part) }
        guard let data = Data(base64Encoded: Data(part.readableBytesView.dropFirst())) else { return nil }
        return .binary(ByteBuffer(bytes: data))
    }
}
