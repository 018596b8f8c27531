// SPDX-License-Identifier: Apache-2.0
// The moment between the wish to stop and the last accepted connection.

public import ServiceLifecycle
import Synchronization

/// Stops first: the process says that it is not ready and, for a while, still takes what reaches it.
public final class Drain: Service {
    /// The drain of the running process.
    @TaskLocal public static var current: Drain?

    private let duration: Duration
    private let draining = Mutex(false)

    public init(for duration: Duration) { self.duration = duration }

    /// Whether the process has been asked to stop.
    public var isDraining: Bool { draining.withLock { $0 } }

    public func run() async throws {
        try await gracefulShutdown()
        draining.withLock { $0 = true }
        try await Task.sleep(for: duration)
    }
}
