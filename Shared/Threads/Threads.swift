// SPDX-License-Identifier: Apache-2.0
// Threads for calls that block, which no thread of the cooperative pool may.

internal import Glibc

/// Runs `body` on a thread of its own. Where there is no thread to be had it runs on the caller's: late is better than never.
///
/// - Parameter name: as operators see it, 15 octets at most.
public func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    if tryStartThread(named: name, body) != 0 { body() }
}

/// Runs `body` on a thread of its own, or not at all.
///
/// - Returns: 0, or the number of the error for which there is no thread to be had.
public func tryStartThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let failure = pthread_create(
        &thread,
        &attributes,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
            nameThread(start.name)
            start.body()
            return nil
        },
        start.toOpaque()
    )
    pthread_attr_destroy(&attributes)
    if failure != 0 { start.release() }
    return failure
}

/// Runs `body` on a thread of its own and waits for it without holding a thread of the cooperative pool.
public func onThread<Value: Sendable, Failure: Error>(
    named name: String,
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        startThread(named: name) {
            let result: Result<Value, Failure>
            do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
            continuation.resume(returning: result)
        }
    }
    return try result.get()
}

/// As `pthread_setname_np` does, which the module Glibc lacks.
private func nameThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = Array(name.utf8.prefix(15)).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
