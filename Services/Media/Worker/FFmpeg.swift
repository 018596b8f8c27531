// SPDX-License-Identifier: Apache-2.0
// Debian's ffmpeg and ffprobe, as programs.

import CConfinement
import FoundationEssentials
import Glibc
import MediaWork

enum FFmpeg {
    /// No more than this of a program's output is kept: a frame of 1280x1280.
    private static let longestOutput = 8 << 20

    /// Where a film is read from: never from what a film names, and only by the reader that its content calls for.
    struct Input {
        let path: String
        /// A reader of ffmpeg's.
        let format: String

        fileprivate var arguments: [String] {
            [
                "-protocol_whitelist", "file,pipe", "-format_whitelist", format, "-codec_whitelist", codecs,
                "-f", format, "-i", "file:\(path)",
            ]
        }

        private var codecs: String { (FFmpeg.videoCodecs + FFmpeg.audioCodecs + FFmpeg.besides).joined(separator: ",") }
    }

    /// What is decoded. The rest of what ffmpeg knows is of no use here.
    static let videoCodecs = [
        "h264", "hevc", "mpeg4", "vp8", "vp9", "libvpx", "libvpx-vp9", "av1", "libdav1d", "mjpeg",
    ]
    static let audioCodecs = [
        "aac", "mp3", "mp3float", "opus", "libopus", "vorbis", "libvorbis", "flac", "alac", "pcm_s16le", "pcm_s16be",
        "pcm_s24le", "pcm_s24be", "pcm_f32le",
    ]

    /// Covers and subtitles, which are left out: ffprobe ends at the first stream that it may not open.
    private static let besides = ["png", "mov_text", "cc_dec", "webvtt", "srt", "subrip", "ass", "ssa"]

    /// Nothing of what a film says of itself, and nothing of who wrote it.
    static let nameless = [
        "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a",
        "+bitexact",
    ]

    static let h264 = [
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-maxrate", "6M", "-bufsize", "12M", "-pix_fmt",
        "yuv420p",
        "-threads:v", "2",
    ]

    /// Converts a file, and hands back what was written to standard output.
    ///
    /// - Parameter loops: how often it is read again from its beginning.
    @discardableResult
    static func convert(
        _ input: Input,
        seek: Double? = nil,
        loops: Int = 0,
        _ arguments: [String]
    ) throws -> Data {
        let seeking = seek.map { ["-ss", "\($0)"] } ?? []
        let looping = loops > 0 ? ["-stream_loop", "\(loops)"] : []
        return try run(
            "/usr/bin/ffmpeg",
            ["-hide_banner", "-loglevel", "quiet", "-nostdin", "-y", "-threads", "2"] + seeking + looping
                + input.arguments + arguments
        )
    }

    static func probe(_ input: Input) throws -> Probe {
        let entries =
            "format=duration:stream=index,codec_type,codec_name,width,height,pix_fmt,duration,avg_frame_rate"
            + ":stream_disposition=attached_pic:stream_side_data=rotation"
        let output = try run(
            "/usr/bin/ffprobe",
            ["-hide_banner", "-loglevel", "quiet", "-of", "json", "-show_entries", entries] + input.arguments
        )
        guard let probe = try? JSONDecoder().decode(Probe.self, from: output) else { throw WorkReport.Refusal.damaged }
        return probe
    }

    /// Starts to make a film of points of three bytes, a frame every `step` milliseconds.
    static func encode(size: Size, step: Int, into path: String) throws -> Encoder {
        let (reading, writing) = try pipe()
        defer { close(reading) }
        let arguments =
            [
                "-hide_banner", "-loglevel", "quiet", "-protocol_whitelist", "file,pipe", "-f", "rawvideo", "-pix_fmt",
                "rgb24", "-video_size", "\(size.width)x\(size.height)", "-framerate", "1000/\(step)", "-i", "pipe:0",
                "-an",
            ] + h264 + nameless + ["-movflags", "+faststart", "-f", "mp4", "file:\(path)"]
        let process = try start("/usr/bin/ffmpeg", arguments, input: reading, output: -1)
        return Encoder(input: writing, process: process)
    }

    struct Encoder {
        let input: Int32
        fileprivate let process: pid_t

        func finish() throws {
            close(input)
            try FFmpeg.wait(for: process)
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let (reading, writing) = try pipe()
        defer { close(reading) }
        let process: pid_t
        do {
            defer { close(writing) }
            process = try start(program, arguments, input: -1, output: writing)
        }
        var output = Data()
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while output.count <= longestOutput {
            let count = read(reading, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output.append(contentsOf: part.prefix(count))
        }
        guard output.count <= longestOutput else {
            kill(process, SIGKILL)
            try? wait(for: process)
            throw WorkReport.Refusal.tooLarge
        }
        try wait(for: process)
        return output
    }

    private static func start(_ program: String, _ arguments: [String], input: Int32, output: Int32) throws -> pid_t {
        let texts = ([program] + arguments).map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        let process = confinement_start(program, texts, input, output)
        guard process > 0 else { throw WorkFailed.cannotStart }
        return process
    }

    /// A program that does not end well was given a file that it cannot read, or one that costs too much.
    private static func wait(for process: pid_t) throws {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw WorkFailed.cannotStart }
        }
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        if signal == SIGXCPU || signal == SIGKILL { throw WorkReport.Refusal.tooLarge }
        if signal == 0, code == 126 || code == 127 { throw WorkFailed.cannotStart }
        guard signal == 0, code == 0 else { throw WorkReport.Refusal.damaged }
    }

    private static func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard confinement_pipe(&ends) == 0 else { throw WorkFailed.cannotStart }
        return (ends[0], ends[1])
    }
}

/// What ffprobe says of a file.
struct Probe: Decodable {
    struct Stream: Decodable {
        struct Disposition: Decodable {
            let attached_pic: Int?
        }
        struct SideData: Decodable {
            let rotation: Int?
        }

        let index: Int
        let codec_type: String?
        let codec_name: String?
        let width: Int?
        let height: Int?
        let pix_fmt: String?
        let duration: String?
        let avg_frame_rate: String?
        let disposition: Disposition?
        let side_data_list: [SideData]?

        /// As it is shown.
        var size: Size? {
            guard let width, let height, width > 0, height > 0 else { return nil }
            let turned = side_data_list?.contains { abs($0.rotation ?? 0) % 180 == 90 } ?? false
            return turned ? Size(height, width) : Size(width, height)
        }
    }

    struct Format: Decodable {
        let duration: String?
    }

    let streams: [Stream]?
    let format: Format?

    /// The first that is no cover.
    var video: Stream? { streams?.first { $0.codec_type == "video" && $0.disposition?.attached_pic != 1 } }
    var audio: Stream? { streams?.first { $0.codec_type == "audio" } }

    /// Seconds; nothing if the file does not say, or says nonsense.
    var duration: Double? {
        let told = [format?.duration, video?.duration, audio?.duration].compactMap { $0.flatMap(Double.init) }
        return told.first { $0.isFinite && $0 > 0 }
    }
}
