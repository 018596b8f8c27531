// SPDX-License-Identifier: Apache-2.0

import CConfinement
import Foundation
import Glibc
import Support
import Testing

@testable import MediaWork

@Suite struct WorkerProcessTests {
    /// A worker that says who it is and then does nothing.
    private func idle(_ shop: Workshop, for time: Duration = .seconds(1800), then rest: String) throws -> (
        process: WorkerProcess, order: WorkOrder, pids: String
    ) {
        let pids = shop.path("pids")
        let script = "sleep 1000 & echo $$ $! > \(pids).new; mv \(pids).new \(pids); \(rest)"
        let order = WorkOrder(input: "/dev/null", directory: try shop.emptyDirectory().path)
        return (WorkerProcess(executable: "/bin/sh", arguments: ["-c", script], time: time), order, pids)
    }

    /// The process ids that the script above wrote.
    private func started(_ pids: String) async throws -> [pid_t] {
        try await eventually("the worker that says who it is") { FileManager.default.fileExists(atPath: pids) }
        return try String(contentsOfFile: pids, encoding: .utf8).split(whereSeparator: \.isWhitespace)
            .compactMap { pid_t($0) }
    }

    /// Waits until none of them is there any more, except as what nobody has asked for yet.
    private func expectGone(_ processes: [pid_t]) async throws {
        #expect(processes.count == 2)
        for process in processes {
            try await eventually("the end of \(process)") {
                let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                return state.map { $0.contains(") Z ") } ?? true
            }
        }
    }

