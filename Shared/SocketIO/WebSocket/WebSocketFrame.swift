// SPDX-License-Identifier: Apache-2.0
// WebSocket frames to clients, and why a WebSocket ends (RFC 6455, sections 5.2 and 7.4).

public import NIOCore

/// Why a WebSocket ends.
public struct WebSocketCloseCode: Equatable, Sendable {
    public let number: UInt16

    public init(number: UInt16) { self.number = number }

    public static let normal = WebSocketCloseCode(number: 1000)
    public static let goingAway = WebSocketCloseCode(number: 1001)
    public static let protocolError = WebSocketCloseCode(number: 1002)
    public static let unsupported = WebSocketCloseCode(number: 1003)
    public static let badText = WebSocketCloseCode(number: 1007)
    public static let policy = WebSocketCloseCode(number: 1008)
    public static let tooLarge = WebSocketCloseCode(number: 1009)
    public static let restart = WebSocketCloseCode(number: 1012)

    /// Whether an endpoint may send it (RFC 6455, section 7.4, and the registry that it founds).
    var maySend: Bool {
        switch number {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// Frames to a client, unmasked.
public enum WebSocketFrame {
    /// Octets of the longest header of a frame that is not masked.
    static let longestHeader = 10
    /// Set in the first octet when the message is compressed (RFC 7692, section 6).
    static let compressed: UInt8 = 0x40

    public static func text(_ text: some Collection<UInt8>) -> ByteBuffer { frame(opcode: 1, text) }

    public static func binary(_ bytes: ByteBuffer) -> ByteBuffer { frame(opcode: 2, bytes.readableBytesView) }

    public static let ping = frame(opcode: 9, [])

    public static func pong(_ payload: ByteBuffer) -> ByteBuffer { frame(opcode: 0xA, payload.readableBytesView) }

    /// Nil sends no code.
    public static func close(_ code: WebSocketCloseCode?) -> ByteBuffer {
        guard let code else { return frame(opcode: 8, []) }
        return frame(opcode: 8, [UInt8(code.number >> 8), UInt8(code.number & 0xFF)])
    }

    static func frame(opcode: UInt8, _ payload: some Collection<UInt8>) -> ByteBuffer {
        let count = payload.count
        var bytes = ByteBufferAllocator().buffer(capacity: count + longestHeader)
        bytes.writeBytes(header(opcode: opcode, length: count))
        bytes.writeBytes(payload)
        return bytes
    }

    static func header(opcode: UInt8, length: Int) -> [UInt8] {
        switch length {
        case ..<126: return [0x80 | opcode, UInt8(max(0, length))]
        case ..<65_536: return [0x80 | opcode, 126, UInt8(length >> 8), UInt8(length & 0xFF)]
        default:
            return [0x80 | opcode, 127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        }
    }
}

/// A message that may go to many connections: made into a frame once.
public struct WebSocketMessage: Sendable {
    public let isText: Bool
    public let payload: ByteBuffer
    /// The whole frame, whose end is the payload.
    let frame: ByteBuffer

    public init(text: some Collection<UInt8>) { self.init(opcode: 1, text) }

    public init(binary: some Collection<UInt8>) { self.init(opcode: 2, binary) }

    private init(opcode: UInt8, _ payload: some Collection<UInt8>) {
        isText = opcode == 1
        let frame = WebSocketFrame.frame(opcode: opcode, payload)
        self.frame = frame
        let header = WebSocketFrame.header(opcode: opcode, length: payload.count).count
        self.payload = frame.getSlice(at: frame.readerIndex + header, length: payload.count) ?? ByteBuffer()
    }
}
