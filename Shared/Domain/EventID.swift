// SPDX-License-Identifier: Apache-2.0
// UUIDs of version 7 as text (RFC 9562, section 5.7): milliseconds, then chance.

/// The ids of events.
package enum EventID {
    package static func new(at moment: Timestamp = .now()) -> String {
        text(
            time(moment) << 16 | 0x7000 | UInt64.random(in: 0...0xFFF),
            UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }

    /// The smallest id of an event that is told at `moment` or later.
    package static func first(at moment: Timestamp) -> String {
        text(time(moment) << 16 | 0x7000, 0x8000_0000_0000_0000)
    }

    private static func time(_ moment: Timestamp) -> UInt64 {
        UInt64(bitPattern: moment.milliseconds) & 0xFFFF_FFFF_FFFF
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        let digits = Array(
            [high, low].map { number in
                let digits = String(number, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
        )
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
