// SPDX-License-Identifier: Apache-2.0
// Where code runs.

internal import Foundation

/// The name of the thread that asks, as operators see it.
package func threadName() -> String {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return name?.trimmingCharacters(in: .newlines) ?? ""
}
