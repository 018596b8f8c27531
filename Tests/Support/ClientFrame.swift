// SPDX-License-Identifier: Apache-2.0
// WebSocket frames as clients send them.

/// Frames as a client sends them.
package enum ClientFrame {
    package static func bytes(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isMasked: Bool = true)
        -> [UInt8]
    {
        var bytes = [(isFinal ? 0x80 : 0) | opcode]
        let mask: [UInt8] = isMasked ? [1, 2, 3, 4] : []
        let flag: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        case ..<65_536: bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [flag | 127] + (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 255) }
        }
        bytes += mask
        bytes += payload.enumerated().map { isMasked ? $1 ^ mask[$0 & 3] : $1 }
        return bytes
    }

    package static func text(_ text: String) -> [UInt8] { bytes(1, Array(text.utf8)) }
}
