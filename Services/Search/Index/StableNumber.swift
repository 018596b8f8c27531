// SPDX-License-Identifier: Apache-2.0
// Texts as numbers that are the same in every process.

/// FNV-1a of 64 bits, mixed at the end as in splitmix64; never negative, so that it can be an id.
func stableNumber(_ texts: String...) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in texts {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Parts are parted by what is no UTF-8.
        hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int64(truncatingIfNeeded: (hash ^ (hash >> 31)) >> 1)
}
