// SPDX-License-Identifier: Apache-2.0
// Strings as JSON.

package import NIOCore

package enum JSONText {
    /// Writes a JSON string (RFC 8259, section 7).
    package static func write(_ string: String, to bytes: inout ByteBuffer) {
        bytes.writeStaticString("\"")
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.writeStaticString("\\\"")
            case UInt8(ascii: "\\"): bytes.writeStaticString("\\\\")
            case 0x0A: bytes.writeStaticString("\\n")
            case 0x0D: bytes.writeStaticString("\\r")
            case 0x09: bytes.writeStaticString("\\t")
            case ..<0x20:
                bytes.writeStaticString("\\u00")
                for digit in [byte >> 4, byte & 15] { bytes.writeInteger(digit < 10 ? digit + 48 : digit + 87) }
            default: bytes.writeInteger(byte)
            }
        }
        bytes.writeStaticString("\"")
    }
}

extension JSONText {
    /// The inside of a JSON string that is known to be well-formed, without its escapes; lone surrogates are replaced.
    package static func unescaped(_ text: some Collection<UInt8>) -> String? {
        units(of: text).map { String(decoding: $0, as: UTF16.self) }
    }

    /// The same as UTF-16, in which lone surrogates can still be seen.
    package static func units(of text: some Collection<UInt8>) -> [UInt16]? {
        var units: [UInt16] = []
        var bytes = text.makeIterator()
        var plain: [UInt8] = []
        func flush() {
            units += Array(String(decoding: plain, as: UTF8.self).utf16)
            plain = []
        }
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            guard let kind = bytes.next() else { return nil }
            switch kind {
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "u"):
                var digits: [UInt8] = []
                while digits.count < 4, let digit = bytes.next() { digits.append(digit) }
                guard let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
                flush()
                units.append(unit)
            default: plain.append(kind)
            }
        }
        flush()
        return units
    }
}
