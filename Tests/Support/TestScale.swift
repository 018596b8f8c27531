// SPDX-License-Identifier: Apache-2.0
// How large a test is: some seconds of work in the suite, as much as the promise names when it is asked for.

internal import Glibc

/// Sizes of tests whose full length is too long for the suite: `MADANG_TEST_SCALE=100 deploy/dev test hotPost`.
package enum TestScale {
    /// 1 in the suite.
    package static let factor = max(1, getenv("MADANG_TEST_SCALE").flatMap { Int(String(cString: $0)) } ?? 1)

    /// - Parameters:
    ///   - size: in the suite.
    ///   - most: what the promise asks for.
    package static func of(_ size: Int, atMost most: Int) -> Int {
        let (scaled, isTooMuch) = size.multipliedReportingOverflow(by: factor)
        return isTooMuch ? most : min(scaled, most)
    }

    /// How long something may take that takes so long in the suite.
    package static func patience(_ limit: Duration) -> Duration { limit * min(factor, 100) }
}
