// SPDX-License-Identifier: Apache-2.0
// The trace that a request belongs to.

/// The `traceparent` of W3C Trace Context, version 00.
enum Traceparent {
    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count == 55 else { return false }
        var index = 0
        var trace = false
        var span = false
        for byte in text.utf8 {
            switch index {
            case 0, 1: guard byte == UInt8(ascii: "0") else { return false }
            case 2, 35, 52: guard byte == UInt8(ascii: "-") else { return false }
            default:
                guard (48...57).contains(byte) || (97...102).contains(byte) else { return false }
                if byte != 48 {
                    if index < 35 { trace = true } else if index < 52 { span = true }
                }
            }
            index += 1
        }
        return trace && span
    }
}
