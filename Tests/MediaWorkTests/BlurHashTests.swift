// SPDX-License-Identifier: Apache-2.0

import MediaWork
import Testing

@testable import MediaWorker

@Suite struct BlurHashTests {
    /// Texts that the Python package `blurhash` 1.1.5 gives for the same points.
    @Test func saysWhatOthersSay() {
        func text(_ width: Int, _ height: Int, _ point: (Int, Int) -> [Int]) -> String {
            let points = (0..<height).flatMap { y in (0..<width).flatMap { x in point(x, y).map { UInt8($0) } } }
            return points.withUnsafeBytes { BlurHash.text($0, width: width, height: height) }
        }
        #expect(text(32, 24) { [$0 * 8, $1 * 10, $0 * $1 % 256] } == "LxH27h2lwtX3mAWUjwfAgFfmfTfi")
        #expect(text(20, 10) { x, _ in x < 10 ? [255, 0, 0] : [0, 0, 255] } == "L~LjfL|TwtJrw$sRjsWrfQfQfQfQ")
        #expect(text(16, 16) { _, _ in [255, 255, 255] } == "LKTSUA~qfQ~q~qoffQoffQfQfQfQ")
        #expect(text(16, 16) { _, _ in [0, 0, 0] } == "L00000fQfQfQfQfQfQfQfQfQfQfQ")
    }
}
