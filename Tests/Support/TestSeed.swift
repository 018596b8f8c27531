// SPDX-License-Identifier: Apache-2.0
// The one source of chance in tests: it tells its seed, and takes one to run again what failed.

internal import Glibc

/// Random numbers that are the same for the same seed (SplitMix64: Steele, Lea and Flood, 2014).
///
/// A run draws its seed and prints it. `MADANG_TEST_SEED=<number>` repeats it: every test then uses this seed alone.
package struct TestSeed: RandomNumberGenerator, Sendable {
    package let seed: UInt64
    private var state: UInt64

    /// Numbers of a known seed, for the argument of a test.
    package init(_ seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Numbers of the environment's seed, or of a new one, which is printed with the test's name.
    package init(for test: String = #function, file: String = #fileID) {
        self.init(TestSeed.demanded ?? TestSeed.drawn)
        print("\(file) \(test): MADANG_TEST_SEED=\(seed)")
    }

    /// Seeds as arguments of a test: those that it always runs with and one drawn for this run, which is printed; or
    /// the environment's alone.
    package static func list(_ always: some Sequence<UInt64>, file: String = #fileID, line: Int = #line) -> [UInt64] {
        if let demanded { return [demanded] }
        print("\(file):\(line) also runs with MADANG_TEST_SEED=\(drawn)")
        return Array(always) + [drawn]
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether one of `all` equally likely things happens that `one` counts.
    package mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &self) < one }

    private static let demanded: UInt64? = getenv("MADANG_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    /// One for all tests of a run; short enough to be typed.
    private static let drawn = UInt64.random(in: 1_000_000...9_999_999)
}
