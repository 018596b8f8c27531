// SPDX-License-Identifier: Apache-2.0
// How long is long on a machine that may be busy.

/// How long it takes here and now to wait for `time` so many times, one wait after another.
///
/// What must end within a time that passes for its waiting is compared with this: whatever holds it up holds each of these
/// waits up as well.
package func patience(_ time: Duration, times: Int) async throws -> Duration {
    let begin = ContinuousClock.now
    for _ in 0..<times { try await Task.sleep(for: time) }
    return ContinuousClock.now - begin
}
