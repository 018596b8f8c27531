// SPDX-License-Identifier: Apache-2.0
// Finds values in JSON without decoding the rest, so that they can be passed on as they came.

public import NIOCore

/// One JSON value as bytes. What is malformed has no members, no elements and no value.
public struct RawJSON: Sendable {
    /// Nesting deeper than this is not looked into.
    private static let depth = 64

    public let bytes: ByteBuffer

    public init(_ bytes: ByteBuffer) { self.bytes = bytes }

    /// The value of an object's member; the last of equal names, and nil for anything but an object.
    public func member(_ name: StaticString) -> RawJSON? {
        parts.last { part in
            part.name.map { key in name.withUTF8Buffer { key.readableBytesView.elementsEqual($0) } } ?? false
        }.map { RawJSON($0.value) }
    }

    /// Every member of an object, in order; nil for anything else.
    public var members: [(name: String, value: RawJSON)]? {
        guard isObject else { return nil }
        return parts.map { (String(buffer: $0.name ?? ByteBuffer()), RawJSON($0.value)) }
    }

    /// Every element of an array, in order; nil for anything else.
    public var elements: [RawJSON]? {
        guard first == UInt8(ascii: "[") else { return nil }
        return parts.map { RawJSON($0.value) }
    }

    /// A string's text.
    public var text: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        let inner = bytes.readableBytesView.dropFirst().dropLast()
        return inner.contains(UInt8(ascii: "\\"))
            ? JSONText.unescaped(inner) : String(validating: inner, as: UTF8.self)
    }

    /// A whole number of 64 bits.
    public var integer: Int64? {
        guard let first, first == UInt8(ascii: "-") || (48...57).contains(first), bytes.readableBytes <= 20 else {
            return nil
        }
        return Int64(String(buffer: bytes))
    }

    public var boolean: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    public var isNull: Bool { first == UInt8(ascii: "n") }

    public var isObject: Bool { first == UInt8(ascii: "{") }

    private var first: UInt8? { bytes.readableBytesView.first }

    private var parts: [JSONScan.Part] { JSONScan.parts(of: bytes, depth: RawJSON.depth) ?? [] }
}
