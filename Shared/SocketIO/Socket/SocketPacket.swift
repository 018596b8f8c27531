// SPDX-License-Identifier: Apache-2.0
// Packets of Socket.IO v5 from clients ("Packet encoding").

import JSON
import NIOCore

/// The text of a packet, checked.
struct SocketPacket {
    enum Kind: UInt8 {
        case connect = 48
        case disconnect, event, acknowledgement, refusal, binaryEvent, binaryAcknowledgement

        var isBinary: Bool { self == .binaryEvent || self == .binaryAcknowledgement }
    }

    struct Malformed: Error {}

    let kind: Kind
    let namespace: String
    let id: UInt64?
    /// How many binary messages follow.
    let attachments: Int
    /// The payload of CONNECT, an object; nil without one.
    let auth: ByteBuffer?
    /// The elements of the payload of an event or acknowledgement.
    let elements: [ByteBuffer]

    /// `<type>[<attachments>-][<namespace>,][<id>][JSON]`
    init(_ text: ByteBuffer, _ settings: SocketIOSettings) throws(Malformed) {
        var rest = text
        guard let type = rest.readInteger(as: UInt8.self), let kind = Kind(rawValue: type), kind != .refusal else {
            throw Malformed()
        }
        var count = 0
        if kind.isBinary {
            guard let number = SocketPacket.number(&rest), rest.readInteger(as: UInt8.self) == UInt8(ascii: "-"),
                (1...UInt64(max(1, settings.attachments))).contains(number)
            else { throw Malformed() }
            count = Int(number)
        }
        let name = try SocketPacket.namespace(&rest, settings)
        let id = SocketPacket.number(&rest)
        if id == nil, let next = rest.readableBytesView.first, (48...57).contains(next) { throw Malformed() }
        self.kind = kind
        attachments = count
        namespace = name
        self.id = id
        switch kind {
        case .connect:
            guard id == nil, rest.readableBytes == 0 || JSONScan.isObject(rest, depth: settings.depth) else {
                throw Malformed()
            }
            auth = rest.readableBytes == 0 ? nil : rest
            elements = []
        case .disconnect:
            guard id == nil, rest.readableBytes == 0 else { throw Malformed() }
            auth = nil
            elements = []
        default:
            auth = nil
            let expected = kind.isBinary ? count : nil
            guard rest.readableBytesView.first == UInt8(ascii: "["),
                let parts = JSONScan.parts(of: rest, depth: settings.depth, attachments: expected)
            else { throw Malformed() }
            elements = parts.map(\.value)
            let isAnswer = kind == .acknowledgement || kind == .binaryAcknowledgement
            guard isAnswer ? id != nil : !elements.isEmpty else { throw Malformed() }
        }
    }

    /// Up to 18 digits; nil when there are none or more.
    private static func number(_ rest: inout ByteBuffer) -> UInt64? {
        let digits = rest.readableBytesView.prefix { (48...57).contains($0) }
        guard (1...18).contains(digits.count) else { return nil }
        rest.moveReaderIndex(forwardBy: digits.count)
        return digits.reduce(0) { $0 * 10 + UInt64($1 - 48) }
    }

    private static func namespace(_ rest: inout ByteBuffer, _ settings: SocketIOSettings) throws(Malformed) -> String {
        guard rest.readableBytesView.first == UInt8(ascii: "/") else { return "/" }
        let name = rest.readableBytesView.prefix { $0 != UInt8(ascii: ",") }
        guard name.count <= settings.namespaceName, name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: name, as: UTF8.self)
        else { throw Malformed() }
        rest.moveReaderIndex(forwardBy: name.count)
        // Without anything behind it the comma may be missing.
        if rest.readableBytes > 0 { rest.moveReaderIndex(forwardBy: 1) }
        return text
    }

    /// The name of an event: a string, or a number as it stands; nil for anything else and for names of the library.
    static func eventName(_ element: ByteBuffer) -> String? {
        let view = element.readableBytesView
        guard let first = view.first else { return nil }
        if first == UInt8(ascii: "-") || (48...57).contains(first) { return String(decoding: view, as: UTF8.self) }
        guard first == UInt8(ascii: "\"") else { return nil }
        let inner = view.dropFirst().dropLast()
        guard
            let name = inner.contains(UInt8(ascii: "\\"))
                ? JSONText.unescaped(inner) : String(decoding: inner, as: UTF8.self)
        else { return nil }
        switch name {
        case "connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener": return nil
        default: return name
        }
    }
}
