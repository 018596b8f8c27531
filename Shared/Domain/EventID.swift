// SPDX-License-Identifier: Apache-2.0
// UUIDs of version 7 as text (RFC 9562, section 5.7): milliseconds, then chance.

/// The ids of events.
public enum EventID {
    public static func new(at moment: Timestamp = .now()) -> String {
        text(
            time(moment) << 16 | 0x7000 | UInt64.random(in: 0...0xFFF),
            UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }

    /// The smallest id of an event that is told at `moment` or later.
    public static func first(at moment: Timestamp) -> String {
        text(time(moment) << 16 | 0x7000, 0x8000_0000_0000_0000)
    }

    private static func time(_ moment: Timestamp) -> UInt64 {
        UInt64(bitPattern: moment.milliseconds) & 0xFFFF_FFFF_FFFF
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
            let digit = UInt8((index < 16 ? high : low) >> (60 - 4 * (index % 16)) & 0xF)
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
