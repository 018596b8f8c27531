// SPDX-License-Identifier: Apache-2.0
// A clock that stands still.

package import Domain
internal import Synchronization

/// A clock that stands still until a test moves it.
package final class SetClock: Sendable {
    private let moment: Mutex<Timestamp>

    package init(_ moment: Timestamp = .now()) { self.moment = Mutex(moment) }

    package var now: Timestamp { moment.withLock { $0 } }
    package func advance(_ duration: Duration) { moment.withLock { $0 = $0 + duration } }
}
