// SPDX-License-Identifier: Apache-2.0
// How things that are locked by their keys share a few ways.

/// Which of so many lanes things of a key take: the same in every process.
///
/// The lowest bits of ids are nearly always the same: the golden ratio spreads the others over the upper half.
package func lane(of key: Int64, among lanes: Int) -> Int {
    let spread = (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32
    return Int(spread % UInt64(max(1, lanes)))
}
