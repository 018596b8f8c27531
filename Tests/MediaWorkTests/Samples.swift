// SPDX-License-Identifier: Apache-2.0
// Files of every kind, made anew.

import Foundation
import MediaWork
import Testing

/// A directory of a test's own, gone when it ends.
final class Workshop {
    let directory: URL
    private var made = 0

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "media-\(UUID())").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func path(_ name: String) -> String { directory.appending(path: name).path }

    func write(_ bytes: Data, _ name: String) throws -> String {
        try bytes.write(to: directory.appending(path: name))
        return path(name)
    }

    func emptyDirectory() throws -> URL {
        made += 1
        let empty = directory.appending(path: "made-\(made)")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        return empty
    }

    /// What ffmpeg makes of these arguments; the last is the name of the file.
    func film(_ arguments: String...) throws -> Data {
        let name = try #require(arguments.last)
        try Program.run(
            "/usr/bin/ffmpeg",
            ["-loglevel", "error", "-nostdin", "-y"] + arguments.dropLast() + [path(name)]
        )
        return try Data(contentsOf: directory.appending(path: name))
    }

    /// A still picture in the format of the name's extension.
    func picture(_ name: String, _ width: Int = 64, _ height: Int = 48) throws -> Data {
        try film("-f", "lavfi", "-i", "testsrc2=size=\(width)x\(height)", "-frames:v", "1", "-threads", "1", name)
    }

    /// Four quarters: red, green; blue, white.
    func quarters(_ name: String, _ width: Int = 320, _ height: Int = 160) throws -> Data {
        let part = "\(width / 2)x\(height / 2)"
        return try film(
            "-f",
            "lavfi",
            "-i",
            "color=red:size=\(part)",
            "-f",
            "lavfi",
            "-i",
            "color=lime:size=\(part)",
            "-f",
            "lavfi",
            "-i",
            "color=blue:size=\(part)",
            "-f",
            "lavfi",
            "-i",
            "color=white:size=\(part)",
            "-filter_complex",
            "[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack",
            "-frames:v",
            "1",
            "-q:v",
            "1",
            "-pix_fmt",
            name.hasSuffix("png") ? "rgb24" : "yuvj444p",
            name
        )
    }

    func animation(_ name: String) throws -> Data {
        try film("-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1", name)
    }

    func video(_ name: String, _ options: String..., size: String = "128x96") throws -> Data {
        var arguments = ["-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i"]
        arguments += ["testsrc2=size=\(size):rate=10:duration=2", "-f", "lavfi", "-i", "sine=440:duration=2"]
        arguments += ["-pix_fmt", "yuv420p"]
        try Program.run("/usr/bin/ffmpeg", arguments + options + [path(name)])
        return try Data(contentsOf: directory.appending(path: name))
    }

    func sound(_ name: String) throws -> Data { try film("-f", "lavfi", "-i", "sine=440:duration=2", name) }

    /// A file of each kind that is taken.
    func everyKind() throws -> [(name: String, bytes: Data)] {
        [
            ("a.jpg", try picture("a.jpg")), ("a.png", try picture("a.png")), ("a.webp", try picture("a.webp")),
            ("a.gif", try animation("a.gif")), ("a.heic", Self.heic), ("a.avif", try avif()),
            ("a.mp4", try video("a.mp4")), ("a.mov", try video("a.mov")),
            ("a.webm", try video("a.webm", "-c:v", "libvpx")),
            ("a.mp3", try sound("a.mp3")), ("a.m4a", try sound("a.m4a")), ("a.ogg", try sound("a.ogg")),
        ]
    }

    func avif() throws -> Data {
        try film(
            "-f",
            "lavfi",
            "-i",
            "testsrc2=size=48x32",
            "-frames:v",
            "1",
            "-c:v",
            "libaom-av1",
            "-still-picture",
            "1",
            "-cpu-used",
            "8",
            "a.avif"
        )
    }

    /// 48x32, made by libheif's own encoder.
    static let heic =
        Data(
            base64Encoded: """
                AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
                AA5waXRtAAAAAAACAAAAEGlkYXQAAAAAADAAIAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAABegACAAEAAAAAAAAA\
                AQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAA\
                ALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQED\
                cAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlz\
                cGUAAAAAAAAAMAAAACAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGlt\
                ZwACAAEAAQAAAYJtZGF0AAABdigBrxmAv5vXFwgRVqoHcAT7sxTlR260by7LPRGykOxi5YFBH7o8bWYSiQp89Fpv9yeP7fc2mBHg\
                AR1VT0abY6Vj4Z/IXsSJ5Zx71gPQtxIkZvqkMYaASsHNrZW0YJphk7uy7DCsWXCBmgIX1Y2ojnoMjbEuirTfz5qS+Vp+WNEojj4R\
                MG9VP3ufJ8NaqDM4ngTHNfm4v5hKI8edRA7Igxef6PewA0V/CnqazkrPh0LgnZcX97Fw1ya/6ul9uf2i2jsUa7TfjseTYIe8098L\
                V98VKCjdthj8xR/P+JNIRi/cNHfzBCWptzCy0JS049XgEw1lsq9HPA/11D2feEEm+siNkeW+TwyMqrNOiu46AoUmh39hEseVFqm7\
                kSNBEXi5f7h+xsgvFiiLgdlVZMrYPYHI7n+H0PBVYljdFO/cENmyjVgThDfUJSMm8eGULyZWWSZNynC3oYpbKtbqgXCtwl8kMsYf\
                fdsIgLecNqmjRezw295XrIOA
                """
        ) ?? Data()
}

/// A program that must end well.
enum Program {
    struct Failed: Error {
        let program: String
        let code: Int32
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(program: program, code: process.terminationStatus) }
        return bytes
    }
}
