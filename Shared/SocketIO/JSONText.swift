// SPDX-License-Identifier: Apache-2.0
// Strings as JSON.

import NIOCore

enum JSONText {
    /// Writes a JSON string (RFC 8259, section 7).
    static func write(_ string: String, to bytes: inout ByteBuffer) {
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
