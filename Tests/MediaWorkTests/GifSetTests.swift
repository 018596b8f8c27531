// SPDX-License-Identifier: Apache-2.0
// What is made of a file for the catalogue of GIFs.

import Foundation
import MediaWork
import Testing

@Suite struct GifSetTests {
    private static let stills = [
        "original_still", "fixed_height_still", "fixed_height_small_still", "fixed_width_still",
        "fixed_width_small_still",
    ]

    private static let moving = [
        "gif", "fixed_height", "fixed_height_downsampled", "fixed_height_small", "fixed_width",
        "fixed_width_downsampled",
        "fixed_width_small", "preview_gif",
    ]

    /// How many frames a file has, and how large they are, by ffprobe.
    private func look(_ outcome: Workshop.Outcome, _ rendition: Made.Rendition) throws -> (frames: Int, size: String) {
        let output = try Program.run(
            "/usr/bin/ffprobe",
            [
                "-loglevel", "error", "-of", "csv=p=0:s=x", "-count_frames", "-show_entries",
                "stream=width,height,nb_read_frames", outcome.directory.appending(path: rendition.file).path,
            ]
        )
        let parts = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            .split(separator: "x")
        return (Int(parts.last ?? "") ?? 0, parts.dropLast().joined(separator: "x"))
    }

    private func expectSet(_ outcome: Workshop.Outcome, moves: Bool) throws {
        let made = try outcome.made
        #expect(made.kind == .gifv)
        for name in Self.stills + Self.moving {
            let rendition = try outcome.rendition(name, "image/gif")
            let seen = try look(outcome, rendition)
            #expect(seen.size == "\(rendition.width ?? 0)x\(rendition.height ?? 0)", "\(name)")
            let isMoving = moves && Self.moving.contains(name)
            #expect(isMoving ? seen.frames > 1 : seen.frames == 1, "\(name): \(seen.frames) frames")
            if name.hasSuffix("_downsampled") { #expect(seen.frames <= 6) }
        }
        for (name, wide, high) in [
            ("fixed_height", nil, 200), ("fixed_height_small", nil, 100), ("fixed_width", 200, nil),
            ("fixed_width_small", 100, nil),
        ] as [(String, Int?, Int?)] {
            let rendition = try outcome.rendition(name, "image/gif")
            if let wide { #expect(rendition.width == wide, "\(name)") }
            if let high { #expect(rendition.height == high, "\(name)") }
        }
        for name in ["original", "fixed_height", "fixed_width", "looping"] {
            let film = try outcome.rendition(name, "video/mp4")
            #expect(try look(outcome, film).size == "\(film.width ?? 0)x\(film.height ?? 0)", "\(name)")
        }
        #expect(try outcome.rendition("preview_gif", "image/gif").bytes < 50_000)
        #expect(try outcome.rendition("preview_webp", "image/webp").bytes < 50_000)
        for (name, limit) in [("preview", 50_000), ("downsized_small", 200_000)] {
            if let film = made.renditions.first(where: { $0.name == name }) { #expect(film.bytes < limit, "\(name)") }
        }
        let whole = try outcome.rendition("gif", "image/gif").bytes
        let downsized = made.renditions.first { $0.name == "downsized" }
        #expect(whole < 2_000_000 ? downsized == nil : (downsized?.bytes ?? .max) < 2_000_000)
        for rendition in made.renditions { #expect(try outcome.bytes(rendition).count == Int(rendition.bytes)) }
    }

    @Test(arguments: ["a.gif", "a.webp"]) func ofAnAnimation(_ name: String) async throws {
        let shop = try Workshop()
        let outcome = try await shop.work(shop.animation(name), purpose: .gif)
        try expectSet(outcome, moves: true)
        #expect(try look(outcome, outcome.rendition("gif", "image/gif")).frames == 10)
        #expect(abs((try outcome.made.duration ?? 0) - 1) < 0.05)
    }

    @Test func ofAFilm() async throws {
        let shop = try Workshop()
        for (name, options) in [("a.mp4", ["-c:v", "libx264"]), ("a.webm", ["-c:v", "libvpx"])] {
            let outcome = try await shop.work(shop.video(name, options[0], options[1]), purpose: .gif)
            try expectSet(outcome, moves: true)
            #expect(try outcome.made.mime == (name == "a.mp4" ? "video/mp4" : "video/webm"))
            let original = outcome.directory.appending(path: try outcome.rendition("original", "video/mp4").file)
            #expect(try shop.streams(of: original) == ["h264,video"])
        }
    }

    @Test func ofAPictureThatDoesNotMove() async throws {
        let shop = try Workshop()
        for name in ["a.png", "a.jpg"] {
            try expectSet(try await shop.work(shop.picture(name), purpose: .gif), moves: false)
        }
    }

    /// A sticker stays transparent.
    @Test func keepsWhatIsTransparent() async throws {
        let shop = try Workshop()
        let sticker = try shop.film(
            "-f",
            "lavfi",
            "-i",
            "color=red@0:size=64x64,format=rgba",
            "-frames:v",
            "1",
            "sticker.png"
        )
        let outcome = try await shop.work(sticker, purpose: .gif)
        let gif = outcome.directory.appending(path: try outcome.rendition("fixed_width", "image/gif").file)
        let output = try Program.run(
            "/usr/bin/ffmpeg",
            [
                "-loglevel", "error", "-nostdin", "-i", gif.path, "-vf", "format=rgba,crop=1:1:9:9", "-frames:v", "1",
                "-f", "rawvideo", "-pix_fmt", "rgba", "pipe:1",
            ]
        )
        #expect(output.last == 0)
    }

    /// Noise, of which nothing can be packed, still becomes small enough.
    @Test func whatIsLargeIsMadeSmaller() async throws {
        let shop = try Workshop()
        let noise = try shop.film(
            "-f",
            "lavfi",
            "-i",
            "nullsrc=size=480x360:rate=10:duration=2.4,geq=random(1)*255:128:128",
            "noise.gif"
        )
        #expect(noise.count > 2_000_000)
        let outcome = try await shop.work(noise, purpose: .gif)
        try expectSet(outcome, moves: true)
        #expect(try outcome.rendition("downsized_still", "image/gif").bytes > 0)
    }

    /// A line four points high has renditions, too, none of them absurdly long.
    @Test func ofALine() async throws {
        let shop = try Workshop()
        let line = try shop.film(
            "-f",
            "lavfi",
            "-i",
            "color=blue:size=640x4:rate=5:duration=1",
            "-pix_fmt",
            "rgb24",
            "line.gif"
        )
        let outcome = try await shop.work(line, purpose: .gif)
        for rendition in try outcome.made.renditions {
            #expect(max(rendition.width ?? 0, rendition.height ?? 0) <= 800, "\(rendition.name)")
            #expect(min(rendition.width ?? 0, rendition.height ?? 0) >= 1, "\(rendition.name)")
        }
    }

    @Test func nothingOfTheUploadIsLeft() async throws {
        let shop = try Workshop()
        let source = try shop.animation("a.gif")
        let secret = Data(Planted.secret.utf8)
        // A comment (GIF89a, section 24) before the first frame's blocks would end the header; behind the end it is ignored.
        let planted = source.dropLast() + Data([0x21, 0xFE, UInt8(secret.count)]) + secret + Data([0, 0x3B])
        let outcome = try await shop.work(planted, purpose: .gif)
        for file in try outcome.written() { #expect(file.range(of: secret) == nil) }
    }

    @Test func refusesSound() async throws {
        let shop = try Workshop()
        #expect(try await shop.work(shop.sound("a.mp3"), purpose: .gif).refusal == .unsupported)
    }
}
