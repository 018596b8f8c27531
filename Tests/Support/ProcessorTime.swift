// SPDX-License-Identifier: Apache-2.0
// What work costs, however busy the machine is.

internal import Glibc

/// The processor time that the calling thread spends in `body`, which other tests do not count in.
package func processorTime(of body: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let begin = now()
    body()
    return now() - begin
}
