// SPDX-License-Identifier: Apache-2.0
// Frames of a moving picture in memory.

import CVips
import Glibc
import MediaWork

/// Frames one below the other, and the milliseconds that each is shown.
struct Frames {
    let picture: Picture
    let size: Size
    let delays: [Int]

    var count: Int { delays.count }

    func frame(_ index: Int) throws -> Picture {
        try picture.area(0, index * size.height, size.width, size.height).points()
    }

    /// So large and at most so many, evenly chosen; each is shown for those that are left out behind it, too.
    func reduced(to size: Size, atMost limit: Int = .max) throws -> Frames {
        guard size != self.size || limit < count else { return self }
        let kept = max(1, min(limit, count))
        let starts = (0..<kept).map { $0 * count / kept } + [count]
        let strip = try FrameStrip(size: size, count: kept)
        for (start, end) in zip(starts, starts.dropFirst()) {
            try strip.append(frame(start), for: delays[start..<end].reduce(0, +))
        }
        return try strip.frames()
    }
}

/// Memory that frames are put into one after another.
final class FrameStrip {
    private let size: Size
    private let capacity: Int
    private var bytes: UnsafeMutableRawPointer?
    private var delays: [Int] = []

    init(size: Size, count: Int) throws {
        guard let bytes = malloc(size.width * size.height * 4 * count) else { throw WorkFailed.cannotWrite }
        self.size = size
        capacity = count
        self.bytes = bytes
    }

    deinit { free(bytes) }

    /// Adds a frame, in the size of the strip.
    ///
    /// - Parameter delay: milliseconds.
    func append(_ frame: Picture, for delay: Int) throws {
        guard let bytes, delays.count < capacity else { throw WorkFailed.cannotWrite }
        let frame =
            try frame.width == size.width && frame.height == size.height
            ? frame : frame.sized(size.width, size.height)
        let length = size.width * size.height * 4
        let place = UnsafeMutableRawBufferPointer(start: bytes + delays.count * length, count: length)
        let bands = frame.bands
        try frame.withPoints { points in
            if bands == 4 {
                place.copyMemory(from: points)
                return
            }
            for point in 0..<(length / 4) {
                for band in 0..<3 { place[point * 4 + band] = points[point * 3 + band] }
                place[point * 4 + 3] = 255
            }
        }
        delays.append(delay)
    }

    /// What was put in; the memory is theirs from now on.
    func frames() throws -> Frames {
        guard let bytes, !delays.isEmpty else { throw WorkReport.Refusal.damaged }
        self.bytes = nil
        let picture = try Picture(memory: bytes, width: size.width, height: size.height * delays.count, bands: 4)
        return Frames(picture: picture, size: size, delays: delays)
    }
}
