// SPDX-License-Identifier: Apache-2.0
// Whether octets that come in pieces are UTF-8.

/// Tells of the first octet that cannot be part of UTF-8, as soon as it comes (RFC 3629, section 4).
struct TextCheck {
    private var following = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether no character has only begun.
    var isComplete: Bool { following == 0 }

    /// False when what has come so far cannot become UTF-8.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if following == 0 {
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { break }
            }
            guard take(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        if following > 0 {
            guard lowest <= byte, byte <= highest else { return false }
            following -= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case ..<0x80: break
        case 0xC2...0xDF: following = 1
        case 0xE0: (following, lowest) = (2, 0xA0)
        case 0xED: (following, highest) = (2, 0x9F)
        case 0xE1...0xEF: following = 2
        case 0xF0: (following, lowest) = (3, 0x90)
        case 0xF4: (following, highest) = (3, 0x8F)
        case 0xF1...0xF3: following = 3
        default: return false
        }
        return true
    }
}
