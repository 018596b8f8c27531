// SPDX-License-Identifier: Apache-2.0
// What the catalogue of GIFs shows of one: GIPHY's renditions (https://developers.giphy.com/docs/api/schema/#image-object).

import MediaWork

/// Collects the frames of a picture and makes its renditions: `gif` (the whole, as GIF), `original_still`, `fixed_height` and
/// `fixed_width` with their smaller ones, `downsized` where the whole is 2 MB or more, and previews of less than 50 KB.
final class GifSet {
    /// More are left out evenly.
    private static let mostFrames = 300
    /// The longest side of the whole, and the points of all its frames.
    private static let side = 640.0
    private static let pixels = 32_000_000.0
    /// No picture is so narrow that the other side becomes longer than this.
    private static let longest = 800.0

    private static let downsized = 2_000_000
    private static let downsizedFilm = 200_000
    private static let preview = 50_000

    private let stride: Int
    private let delays: [Int]
    private let whole: FrameStrip
    private let high: FrameStrip
    private let wide: FrameStrip

    /// - Parameter delays: milliseconds of each frame that will come.
    init(size: Size, delays: [Int]) throws {
        self.delays = delays
        stride = max(1, (delays.count + Self.mostFrames - 1) / Self.mostFrames)
        let count = (delays.count + stride - 1) / stride
        let (width, height) = (Double(size.width), Double(size.height))
        let share = (Self.pixels / Double(count) / (width * height)).squareRoot()
        whole = try FrameStrip(size: size.scaled(min(1, Self.side / max(width, height), share)), count: count)
        high = try FrameStrip(size: size.scaled(min(200 / height, Self.longest / width)), count: count)
        wide = try FrameStrip(size: size.scaled(min(200 / width, Self.longest / height)), count: count)
    }

    func append(_ frame: Picture, at index: Int) throws {
        guard index % stride == 0 else { return }
        let delay = delays[index..<min(index + stride, delays.count)].reduce(0, +)
        for strip in [whole, high, wide] { try strip.append(frame, for: delay) }
    }

    /// - Parameter film: the size of the film that is there as `original.mp4`.
    func write(into files: inout Renditions, film: Size, duration: Double) throws {
        let whole = try whole.frames()
        let gif = try Gif(whole)
        try files.add(gif, as: "gif", duration: duration)
        try files.add(Gif(whole.reduced(to: whole.size, atMost: 1)), as: "original_still")
        if gif.count >= Self.downsized { try addDownsized(of: whole, duration, to: &files) }
        let (high, wide) = (try high.frames(), try wide.frames())
        try addSet(high, "fixed_height", small: high.size.scaled(0.5), duration, to: &files)
        try addSet(wide, "fixed_width", small: wide.size.scaled(0.5), duration, to: &files)
        let least = min(whole.size.width, whole.size.height) < 200 ? whole : wide
        try addPreviews(of: least, duration, to: &files)
        let source = FFmpeg.Input(path: files.path("original.mp4"), format: "mov")
        for (name, size) in [("fixed_height", high.size), ("fixed_width", wide.size)] {
            try addFilm(source, name, Coding(size.even, quality: 26), duration, below: .max, to: &files)
        }
        let small = [(480, 26), (360, 30), (240, 32), (160, 36)].map { side, quality in
            Coding(film.within(side, side).even, quality: quality)
        }
        try addFilm(source, "downsized_small", small, duration, below: Int64(Self.downsizedFilm), to: &files)
        let previews = [(200, 30, 3.0), (160, 34, 2), (120, 38, 1)].map { side, quality, seconds in
            Coding(film.within(side, side).even, quality: quality, seconds: seconds)
        }
        try addFilm(source, "preview", previews, duration, below: Int64(Self.preview), to: &files)
        let loops = Coding(film, quality: nil, seconds: 15, loops: Int(min(150, 15 / max(0.1, duration))))
        try addFilm(source, "looping", loops, 15, below: .max, to: &files)
    }

