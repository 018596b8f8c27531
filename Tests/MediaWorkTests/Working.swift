// SPDX-License-Identifier: Apache-2.0
// Orders of tests.

import Foundation
import MediaWork
import Testing

/// Where the worker for tests is: beside the tests, unless `MADANG_MEDIA_WORKER` says otherwise.
let host =
    ProcessInfo.processInfo.environment["MADANG_MEDIA_WORKER"]
    ?? URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "media-worker-host").path

/// Makes workers as the service has them.
let forks = ForkServer(executable: host)

extension Workshop {
    struct Outcome {
        let report: WorkReport
        let directory: URL

        var made: Made {
            get throws {
                guard case .made(let made) = report else { throw Unmade(report: report) }
                return made
            }
        }

        var refusal: WorkReport.Refusal? {
            guard case .refused(let refusal) = report else { return nil }
            return refusal
        }

        func rendition(_ name: String, _ mime: String) throws -> Made.Rendition {
            try #require(try made.renditions.first { $0.name == name && $0.mime == mime })
        }

        func bytes(_ rendition: Made.Rendition) throws -> Data {
            try Data(contentsOf: directory.appending(path: rendition.file))
        }

        /// All that was written.
        func written() throws -> [Data] {
            try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil).map {
                try Data(contentsOf: $0)
            }
        }
    }

    struct Unmade: Error {
        let report: WorkReport
    }

    func work(
        _ bytes: Data,
        named name: String = "upload",
        purpose: WorkOrder.Purpose = .attachment,
        focus: WorkOrder.Focus? = nil,
        limits: WorkOrder.Limits = WorkOrder.Limits()
    ) async throws -> Outcome {
        let directory = try emptyDirectory()
        let order = WorkOrder(
            input: try write(bytes, name),
            directory: directory.path,
            purpose: purpose,
            focus: focus,
            limits: limits
        )
        return Outcome(
            report: try await WorkerProcess(executable: host, server: forks).run(order),
            directory: directory
        )
    }

    /// The colour of one point of a picture or of the first frame of a film.
    func colour(of file: URL, atX x: Int, y: Int) throws -> [UInt8] {
        let output = try Program.run(
            "/usr/bin/ffmpeg",
            [
                "-loglevel", "error", "-nostdin", "-i", file.path, "-vf", "format=rgb24,crop=1:1:\(x):\(y)",
                "-frames:v", "1", "-f",
                "rawvideo", "-pix_fmt", "rgb24", "pipe:1",
            ]
        )
        return Array(output)
    }

    /// The streams of a file, each as `kind,codec`.
    func streams(of file: URL) throws -> [String] {
        let output = try Program.run(
            "/usr/bin/ffprobe",
            ["-loglevel", "error", "-of", "csv=p=0", "-show_entries", "stream=codec_type,codec_name", file.path]
        )
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
    }
}
