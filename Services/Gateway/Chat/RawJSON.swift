// SPDX-License-Identifier: Apache-2.0
// Finds values in JSON without decoding the rest, so that they can be passed on as they came.

import NIOCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One JSON value as bytes. Malformed text yields nil or odd values, but never a trap.
struct RawJSON {
    let bytes: ByteBuffer

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    /// The value of an object's member; the last of equal names, and nil for anything but an object.
    func member(_ name: StaticString) -> RawJSON? {
        var found: RawJSON?
        visitMembers { key, value in
            let isIt =
                key.readableBytes == name.utf8CodeUnitCount
                && name.withUTF8Buffer { key.readableBytesView.elementsEqual($0) }
            if isIt { found = value }
        }
        return found
    }

    /// Every member of an object, in order; nil for anything else.
    var members: [(name: String, value: RawJSON)]? {
        guard first == UInt8(ascii: "{") else { return nil }
        var members: [(String, RawJSON)] = []
        visitMembers { key, value in members.append((String(buffer: key), value)) }
        return members
    }

    /// Every element of an array, in order; nil for anything else.
    var elements: [RawJSON]? {
        guard first == UInt8(ascii: "[") else { return nil }
        var elements: [RawJSON] = []
        scan { scanner in
            scanner.index += 1
            while let range = scanner.value() {
                if let slice = slice(range) { elements.append(RawJSON(slice)) }
                guard scanner.take(UInt8(ascii: ",")) else { break }
            }
        }
        return elements
    }

    /// A string's text.
    var text: String? {
        guard first == UInt8(ascii: "\"") else { return nil }
        if !bytes.readableBytesView.contains(UInt8(ascii: "\\")) {
            return String(validating: bytes.readableBytesView.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(bytes.readableBytesView))
    }

    /// A whole number of 64 bits.
    var integer: Int64? {
        guard let first, first == UInt8(ascii: "-") || (48...57).contains(first), bytes.readableBytes <= 20 else {
            return nil
        }
        return Int64(String(buffer: bytes))
    }

    var boolean: Bool? {
        switch first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    var isNull: Bool { first == UInt8(ascii: "n") }

    var isObject: Bool { first == UInt8(ascii: "{") }

    private var first: UInt8? { bytes.readableBytesView.first }

    private func slice(_ range: Range<Int>) -> ByteBuffer? {
        bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: range.count)
    }

    private func visitMembers(_ visit: (_ key: ByteBuffer, _ value: RawJSON) -> Void) {
        guard first == UInt8(ascii: "{") else { return }
        scan { scanner in
            scanner.index += 1
            while let key = scanner.value(), key.count >= 2, scanner.take(UInt8(ascii: ":")),
                let value = scanner.value()
            {
                if let name = slice(key.lowerBound + 1..<key.upperBound - 1), let found = slice(value) {
                    visit(name, RawJSON(found))
                }
                guard scanner.take(UInt8(ascii: ",")) else { break }
            }
        }
    }

    private func scan(_ body: (inout Scanner) -> Void) {
        bytes.withUnsafeReadableBytes { all in
            var scanner = Scanner(bytes: all)
            body(&scanner)
        }
    }

    private struct Scanner {
        let bytes: UnsafeRawBufferPointer
        var index = 0

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        mutating func take(_ byte: UInt8) -> Bool {
            skipSpace()
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        /// The place of the value that begins here; nil at the end of what surrounds it.
        mutating func value() -> Range<Int>? {
            skipSpace()
            let start = index
            var depth = 0
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    guard string() else { return nil }
                    if depth == 0 { return start..<index }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return index > start ? start..<index : nil }
                    depth -= 1
                    if depth == 0 {
                        index += 1
                        return start..<index
                    }
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                    if depth == 0 { return index > start ? start..<index : nil }
                default: break
                }
                index += 1
            }
            return depth == 0 && index > start ? start..<index : nil
        }

        private mutating func string() -> Bool {
            index += 1
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    index += 1
                    return true
                case UInt8(ascii: "\\"): index += 2
                default: index += 1
                }
            }
            index = bytes.count
            return false
        }

        private mutating func skipSpace() {
            while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) { index += 1 }
        }
    }
}
