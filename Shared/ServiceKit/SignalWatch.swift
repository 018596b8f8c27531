// SPDX-License-Identifier: Apache-2.0
// What the first and the second signal to stop do.

import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Turns SIGTERM and SIGINT into a graceful stop, and leaves hard when that takes too long or is asked for twice.
struct SignalWatch: Sendable {
    /// A container is killed after 30 seconds; we would rather say why.
    static let limit = Duration.seconds(28)

    let logger: Logger
    let stop: @Sendable () async -> Void

    /// Runs `operation` with the signals watched.
    func during(_ operation: @Sendable @escaping () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await operation()
                return true
            }
            group.addTask {
                var limit: Task<Void, any Error>?
                defer { limit?.cancel() }
                for await signal in signals {
                    if limit != nil { leave("Stopped hard by a second signal") }
                    logger.info("Stopping", metadata: ["signal": "\(signal)"])
                    limit = Task {
                        try await Task.sleep(for: SignalWatch.limit)
                        leave("Stopped hard: the graceful stop took too long")
                    }
                    await stop()
                }
                return false
            }
            while let isDone = try await group.next() {
                if isDone { group.cancelAll() }
            }
        }
    }

    private func leave(_ reason: Logger.Message) -> Never {
        logger.critical(reason)
        _exit(1)
    }
}

/// A peer that goes away is an error of the write, not the end of the process.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

/// Sets the process's logging once, however often it is asked to.
enum LoggingStart {
    private static let isDone = Mutex(false)

    static func bootstrap(level: Logger.Level) {
        let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
        guard isFirst else { return }
        LoggingSystem.bootstrap { label in
            var lines = JSONLines(label: label)
            lines.logLevel = level
            return lines
        }
    }
}
