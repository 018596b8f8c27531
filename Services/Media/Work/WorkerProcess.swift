// SPDX-License-Identifier: Apache-2.0
// A process that opens one file of a stranger, and its end.

import CConfinement
import FoundationEssentials
import Glibc
import Synchronization
import Threads

/// A worker ended before it had answered.
package enum WorkerEnded: Error, Hashable, Sendable {
    case code(Int32)
    case signal(Int32)
    /// It took longer than it may and was killed.
    case late
    /// It could not be started: the number of the error.
    case unstarted(Int32)
}

/// Starts a process for each order, waits for its report and leaves nothing behind but the order's directory.
package struct WorkerProcess: Sendable {
    /// More is no report of ours.
    private static let longestReport = 64 << 10

    private let executable: String
    private let arguments: [String]
    private let time: Duration
    private let server: ForkServer?

    /// - Parameters:
    ///   - executable: What is started. The program that runs, unless said otherwise.
    ///   - arguments: Its arguments; the process id of whoever starts it is added.
    ///   - time: How long it may take.
    ///   - server: Who makes such processes from then on that it is ready.
    package init(
        executable: String = "/proc/self/exe",
        arguments: [String] = ["worker"],
        time: Duration = .seconds(1800),
        server: ForkServer? = nil
    ) {
        self.executable = executable
        self.arguments = arguments
        self.time = time
        self.server = server
    }

    /// Throws `WorkerEnded`, or `CancellationError` when the task is cancelled; the process and all that it started are gone
    /// whenever this returns.
    package func run(_ order: WorkOrder) async throws -> WorkReport {
        let line = try JSONEncoder().encode(order) + [UInt8(ascii: "\n")]
        // A pipe holds so much without anybody who reads.
        guard line.count <= 32 << 10 else { throw WorkerEnded.unstarted(E2BIG) }
        let process = Process()
        return try await withTaskCancellationHandler {
            // The thread that started a process must outlive it: its end would be the process's (PR_SET_PDEATHSIG).
            try await onThread(named: "worker") {
                // With the server would go what it made.
                defer { withExtendedLifetime(server) { process.end() } }
                try process.start(line) { input, output in
                    if let made = server?.fork(input: input, output: output) { return made }
                    return withArguments([executable] + arguments + ["\(getpid())"]) {
                        confinement_spawn(executable, $0, input, output)
                    }
                }
                let report = try process.read(upTo: Self.longestReport, within: time)
                if let report, let made = try? JSONDecoder().decode(WorkReport.self, from: report) { return made }
                throw process.ending()
            }
        } onCancel: {
            process.cancel()
        }
    }
}

/// One process and its group.
private final class Process: Sendable {
    private enum State {
        case new, cancelled
        case running(pid_t)
        case ended
    }

    private let state = Mutex(State.new)
    private let output = Mutex<Int32>(-1)
    private let late = Mutex(false)
    private let wasCancelled = Mutex(false)

    /// - Parameter make: makes a process, in a group of its own and with nothing of ours but these two files; a negative number is an error's.
    func start(_ line: Data, make: (_ input: Int32, _ output: Int32) -> pid_t) throws {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard confinement_pipe(&input) == 0 else { throw WorkerEnded.unstarted(EMFILE) }
        defer { input.forEach { close($0) } }
        guard confinement_pipe(&output) == 0 else { throw WorkerEnded.unstarted(EMFILE) }
        defer { close(output[1]) }
        self.output.withLock { $0 = output[0] }
        // Whole before anybody reads it, so that nobody who does not read it can end us.
        let written = line.withUnsafeBytes { write(input[1], $0.baseAddress, $0.count) }
        guard written == line.count else { throw WorkerEnded.unstarted(EIO) }
        try state.withLock { state in
            if case .cancelled = state { throw CancellationError() }
            let process = make(input[0], output[1])
            guard process > 0 else { throw WorkerEnded.unstarted(-process) }
            state = .running(process)
        }
    }

    /// All that the process writes until it ends or closes its output, if that is not too much and in time.
    func read(upTo limit: Int, within time: Duration) throws -> Data? {
        let descriptor = output.withLock { $0 }
        // What it started may hold the output open longer than it lives.
        let watch = watch()
        defer { if watch >= 0 { close(watch) } }
        let deadline = ContinuousClock.now + time
        var bytes = Data()
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let left = deadline - .now
            let milliseconds = left.components.seconds &* 1000 &+ left.components.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else {
                late.withLock { $0 = true }
                return nil
            }
            var waited = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waited, 2, Int32(clamping: milliseconds))
            if ready < 0, errno != EINTR { return nil }
            guard ready > 0 else { continue }
            guard waited[0].revents != 0 else { return bytes }
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: part.prefix(count))
        }
        return nil
    }

    private func watch() -> Int32 {
        state.withLock { state in
            guard case .running(let pid) = state else { return -1 }
            return confinement_watch(pid)
        }
    }

    func cancel() {
        wasCancelled.withLock { $0 = true }
        state.withLock { state in
            switch state {
            case .new: state = .cancelled
            case .running(let pid): kill(-pid, SIGKILL)
            case .cancelled, .ended: break
            }
        }
    }

    /// Why there is no report.
    func ending() -> any Error {
        let status = reap()
        if wasCancelled.withLock({ $0 }) { return CancellationError() }
        if late.withLock({ $0 }) { return WorkerEnded.late }
        return status & 0x7F == 0 ? WorkerEnded.code(status >> 8 & 0xFF) : WorkerEnded.signal(status & 0x7F)
    }

    func end() {
        _ = reap()
        output.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Kills what is left of the group and takes the status of its leader.
    private func reap() -> Int32 {
        state.withLock { state in
            guard case .running(let pid) = state else { return 0 }
            state = .ended
            kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            return status
        }
    }
}
