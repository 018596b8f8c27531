// SPDX-License-Identifier: Apache-2.0
// The query of a request.

enum Query {
    /// The decoded value of the first parameter with this name; empty for one without a value.
    static func value(of name: String, in query: String) -> String? {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            guard decoded(key) == name else { continue }
            return decoded(pair.dropFirst(key.count + 1))
        }
        return nil
    }

    /// Resolves percent-escapes and plus signs; an escape that is none stands for itself.
    private static func decoded(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        var ahead: [UInt8] = []
        func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case 48...57: byte - 48
            case 65...70: byte - 55
            case 97...102: byte - 87
            default: nil
            }
        }
        while let byte = ahead.isEmpty ? rest.next() : ahead.removeFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            while ahead.count < 2, let next = rest.next() { ahead.append(next) }
            if ahead.count == 2, let high = digit(ahead[0]), let low = digit(ahead[1]) {
                bytes.append(high << 4 | low)
                ahead.removeAll()
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