    @Test(.againstHanging) func saysHowAWorkerEndedWithoutAReport() async throws {
        let shop = try Workshop()
        for (rest, ended) in [
            ("exit 3", WorkerEnded.code(3)), ("kill -SEGV $$", .signal(SIGSEGV)), ("echo nonsense; exit 0", .code(0)),
            ("head -c 1000000 /dev/zero; exit 9", .signal(SIGKILL)),
        ] {
            let (process, order, pids) = try idle(shop, then: rest)
            await #expect(throws: ended) { try await process.run(order) }
            try await expectGone(started(pids))
            try FileManager.default.removeItem(atPath: pids)
            #expect(FileManager.default.fileExists(atPath: order.directory))
        }
        await #expect(throws: WorkerEnded.unstarted(ENOENT)) {
            try await WorkerProcess(executable: "/nowhere").run(WorkOrder(input: "", directory: ""))
        }
    }

    @Test(.againstHanging) func endsAWorkerThatTakesTooLong() async throws {
        let shop = try Workshop()
        var time = Duration.milliseconds(500)
        // A machine that is busy may not get as far as to say who it is.
        while !FileManager.default.fileExists(atPath: shop.path("pids")) {
            let (process, order, _) = try idle(shop, for: time, then: "wait")
            await #expect(throws: WorkerEnded.late) { try await process.run(order) }
            time *= 2
        }
        try await expectGone(started(shop.path("pids")))
    }

    @Test(.againstHanging) func endsAWorkerWhoseOrderIsCancelled() async throws {
        let shop = try Workshop()
        let (process, order, pids) = try idle(shop, then: "wait")
        let running = Task { try await process.run(order) }
        let processes = try await started(pids)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        try await expectGone(processes)
    }

    @Test(.againstHanging) func outlivesAWorkerThatIsKilled() async throws {
        let shop = try Workshop()
        let (process, order, pids) = try idle(shop, then: "wait")
        let running = Task { try await process.run(order) }
        let processes = try await started(pids)
        kill(try #require(processes.first), SIGKILL)
        await #expect(throws: WorkerEnded.signal(SIGKILL)) { try await running.value }
        try await expectGone(processes)
    }

    /// A worker that waits for its order, started by a shell that is killed.
    @Test(.againstHanging) func leavesNoWorkerWhenItsServiceIsKilled() async throws {
        let shop = try Workshop()
        let (pids, pipe) = (shop.path("pids"), shop.path("pipe"))
        #expect(mkfifo(pipe, 0o600) == 0)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "exec 3<>\(pipe); \(host) worker $$ <&3 >/dev/null 2>&1 & echo $$ $! > \(pids); wait"]
        try shell.run()
        var processes: [pid_t] = []
        while processes.count < 2 { processes = try await started(pids) }
        // Once it is confined it can be relied on.
        try await eventually("a confined worker") {
            try String(contentsOfFile: "/proc/\(processes[1])/status", encoding: .utf8).contains("Seccomp:\t2")
        }
        kill(processes[0], SIGKILL)
        try await expectGone(processes)
    }

    @Test func worksForManyAtOnce() async throws {
        let shop = try Workshop()
        let picture = try shop.write(shop.picture("a.jpg", 400, 300), "upload")
        let kinds = try await withThrowingTaskGroup(of: WorkReport.self) { group in
            for _ in 0..<12 {
                let order = WorkOrder(input: picture, directory: try shop.emptyDirectory().path)
                group.addTask { try await WorkerProcess(executable: host).run(order) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds.count == 12 && Set(kinds).count == 1)
    }

    @Test(.againstHanging) func aServerMakesWorkersAndIsReplaced() async throws {
        let shop = try Workshop()
        let pids = shop.path("pids")
        let server = ForkServer(
            executable: "/bin/sh",
            arguments: ["-c", "echo $$ >> \(pids); exec \(host) fork-server"]
        )
        let order = WorkOrder(
            input: try shop.write(shop.picture("a.jpg", 40, 30), "upload"),
            directory: try shop.emptyDirectory().path
        )
        // Also while nobody makes them yet.
        guard case .made = try await WorkerProcess(executable: host, server: server).run(order) else {
            throw MissingForTests("a report")
        }
        let worker = try await Fork(of: server)
        defer { worker.end() }
        // A child of ours in a group of its own, which is confined before it reads anything.
        #expect(getpgid(worker.process) == worker.process)
        try await eventually("a confined worker") {
            let status = try String(contentsOfFile: "/proc/\(worker.process)/status", encoding: .utf8)
            return status.contains("PPid:\t\(getpid())\n") && status.contains("Seccomp:\t2\n")
        }
        let first = try #require(try await started(pids).first)
        kill(first, SIGKILL)
        try await eventually("another server") { try await started(pids).count == 2 }
        try await Fork(of: server).end()
        #expect(kill(worker.process, 0) == 0)
    }

    /// What somebody can do who has taken over a worker.
    @Test(.againstHanging, arguments: [false, true]) func leavesAWorkerNothing(isForked: Bool) async throws {
        let shop = try Workshop()
        let listener = try Listener()
        let input = try shop.write(Data("input".utf8), "input")
        let arguments = [input, try shop.emptyDirectory().path, "\(listener.port)", "\(getpid())"]
        // Open for whatever is started without care.
        let leaked = open("/dev/null", O_RDONLY)
        defer { close(leaked) }
        let server = isForked ? ForkServer(executable: host, arguments: ["fork-server"] + arguments) : nil
        let worker =
            if let server { try await Fork(of: server) } else { try await Fork(program: [host, "try"] + arguments) }
        let held = worker.said.split(separator: "\n").map(String.init)
        #expect(worker.end() == 0)
        let all = ["inherited", "network", "passwd", "beside", "input", "inside", "memory", "rights", "environment"]
        #expect(held == all.map { "\($0) held" })
        #expect(listener.wasCalled == false)
        withExtendedLifetime(server) {}
    }
}

/// A process that was made and has no order yet.
private struct Fork {
    let process: pid_t
    private let input: Int32
    private let output: Int32

    init(of server: ForkServer) async throws {
        try await self.init { input, output in
            var made: pid_t?
            try await eventually("a server that makes workers") {
                made = server.fork(input: input, output: output)
                return made != nil
            }
            return try #require(made)
        }
    }

    init(program arguments: [String]) async throws {
        try await self.init { input, output in
            withArguments(arguments) { confinement_spawn(arguments[0], $0, input, output) }
        }
    }

    private init(_ make: (_ input: Int32, _ output: Int32) async throws -> pid_t) async throws {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(confinement_pipe(&input) == 0 && confinement_pipe(&output) == 0)
        process = try await make(input[0], output[1])
        try #require(process > 0)
        close(input[0])
        close(output[1])
        (self.input, self.output) = (input[1], output[0])
    }

    /// All that it says.
    var said: String {
        String(decoding: FileHandle(fileDescriptor: output, closeOnDealloc: false).readDataToEndOfFile(), as: UTF8.self)
    }

    /// The status of its end, which comes now if it has not come.
    @discardableResult
    func end() -> Int32 {
        close(input)
        close(output)
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status
    }
}
