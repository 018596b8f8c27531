// SPDX-License-Identifier: Apache-2.0
// How often one connection may tell that somebody is writing.

import Domain

/// Once a second in each channel, and in 64 channels at most in that time.
struct TypingPace: Sendable {
    static let pause: Milliseconds = 1000
    static let channels = 64

    private var told: [ChannelID: Milliseconds] = [:]

    /// Whether to tell it now; then it counts as told.
    mutating func allows(_ channel: ChannelID, now: Milliseconds) -> Bool {
        if let before = told[channel], now - before < TypingPace.pause { return false }
        if told.count >= TypingPace.channels { told = told.filter { now - $0.value < TypingPace.pause } }
        guard told.count < TypingPace.channels else { return false }
        told[channel] = now
        return true
    }
}
