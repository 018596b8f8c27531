// SPDX-License-Identifier: Apache-2.0
// Stops asking a service that keeps failing, and finds out when it is back.

/// The state of one service as seen from one event loop.
///
/// Closed, it counts; after `consecutive` failures or `timeouts` in a row, or when half of at least `sample` answers
/// within `window` were failures, it opens. Open, it refuses at once. After a pause one request at a time is let through:
/// success closes, failure opens again for longer.
struct CircuitBreaker: Sendable {
    enum State: Int, Sendable, Equatable {
        case closed = 0, halfOpen = 1, open = 2
    }

    enum Permit: Equatable {
        case yes
        /// Refused, for this many milliseconds at least.
        case no(retryAfter: Milliseconds)
    }

    var consecutive = 5
    /// Whoever meets a service that hangs waits for long: fewer shall.
    var timeouts = 3
    var sample = 20
    var window: Milliseconds = 4000
    var firstPause: Milliseconds = 500
    var longestPause: Milliseconds = 3000
    /// A probe whose result never comes is forgotten after this long.
    var probePatience: Milliseconds = 8000

    private(set) var state = State.closed
    private var failuresInARow = 0
    private var timeoutsInARow = 0
    private var windowStart: Milliseconds = 0
    private var answers = 0
    private var failures = 0
    private var pause: Milliseconds = 0
    private var until: Milliseconds = 0
    private var probeStarted: Milliseconds?

    mutating func ask(now: Milliseconds) -> Permit {
        switch state {
        case .closed: return .yes
        case .open:
            guard now >= until else { return .no(retryAfter: until - now) }
            state = .halfOpen
            probeStarted = now
            return .yes
        case .halfOpen:
            if let started = probeStarted, now - started < probePatience { return .no(retryAfter: firstPause) }
            probeStarted = now
            return .yes
        }
    }

    mutating func succeeded(now: Milliseconds) {
        if state != .closed {
            state = .closed
            pause = 0
            windowStart = now
            answers = 0
            failures = 0
        }
        probeStarted = nil
        failuresInARow = 0
        timeoutsInARow = 0
        count(now: now, failed: false)
    }

    /// - Parameter timedOut: whether there was no answer at all in time.
    mutating func failed(now: Milliseconds, timedOut: Bool = false) {
        switch state {
        case .open: return
        case .halfOpen: open(now: now)
        case .closed:
            failuresInARow += 1
            if timedOut { timeoutsInARow += 1 }
            count(now: now, failed: true)
            if failuresInARow >= consecutive || timeoutsInARow >= timeouts
                || (answers >= sample && failures * 2 >= answers)
            {
                open(now: now)
            }
        }
    }

    /// A request that was let through ended without saying anything about the service, such as when the client left.
    mutating func abandoned() { probeStarted = nil }

    private mutating func open(now: Milliseconds) {
        state = .open
        pause = pause == 0 ? firstPause : min(pause * 2, longestPause)
        until = now + pause
        probeStarted = nil
        failuresInARow = 0
        timeoutsInARow = 0
        answers = 0
        failures = 0
    }

    private mutating func count(now: Milliseconds, failed: Bool) {
        if now - windowStart > window {
            windowStart = now
            answers = 0
            failures = 0
        }
        answers += 1
        if failed { failures += 1 }
    }
}