    private func addSet(
        _ frames: Frames,
        _ name: String,
        small: Size,
        _ duration: Double,
        to files: inout Renditions
    ) throws {
        try files.add(Gif(frames), as: name, duration: duration)
        try files.add(WebP(frames), as: name, duration: duration)
        try files.add(Gif(frames.reduced(to: frames.size, atMost: 1)), as: "\(name)_still")
        try files.add(Gif(frames.reduced(to: frames.size, atMost: 6)), as: "\(name)_downsampled", duration: duration)
        let small = try frames.reduced(to: small)
        try files.add(Gif(small), as: "\(name)_small", duration: duration)
        try files.add(Gif(small.reduced(to: small.size, atMost: 1)), as: "\(name)_small_still")
    }

    private func addDownsized(of whole: Frames, _ duration: Double, to files: inout Renditions) throws {
        let (width, height) = (Double(whole.size.width), Double(whole.size.height))
        for (side, frames) in [(480.0, 300), (360, 200), (300, 120), (240, 80), (200, 40), (160, 20), (100, 10)] {
            let size = whole.size.scaled(min(1, side / max(width, height)))
            let reduced = try whole.reduced(to: size, atMost: frames)
            let gif = try Gif(reduced, isCoarse: frames < 200)
            guard gif.count < Self.downsized else { continue }
            try files.add(gif, as: "downsized", duration: duration)
            return try files.add(Gif(reduced.reduced(to: size, atMost: 1)), as: "downsized_still")
        }
    }

    private func addPreviews(of frames: Frames, _ duration: Double, to files: inout Renditions) throws {
        let steps = [(200.0, 24), (200, 12), (160, 10), (120, 8), (100, 6), (80, 5), (64, 4), (48, 1)]
        func first(_ make: (Frames) throws -> any EncodedFrames, as name: String) throws {
            for (side, count) in steps {
                let ratio = min(1, side / Double(max(frames.size.width, frames.size.height)))
                let encoded = try make(frames.reduced(to: frames.size.scaled(ratio), atMost: count))
                if encoded.count < Self.preview { return try files.add(encoded, as: name, duration: duration) }
            }
        }
        try first({ try Gif($0, isCoarse: true) }, as: "preview_gif")
        try first({ try WebP($0) }, as: "preview_webp")
    }

    // MARK: Films

    private struct Coding {
        let size: Size
        /// Nil leaves the film as it is.
        let quality: Int?
        let seconds: Double?
        /// How often it is shown again.
        let loops: Int

        init(_ size: Size, quality: Int?, seconds: Double? = nil, loops: Int = 0) {
            (self.size, self.quality, self.seconds, self.loops) = (size, quality, seconds, loops)
        }

        func arguments(into path: String) -> [String] {
            let video =
                quality.map { ["-vf", "scale=\(size.width):\(size.height)"] + FFmpeg.h264 + ["-crf", "\($0)"] }
                ?? ["-c:v", "copy"]
            return ["-map", "0:v:0", "-an"] + video + (seconds.map { ["-t", "\($0)"] } ?? []) + FFmpeg.nameless
                + ["-movflags", "+faststart", "-f", "mp4", "file:\(path)"]
        }
    }

    /// Adds the first of some films that is small enough; none where none is.
    private func addFilm(
        _ source: FFmpeg.Input,
        _ name: String,
        _ codings: [Coding],
        _ duration: Double,
        below limit: Int64,
        to files: inout Renditions
    ) throws {
        let file = "\(name).mp4"
        for coding in codings {
            try FFmpeg.convert(source, loops: coding.loops, coding.arguments(into: files.path(file)))
            guard try files.bytes(of: file) < limit else { continue }
            return try files.add(
                file,
                as: name,
                mime: "video/mp4",
                width: coding.size.width,
                height: coding.size.height,
                duration: min(duration, coding.seconds ?? duration)
            )
        }
    }

    private func addFilm(
        _ source: FFmpeg.Input,
        _ name: String,
        _ coding: Coding,
        _ duration: Double,
        below limit: Int64,
        to files: inout Renditions
    ) throws { try addFilm(source, name, [coding], duration, below: limit, to: &files) }
}
