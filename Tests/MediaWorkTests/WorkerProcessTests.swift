// SPDX-License-Identifier: Apache-2.0

import CConfinement
import Foundation
import Glibc
import MediaWork
import Support
import Testing

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

    /// What somebody can do who has taken over a worker.
    @Test func leavesAWorkerNothing() throws {
        let shop = try Workshop()
        let listener = try Listener()
        let input = try shop.write(Data("input".utf8), "input")
        let arguments = [host, "try", input, try shop.emptyDirectory().path, "\(listener.port)", "\(getpid())"]
        let texts = arguments.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        var ends: [Int32] = [0, 0]
        try #require(confinement_pipe(&ends) == 0)
        // Open for whatever is started without care.
        let leaked = open("/dev/null", O_RDONLY)
        defer { close(leaked) }
        let process = confinement_spawn(host, texts, ends[1], ends[1])
        close(ends[1])
        try #require(process > 0)
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        #expect(status == 0)
        let held = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        let all = ["inherited", "network", "passwd", "beside", "input", "inside", "memory", "rights", "environment"]
        #expect(held == all.map { "\($0) held" })
        #expect(listener.wasCalled == false)
    }
}
