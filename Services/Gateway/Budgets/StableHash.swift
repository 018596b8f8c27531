// SPDX-License-Identifier: Apache-2.0
// Numbers by which all gateways know the same account or address.

import Crypto

/// SipHash-1-3 (Aumasson and Bernstein): the same in every process that has the secret.
struct StableHash: Sendable {
    private let first: UInt64
    private let second: UInt64

    init(secret: String) {
        let digest = Array(SHA256.hash(data: Array(secret.utf8)))
        first = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        second = digest.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func hash(_ kind: UInt64, _ word: UInt64) -> UInt64 {
        var state = (
            first ^ 0x736f_6d65_7073_6575, second ^ 0x646f_7261_6e64_6f6d, first ^ 0x6c79_6765_6e65_7261,
            second ^ 0x7465_6462_7974_6573
        )
        StableHash.take(kind, &state)
        StableHash.take(word, &state)
        StableHash.take(16 << 56, &state)
        state.2 ^= 0xFF
        for _ in 0..<3 { StableHash.round(&state) }
        return state.0 ^ state.1 ^ state.2 ^ state.3
    }

    private static func take(_ word: UInt64, _ state: inout (UInt64, UInt64, UInt64, UInt64)) {
        state.3 ^= word
        round(&state)
        state.0 ^= word
    }

    private static func round(_ state: inout (UInt64, UInt64, UInt64, UInt64)) {
        func turned(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
        state.0 &+= state.1
        state.1 = turned(state.1, 13) ^ state.0
        state.0 = turned(state.0, 32)
        state.2 &+= state.3
        state.3 = turned(state.3, 16) ^ state.2
        state.0 &+= state.3
        state.3 = turned(state.3, 21) ^ state.0
        state.2 &+= state.1
        state.1 = turned(state.1, 17) ^ state.2
        state.2 = turned(state.2, 32)
    }
}
