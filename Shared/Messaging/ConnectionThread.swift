// SPDX-License-Identifier: Apache-2.0
// A thread that owns a connection, and the ways to reach it.

import CRabbitMQ
import Glibc
import Synchronization

/// Wakes a thread that waits in `poll`.
final class Doorbell: Sendable {
    let descriptor = eventfd(0, madang_eventfd_flags())

    deinit { if descriptor >= 0 { close(descriptor) } }

    func ring() { eventfd_write(descriptor, 1) }

    func silence() {
        var value: eventfd_t = 0
        eventfd_read(descriptor, &value)
    }

    /// Waits for a ring at most so long.
    func wait(_ time: Duration) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, time.milliseconds) > 0 { silence() }
    }
}

/// What tasks ask of a thread, in order.
final class Mailbox<Request: Sendable>: Sendable {
    let doorbell = Doorbell()
    private let requests = Mutex<[Request]>([])

    func post(_ request: Request) {
        put(request)
        doorbell.ring()
    }

    /// Leaves a request and wakes nobody.
    ///
    /// - Returns: whether it is the only one.
    @discardableResult
    func put(_ request: Request) -> Bool {
        requests.withLock { requests in
            requests.append(request)
            return requests.count == 1
        }
    }

    var isEmpty: Bool { requests.withLock { $0.isEmpty } }

    func take() -> [Request] {
        requests.withLock { requests in
            let taken = requests
            requests.removeAll(keepingCapacity: true)
            return taken
        }
    }
}

/// Seconds of a clock that never goes back.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension Duration {
    /// Rounded up, for `poll`.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
