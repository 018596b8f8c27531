// SPDX-License-Identifier: Apache-2.0
// How long to wait before the next try.

/// Doubles from 50 ms up to 2 s, each time with half of it left to chance so that processes do not come in step.
package struct BackOff: Sendable {
    package static let longest = Duration.milliseconds(2000)

    private var step = 0

    package init() {}

    /// - Parameter chance: between 0 and 1.
    package mutating func next(chance: Double = .random(in: 0...1)) -> Duration {
        let full = min(Duration.milliseconds(50 << min(step, 10)), BackOff.longest)
        step += 1
        return full * (0.5 + 0.5 * chance)
    }

    package mutating func reset() { step = 0 }
}
