// SPDX-License-Identifier: Apache-2.0
// WebSocket messages from a client (RFC 6455, sections 5 to 8).

public import NIOCore

/// Puts together the messages of a client, from frames that come in pieces.
public struct WebSocketParser {
    public enum Message: Equatable {
        /// Known to be UTF-8.
        case text(ByteBuffer)
        case binary(ByteBuffer)
        case ping(ByteBuffer)
        case pong
        case close(WebSocketCloseCode?)
    }

    public struct Violation: Error, Equatable {
        public let code: WebSocketCloseCode
    }

    /// Octets of the longest message, as it is once uncompressed.
    var limit: Int
    private let inflater: WebSocketInflater?
    private var open: Open?
    private var frame: Frame?

    /// A message of which something has come.
    private struct Open {
        let isText: Bool
        let isCompressed: Bool
        var bytes = ByteBuffer()
        var text = TextCheck()
        var emptyFrames = 0
    }

    /// Frames of a message that bring nothing and are not its last: a few are allowed, an endless message is not.
    private static let mostEmptyFrames = 64

    /// A data frame of which the header has come.
    private struct Frame {
        let isFinal: Bool
        var remaining: Int
        var mask: UInt32
    }

    /// - Parameter inflater: set when compression was agreed on.
    public init(limit: Int, inflater: WebSocketInflater? = nil) {
        self.limit = limit
        self.inflater = inflater
    }

    /// The next message in `buffer`; nil when more must come first.
    public mutating func next(_ buffer: inout ByteBuffer) throws(Violation) -> Message? {
        while true {
            if var frame {
                try take(&buffer, &frame)
                guard frame.remaining == 0 else {
                    self.frame = frame
                    return nil
                }
                self.frame = nil
                if frame.isFinal { return try finish() }
            } else {
                switch try header(&buffer) {
                case .incomplete: return nil
                case .data: continue
                case .control(let message): return message
                }
            }
        }
    }

    private enum Header {
        case incomplete
        case data
        case control(Message)
    }

    private mutating func header(_ buffer: inout ByteBuffer) throws(Violation) -> Header {
        var look = buffer
        guard let first = look.readInteger(as: UInt8.self) else { return .incomplete }
        let opcode = first & 0x0F
        let isFinal = first & 0x80 != 0
        let isControl = opcode & 0x08 != 0
        try check(first, opcode: opcode)
        guard let second = look.readInteger(as: UInt8.self) else { return .incomplete }
        // Clients must mask (section 5.1).
        guard second & 0x80 != 0 else { throw Violation(code: .protocolError) }
        var length = UInt64(second & 0x7F)
        guard !isControl || (isFinal && length < 126) else { throw Violation(code: .protocolError) }
        if length == 126 {
            guard let long = look.readInteger(as: UInt16.self) else { return .incomplete }
            length = UInt64(long)
            guard length > 125 else { throw Violation(code: .protocolError) }
        } else if length == 127 {
            guard let long = look.readInteger(as: UInt64.self) else { return .incomplete }
            length = long
            guard length > 65_535, length >> 63 == 0 else { throw Violation(code: .protocolError) }
        }
        let held = isControl ? 0 : open?.bytes.readableBytes ?? 0
        let isCompressed = opcode == 0 ? open?.isCompressed ?? false : first & WebSocketFrame.compressed != 0
        // What does not shrink may grow a little by being compressed.
        let most = isCompressed ? limit + limit / 1000 + 64 : limit
        guard length <= UInt64(max(0, most - held)) else { throw Violation(code: .tooLarge) }
        guard let mask = look.readInteger(endianness: .host, as: UInt32.self) else { return .incomplete }
        if isControl {
            guard var payload = look.readSlice(length: Int(length)) else { return .incomplete }
            buffer = look
            WebSocketParser.unmask(&payload, mask)
            return .control(try control(opcode, payload))
        }
        buffer = look
        if opcode != 0 { open = Open(isText: opcode == 1, isCompressed: isCompressed) }
        if length == 0, !isFinal {
            open?.emptyFrames += 1
            guard open?.emptyFrames ?? 0 <= WebSocketParser.mostEmptyFrames else { throw Violation(code: .tooLarge) }
        }
        frame = Frame(isFinal: isFinal, remaining: Int(length), mask: mask)
        return .data
    }

    private func check(_ first: UInt8, opcode: UInt8) throws(Violation) {
        // Only the first frame of a message says that it is compressed (RFC 7692, section 6).
        let allowed: UInt8 = inflater != nil && (opcode == 1 || opcode == 2) ? WebSocketFrame.compressed : 0
        let isInTurn =
            switch opcode {
            case 0: open != nil
            case 1, 2: open == nil
            case 8, 9, 10: true
            default: false
            }
        guard first & 0x70 & ~allowed == 0, isInTurn else { throw Violation(code: .protocolError) }
    }

    private mutating func take(_ buffer: inout ByteBuffer, _ frame: inout Frame) throws(Violation) {
        let length = min(frame.remaining, buffer.readableBytes)
        guard length > 0, var part = buffer.readSlice(length: length), var message = open else { return }
        open = nil
        WebSocketParser.unmask(&part, frame.mask)
        frame.remaining -= length
        // A mask goes on where the piece before ended.
        let turn = UInt32(length & 3) * 8
        if turn > 0 {
            let little = UInt32(littleEndian: frame.mask)
            frame.mask = UInt32(littleEndian: little >> turn | little << (32 - turn))
        }
        if message.isText, !message.isCompressed {
            guard part.withUnsafeReadableBytes({ message.text.take($0) }) else { throw Violation(code: .badText) }
        }
        if message.bytes.readableBytes == 0 { message.bytes = part } else { message.bytes.writeBuffer(&part) }
        open = message
    }

    private mutating func finish() throws(Violation) -> Message {
        guard var message = open else { throw Violation(code: .protocolError) }
        open = nil
        if message.isCompressed, let inflater {
            switch inflater.inflate(message.bytes, limit: limit) {
            case .whole(let bytes): message.bytes = bytes
            case .tooLarge: throw Violation(code: .tooLarge)
            case .broken: throw Violation(code: .badText)
            }
            if message.isText {
                guard message.bytes.withUnsafeReadableBytes({ message.text.take($0) }) else {
                    throw Violation(code: .badText)
                }
            }
        }
        guard message.isText else { return .binary(message.bytes) }
        guard message.text.isComplete else { throw Violation(code: .badText) }
        return .text(message.bytes)
    }

    private func control(_ opcode: UInt8, _ payload: ByteBuffer) throws(Violation) -> Message {
        switch opcode {
        case 0x9: return .ping(payload)
        case 0xA: return .pong
        default:
            var reason = payload
            if reason.readableBytes == 0 { return .close(nil) }
            guard let number = reason.readInteger(as: UInt16.self) else { throw Violation(code: .protocolError) }
            let code = WebSocketCloseCode(number: number)
            guard code.maySend else { throw Violation(code: .protocolError) }
            var text = TextCheck()
            guard reason.withUnsafeReadableBytes({ text.take($0) }), text.isComplete else {
                throw Violation(code: .badText)
            }
            return .close(code)
        }
    }

    private static func unmask(_ bytes: inout ByteBuffer, _ mask: UInt32) {
        guard mask != 0 else { return }
        let wide = UInt64(mask) << 32 | UInt64(mask)
        bytes.withUnsafeMutableReadableBytes { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                let octets = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
                bytes.storeBytes(of: octets, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            withUnsafeBytes(of: mask) { mask in
                while index < bytes.count {
                    bytes[index] ^= mask[index & 3]
                    index += 1
                }
            }
        }
    }
}
