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
        let wasEmpty = requests.withLock { requests in
            requests.append(request)
            return requests.count == 1
        }
        if wasEmpty { doorbell.ring() }
    }

    func take() -> [Request] {
        requests.withLock { requests in
            let taken = requests
            requests.removeAll(keepingCapacity: true)
            return taken
        }
    }
}

/// Runs `body` on a thread of its own and returns when it ends.
///
/// A connection's calls may block for milliseconds, which no thread of the cooperative pool may.
func onThread<Value: Sendable>(named name: String, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let start = ThreadStart(name: name) { continuation.resume(returning: body()) }
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let argument = Unmanaged.passRetained(start)
        let code = pthread_create(&thread, &attributes, runThread, argument.toOpaque())
        pthread_attr_destroy(&attributes)
        if code != 0 {
            // No thread to be had: better one thread of the pool less than nobody who answers.
            argument.release()
            start.body()
        }
    }
}

private final class ThreadStart {
    let name: String
    let body: () -> Void

    init(name: String, body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    madang_name_thread(start.name)
    start.body()
    return nil
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
