// SPDX-License-Identifier: Apache-2.0
// How far the index is behind what happens.

import Domain
import ServiceKit
import Synchronization

/// The age of the events that were applied last.
final class IndexLag: Sendable {
    private struct State {
        var seconds = 0.0
        var seen = Timestamp(milliseconds: 0)
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Timestamp
    /// After so long without an event nothing is behind; what is stuck is told by its queue.
    private static let memory = Duration.seconds(60)

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    func see(_ time: Timestamp) {
        let now = now()
        state.withLock { $0 = State(seconds: Double(max(0, now.milliseconds - time.milliseconds)) / 1000, seen: now) }
    }

    /// In seconds.
    var current: Double {
        let horizon = now() + (.zero - Self.memory)
        return state.withLock { $0.seen < horizon ? 0 : $0.seconds }
    }

    func measure(_ metrics: Metrics) {
        metrics.gauge(
            "madang_search_lag_seconds",
            help: "Age of the events that were put into the index last; 0 where none came within a minute."
        ) { self.current }
    }
}
