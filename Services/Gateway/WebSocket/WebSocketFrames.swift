// SPDX-License-Identifier: Apache-2.0
// WebSocket frames, from a client and to it (RFC 6455, section 5).

import NIOCore

/// Why a WebSocket ends.
struct WebSocketCloseCode: Equatable, Sendable {
    let number: UInt16

    static let normal = WebSocketCloseCode(number: 1000)
    static let protocolError = WebSocketCloseCode(number: 1002)
    static let unsupported = WebSocketCloseCode(number: 1003)
    static let badText = WebSocketCloseCode(number: 1007)
    static let policy = WebSocketCloseCode(number: 1008)
    static let tooLarge = WebSocketCloseCode(number: 1009)
    static let restart = WebSocketCloseCode(number: 1012)
    static let tryAgainLater = WebSocketCloseCode(number: 1013)
}

/// Puts together the messages of a client.
struct WebSocketParser {
    enum Message: Equatable {
        case text(String)
        case binary(ByteBuffer)
        case ping(ByteBuffer)
        case pong
        case close(UInt16?)
    }

    struct Violation: Error, Equatable {
        let code: WebSocketCloseCode
    }

    let limit: Int
    private var fragments: (isText: Bool, bytes: ByteBuffer)?

    init(limit: Int) { self.limit = limit }

    /// The next message in `buffer`; nil when more must come first.
    mutating func next(_ buffer: inout ByteBuffer) throws(Violation) -> Message? {
        while let frame = try frame(&buffer) {
            if let message = try take(frame) { return message }
        }
        return nil
    }

    private struct Frame {
        let opcode: UInt8
        let isFinal: Bool
        var payload: ByteBuffer
    }

    private func frame(_ buffer: inout ByteBuffer) throws(Violation) -> Frame? {
        var look = buffer
        guard let first = look.readInteger(as: UInt8.self), let second = look.readInteger(as: UInt8.self) else {
            return nil
        }
        let opcode = first & 0x0F
        let isFinal = first & 0x80 != 0
        let isControl = opcode & 0x08 != 0
        // Extensions were not agreed on, and clients must mask.
        guard first & 0x70 == 0, second & 0x80 != 0 else { throw Violation(code: .protocolError) }
        var length = UInt64(second & 0x7F)
        guard !isControl || (isFinal && length < 126) else { throw Violation(code: .protocolError) }
        if length == 126 {
            guard let long = look.readInteger(as: UInt16.self) else { return nil }
            length = UInt64(long)
        } else if length == 127 {
            guard let long = look.readInteger(as: UInt64.self) else { return nil }
            length = long
        }
        let held = isControl ? 0 : fragments?.bytes.readableBytes ?? 0
        guard length <= UInt64(max(0, limit - held)) else { throw Violation(code: .tooLarge) }
        guard let mask = look.readBytes(length: 4) else { return nil }
        guard var payload = look.readSlice(length: Int(length)) else { return nil }
        payload.withUnsafeMutableReadableBytes { bytes in
            for index in bytes.indices { bytes[index] ^= mask[index & 3] }
        }
        buffer = look
        return Frame(opcode: opcode, isFinal: isFinal, payload: payload)
    }

    private mutating func take(_ frame: Frame) throws(Violation) -> Message? {
        switch frame.opcode {
        case 0x0:
            guard var open = fragments else { throw Violation(code: .protocolError) }
            open.bytes.writeImmutableBuffer(frame.payload)
            fragments = frame.isFinal ? nil : open
            return frame.isFinal ? try message(isText: open.isText, open.bytes) : nil
        case 0x1, 0x2:
            guard fragments == nil else { throw Violation(code: .protocolError) }
            if frame.isFinal { return try message(isText: frame.opcode == 1, frame.payload) }
            fragments = (frame.opcode == 1, frame.payload)
            return nil
        case 0x8:
            var payload = frame.payload
            if payload.readableBytes == 0 { return .close(nil) }
            guard let code = payload.readInteger(as: UInt16.self) else { throw Violation(code: .protocolError) }
            return .close(code)
        case 0x9: return .ping(frame.payload)
        case 0xA: return .pong
        default: throw Violation(code: .protocolError)
        }
    }

    private func message(isText: Bool, _ bytes: ByteBuffer) throws(Violation) -> Message {
        guard isText else { return .binary(bytes) }
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
            throw Violation(code: .badText)
        }
        return .text(text)
    }
}

/// Frames to a client, unmasked.
enum WebSocketFrame {
    static func text(_ text: some Collection<UInt8>) -> ByteBuffer { frame(opcode: 1, text) }

    static let ping = frame(opcode: 9, [])

    static func pong(_ payload: ByteBuffer) -> ByteBuffer { frame(opcode: 0xA, payload.readableBytesView) }

    static func close(_ code: WebSocketCloseCode) -> ByteBuffer {
        frame(opcode: 8, [UInt8(code.number >> 8), UInt8(code.number & 0xFF)])
    }

    private static func frame(opcode: UInt8, _ payload: some Collection<UInt8>) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: payload.count + 10)
        bytes.writeInteger(0x80 | opcode)
        switch payload.count {
        case ..<126: bytes.writeInteger(UInt8(payload.count))
        case ..<65_536:
            bytes.writeInteger(UInt8(126))
            bytes.writeInteger(UInt16(payload.count))
        default:
            bytes.writeInteger(UInt8(127))
            bytes.writeInteger(UInt64(payload.count))
        }
        bytes.writeBytes(payload)
        return bytes
    }
}
