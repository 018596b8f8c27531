// SPDX-License-Identifier: Apache-2.0
// A picture that moves.

import CVips
import Glibc
import MediaWork

/// Makes a film without sound, an animated picture and stills of a GIF or WebP of several frames.
///
/// libvips reads the frames and hands their points on: no other program sees the file.
struct Animation {
    /// The longest side of the film.
    private static let filmSide = 1_280
    /// The longest side of the animated picture, and the points of all its frames, which are in memory together.
    private static let pictureSide = 480.0
    private static let picturePixels = 32_000_000.0
    /// Browsers show what asks for less as if it asked for 100 ms.
    private static let shortestDelay = 20
    private static let commonDelay = 100

    let order: WorkOrder
    let content: Content
    let header: Vips.Header

    func made() throws -> Made {
        let pixels = header.width * header.height
        guard
            header.frames <= order.limits.frames, pixels <= order.limits.pixels,
            pixels * header.frames <= order.limits.animatedPixels
        else { throw WorkReport.Refusal.tooLarge }
        let strip = try Picture {
            content == .gif ? madang_vips_gif_frames(order.input, &$0) : madang_vips_webp_frames(order.input, &$0)
        }
        let delays = delays(of: strip)
        let milliseconds = delays.reduce(0, +)
        guard Double(milliseconds) / 1000 <= order.limits.animationSeconds else { throw WorkReport.Refusal.tooLarge }

        var files = Renditions(in: order.directory)
        let size = Size(header.width, header.height)
        let film = size.within(Self.filmSide, Self.filmSide).even
        let step = step(of: delays)
        let encoder = try FFmpeg.encode(size: film, step: step, into: files.path("original.mp4"))
        let small = smallSize(size)
        var frames = try FrameStrip(size: small, count: header.frames)
        var still: Picture?
        var shown = 0
        var end = 0
        for (index, delay) in delays.enumerated() {
            let frame = try strip.area(0, index * header.height, header.width, header.height).points()
            if still == nil { still = try frame.withoutNeedlessTransparency() }
            try frames.append(frame.sized(small.width, small.height))
            end += delay
            let pictures = max(0, (end + step / 2) / step - shown)
            shown += pictures
            try frame.opaque().sized(film.width, film.height).withPoints { points in
                for _ in 0..<pictures where !writeAll(points, to: encoder.input) { throw WorkFailed.cannotWrite }
            }
        }
        try encoder.finish()
        guard let still else { throw WorkReport.Refusal.damaged }
        let duration = Double(milliseconds) / 1000
        try files.add(
            "original.mp4",
            as: "original",
            mime: "video/mp4",
            width: film.width,
            height: film.height,
            duration: duration
        )
        try frames.write(to: files.path("animated.webp"), delays: delays)
        try files.add(
            "animated.webp",
            as: "animated",
            mime: "image/webp",
            width: small.width,
            height: small.height,
            duration: duration
        )
        try files.addPreviews(of: still)
        let look = try Look(of: still)
        return Made(
            kind: .gifv,
            mime: content.mime,
            width: film.width,
            height: film.height,
            duration: duration,
            blurhash: look.blurhash,
            colour: look.colour,
            renditions: files.made
        )
    }

    /// Milliseconds of each frame.
    private func delays(of strip: Picture) -> [Int] {
        var values: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        let known = vips_image_get_array_int(strip.image, "delay", &values, &count) == 0 ? Int(count) : 0
        return (0..<header.frames).map { frame in
            guard let values, frame < known, values[frame] >= Self.shortestDelay else { return Self.commonDelay }
            return Int(values[frame])
        }
    }

    /// The time that all delays are multiples of, or nearly.
    private func step(of delays: [Int]) -> Int {
        func common(_ a: Int, _ b: Int) -> Int { b == 0 ? a : common(b, a % b) }
        return max(Self.shortestDelay, delays.reduce(0, common))
    }

    private func smallSize(_ size: Size) -> Size {
        let share = Self.picturePixels / Double(header.frames)
        let ratio = min(
            1,
            Self.pictureSide / Double(max(size.width, size.height)),
            (share / (Double(size.width) * Double(size.height))).squareRoot()
        )
        return size.scaled(ratio)
    }
}

/// The frames of an animated picture, one below the other.
private struct FrameStrip {
    private let size: Size
    private let count: Int
    private let bytes: UnsafeMutableRawPointer
    private var filled = 0

    init(size: Size, count: Int) throws {
        guard let bytes = malloc(size.width * size.height * 4 * count) else { throw WorkFailed.cannotWrite }
        self.size = size
        self.count = count
        self.bytes = bytes
    }

    mutating func append(_ frame: Picture) throws {
        let place = UnsafeMutableRawBufferPointer(
            start: bytes + filled * size.width * size.height * 4,
            count: size.width * size.height * 4
        )
        let bands = frame.bands
        try frame.withPoints { points in
            if bands == 4 {
                place.copyMemory(from: points)
                return
            }
            for point in 0..<(size.width * size.height) {
                for band in 0..<3 { place[point * 4 + band] = points[point * 3 + band] }
                place[point * 4 + 3] = 255
            }
        }
        filled += 1
    }

    func write(to path: String, delays: [Int]) throws {
        let strip = try Picture(memory: bytes, width: size.width, height: size.height * count, bands: 4)
        try WebP(frames: strip, height: size.height, delays: delays.map { Int32(clamping: $0) }).write(to: path)
    }
}
