// SPDX-License-Identifier: Apache-2.0
// The worker: one order, one report, and its end.

import CConfinement
import CVips
import FoundationEssentials
import Glibc
import MediaWork

/// What runs in a process of its own and reads what strangers sent.
package enum MediaWorker {
    /// Address space of the worker, and of each program that it starts.
    private static let memory: UInt64 = 1_536 << 20
    /// The largest file that may be written.
    private static let fileSize: UInt64 = 1 << 30
    private static let openFiles: UInt64 = 64

    /// Reads an order from standard input, does the work and writes the report to standard output.
    ///
    /// To be called before the process has a second thread. The last argument is the process id of whoever waits for the
    /// report; when that process dies, this one does.
    package static func main() -> Never {
        guard let parent = CommandLine.arguments.last.flatMap(pid_t.init) else { _exit(EX_USAGE) }
        work(for: parent)
    }

    /// What `ForkServer` starts: loads what workers need and becomes one at each request.
    ///
    /// To be called before the process has a second thread.
    package static func serveForks() -> Never {
        let parent = getppid()
        guard madang_vips_start() == 0 else { _exit(EX_UNAVAILABLE) }
        confinement_serve_forks()
        work(for: parent)
    }

    private static func work(for parent: pid_t) -> Never {
        guard confinement_enter(parent, memory, fileSize, openFiles) == 0 else { _exit(EX_NOPERM) }
        guard let order = readOrder() else { _exit(EX_DATAERR) }
        guard confinement_keep_files(order.input, order.directory) == 0 else { _exit(EX_NOPERM) }
        do {
            let line = try JSONEncoder().encode(report(on: order)) + [UInt8(ascii: "\n")]
            guard writeAll(line, to: STDOUT_FILENO) else { _exit(EX_IOERR) }
        } catch {
            _exit(EX_SOFTWARE)
        }
        // Not through the farewells of the libraries: all is written.
        _exit(EXIT_SUCCESS)
    }

    private static func readOrder() -> WorkOrder? {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            var part = [UInt8](repeating: 0, count: 4096)
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            line.append(contentsOf: part.prefix(count))
        }
        return try? JSONDecoder().decode(WorkOrder.self, from: line)
    }

    private static func report(on order: WorkOrder) throws -> WorkReport {
        do {
            guard order.purpose != .page else {
                confinement_limit_processor(10)
                return .page(try Page.facts(of: order))
            }
            return .made(try work(on: order))
        } catch let refusal as WorkReport.Refusal {
            return .refused(refusal)
        }
    }

    private static func work(on order: WorkOrder) throws -> Made {
        let head = try firstBytes(of: order.input)
        guard !head.isEmpty else { throw WorkReport.Refusal.empty }
        guard let content = Content(head) else { throw WorkReport.Refusal.unsupported }
        confinement_limit_processor(content.processorSeconds)
        try Vips.start(reading: content)
        guard let format = content.demuxer else { return try picture(order, content) }
        return try Recording(order, content, format: format).made()
    }

    private static func picture(_ order: WorkOrder, _ content: Content) throws -> Made {
        let header = try Vips.header(order.input)
        let moves = header.frames > 1 && (content == .gif || content == .webp)
        if order.purpose == .gif || (order.purpose == .attachment && moves) {
            return try Animation(order: order, content: content, header: header, moves: moves).made()
        }
        return try Still(order: order, content: content, header: header).made()
    }

    private static func firstBytes(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw WorkFailed.cannotRead }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Content.head)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw WorkFailed.cannotRead }
        return Array(bytes.prefix(count))
    }
}

/// Something that is no fault of the file: it may go well another time.
enum WorkFailed: Error {
    case cannotRead, cannotWrite, cannotStart
}

extension Content {
    /// What the worker, and each program that it starts, may take.
    fileprivate var processorSeconds: UInt64 {
        switch self {
        case .jpeg, .png, .heic, .avif: 60
        case .gif, .webp: 180
        case .mp4, .quickTime, .webm, .mp3, .m4a, .ogg: 1_500
        }
    }
}

/// Whether all of the bytes could be written.
func writeAll(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
        var left = bytes[...]
        while !left.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: left).baseAddress, left.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }
}
