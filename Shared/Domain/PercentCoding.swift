// SPDX-License-Identifier: Apache-2.0
// Percent-encoding (RFC 3986, section 2.1).

public enum PercentCoding {
    /// The text behind escapes; nil when one is broken, or the octets are no UTF-8 or have a NUL.
    ///
    /// - Parameter plus: whether a plus sign is a space, as in forms.
    public static func decoded(_ text: some Collection<UInt8>, plus: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plus: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// The text of a query's part, whatever it is: an escape that is none stands for itself, a plus sign is a space, and
    /// octets that are no UTF-8 are replaced.
    public static func repaired(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
                let low = rest.dropFirst().first.flatMap(digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything but unreserved characters as `%XX` (RFC 3986, section 2.3).
    public static func encoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
            default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return bytes
    }

    public static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}

extension String {
    /// Everything but unreserved characters as `%XX` (RFC 3986, section 2.3).
    public var percentEncoded: String { String(decoding: PercentCoding.encoded(utf8), as: UTF8.self) }
}
