// SPDX-License-Identifier: Apache-2.0
// How long to wait before the next try.

/// Doubles from 50 ms up to 2 s, each time with half of it left to chance so that processes do not come in step.
public struct BackOff: Sendable {
    public static let longest = Duration.milliseconds(2000)

    private var step = 0

    public init() {}

    /// - Parameter chance: between 0 and 1.
    public mutating func next(chance: Double = .random(in: 0...1)) -> Duration {
        defer { step += 1 }
        return BackOff.pause(after: step, first: .milliseconds(50), longest: BackOff.longest, chance: chance)
    }

    /// The same for what is tried again by whoever finds it, and after longer times.
    ///
    /// - Parameters:
    ///   - tries: how many failed before the last one.
    ///   - chance: between 0 and 1.
    public static func pause(
        after tries: Int,
        first: Duration,
        longest: Duration,
        chance: Double = .random(in: 0...1)
    ) -> Duration {
        min(first * (1 << min(max(tries, 0), 10)), longest) * (0.5 + 0.5 * chance)
    }

    public mutating func reset() { step = 0 }
}
