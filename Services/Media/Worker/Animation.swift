// SPDX-License-Identifier: Apache-2.0
// A picture that moves.

import CVips
import MediaWork

/// Makes a film without sound, an animated picture and stills of a picture of several frames, and what the catalogue of GIFs
/// shows of any picture.
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
    /// Whether there are several frames that are read as such; otherwise the first is all.
    let moves: Bool

    func made() throws -> Made {
        let pixels = header.width * header.height
        let count = moves ? header.frames : 1
        guard
            count <= order.limits.frames, pixels <= order.limits.pixels,
            !moves || pixels * count <= order.limits.animatedPixels
        else { throw WorkReport.Refusal.tooLarge }
        let strip = try source()
        let size = moves ? Size(header.width, header.height) : Size(strip.width, strip.height)
        let delays = delays(of: strip, count)
        let milliseconds = delays.reduce(0, +)
        guard Double(milliseconds) / 1000 <= order.limits.animationSeconds else { throw WorkReport.Refusal.tooLarge }

        var files = Renditions(in: order.directory)
        let film = size.within(Self.filmSide, Self.filmSide).even
        let step = step(of: delays)
        let encoder = try FFmpeg.encode(size: film, step: step, into: files.path("original.mp4"))
        let frames = try FrameStrip(size: smallSize(size, count), count: count)
        let gifs = order.purpose == .gif ? try GifSet(size: size, delays: delays) : nil
        var still: Picture?
        var shown = 0
        var end = 0
        for (index, delay) in delays.enumerated() {
            let frame = try strip.area(0, index * size.height, size.width, size.height).points()
            if still == nil { still = try frame.withoutNeedlessTransparency() }
            try frames.append(frame, for: delay)
            try gifs?.append(frame, at: index)
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
        try files.add(WebP(frames.frames()), as: "animated", duration: duration)
        try files.addPreviews(of: still)
        try gifs?.write(into: &files, film: film, duration: duration)
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

    /// All frames, one below the other.
    private func source() throws -> Picture {
        guard moves else {
            let side = Int32(Self.filmSide)
            return try Picture { madang_vips_shrunk(order.input, &$0, side, side, header.hasProfile ? 1 : 0) }.points()
        }
        return try Picture {
            content == .webp ? madang_vips_webp_frames(order.input, &$0) : madang_vips_gif_frames(order.input, &$0)
        }
    }

    /// Milliseconds of each frame.
    private func delays(of strip: Picture, _ frames: Int) -> [Int] {
        var values: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        let known = vips_image_get_array_int(strip.image, "delay", &values, &count) == 0 ? Int(count) : 0
        return (0..<frames).map { frame in
            guard let values, frame < known, values[frame] >= Self.shortestDelay else { return Self.commonDelay }
            return Int(values[frame])
        }
    }

    /// The time that all delays are multiples of, or nearly.
    private func step(of delays: [Int]) -> Int {
        func common(_ a: Int, _ b: Int) -> Int { b == 0 ? a : common(b, a % b) }
        return max(Self.shortestDelay, delays.reduce(0, common))
    }

    private func smallSize(_ size: Size, _ count: Int) -> Size {
        let share = Self.picturePixels / Double(count)
        let ratio = min(
            1,
            Self.pictureSide / Double(max(size.width, size.height)),
            (share / (Double(size.width) * Double(size.height))).squareRoot()
        )
        return size.scaled(ratio)
    }
}
