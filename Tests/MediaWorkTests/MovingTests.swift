// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaWork
import Testing

@Suite struct MovingTests {
    @Test(arguments: ["a.gif", "a.webp"])
    func makesAFilmOfAnAnimation(_ name: String) async throws {
        let shop = try Workshop()
        let outcome = try await shop.work(shop.animation(name))
        let made = try outcome.made
        #expect(made.kind == .gifv && made.width == 64 && made.height == 48 && made.blurhash != nil)
        #expect(abs((made.duration ?? 0) - 1) < 0.05)
        let film = try outcome.rendition("original", "video/mp4")
        let place = outcome.directory.appending(path: film.file)
        #expect(try shop.streams(of: place) == ["h264,video"])
        let probed = try Program.run(
            "/usr/bin/ffprobe",
            ["-loglevel", "error", "-of", "csv=p=0", "-show_entries", "format=duration", place.path]
        )
        let seconds = try #require(
            Double(String(decoding: probed, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        )
        #expect(abs(seconds - 1) < 0.11)
        #expect(try outcome.bytes(film).prefix(200).range(of: Data("moov".utf8)) != nil)
        let animated = try outcome.bytes(outcome.rendition("animated", "image/webp"))
        #expect(animated.count { _ in true } > 0 && animated.ranges(of: Data("ANMF".utf8)).count == 10)
        #expect(Content(try outcome.bytes(outcome.rendition("medium", "image/jpeg"))) == .jpeg)
    }

    @Test func givesFramesTheirTime() async throws {
        let shop = try Workshop()
        // Three frames of 0 (which browsers show for 100 ms), 300 and 50 ms.
        let outcome = try await shop.work(Planted.gif(delays: [0, 30, 5]))
        #expect(try outcome.made.duration == 0.45)
        let film = outcome.directory.appending(path: try outcome.rendition("original", "video/mp4").file)
        let frames = try Program.run(
            "/usr/bin/ffprobe",
            [
                "-loglevel", "error", "-of", "csv=p=0", "-count_frames", "-show_entries", "stream=nb_read_frames",
                film.path,
            ]
        )
        #expect(String(decoding: frames, as: UTF8.self).hasPrefix("9"))
    }

    @Test func keepsAFilmThatIsReadyAsItIs() async throws {
        let shop = try Workshop()
        let outcome = try await shop.work(shop.video("a.mp4", "-c:v", "libx264", "-c:a", "aac"))
        let made = try outcome.made
        #expect(made.kind == .video && made.mime == "video/mp4" && made.width == 128 && made.height == 96)
        #expect(abs((made.duration ?? 0) - 2) < 0.1)
        let original = outcome.directory.appending(path: try outcome.rendition("original", "video/mp4").file)
        #expect(try shop.streams(of: original) == ["aac,audio", "h264,video"])
        func frames(_ path: String) throws -> String {
            String(
                decoding: try Program.run(
                    "/usr/bin/ffmpeg",
                    ["-loglevel", "error", "-nostdin", "-i", path, "-map", "0:v", "-f", "md5", "pipe:1"]
                ),
                as: UTF8.self
            )
        }
        #expect(try frames(original.path) == frames(shop.path("a.mp4")))
        #expect(Content(try outcome.bytes(outcome.rendition("small", "image/webp"))) == .webp)
    }

    @Test func convertsTheRest() async throws {
        let shop = try Workshop()
        for bytes in [
            try shop.video("a.webm", "-c:v", "libvpx", "-c:a", "libopus"),
            try shop.video("a.mov", "-c:v", "libx265", "-x265-params", "log-level=none", "-c:a", "pcm_s16le"),
            try shop.video("b.mov", "-c:v", "mjpeg"),
        ] {
            let outcome = try await shop.work(bytes)
            let original = outcome.directory.appending(path: try outcome.rendition("original", "video/mp4").file)
            #expect(try shop.streams(of: original) == ["aac,audio", "h264,video"])
        }
    }

    @Test func makesALargeFilmSmaller() async throws {
        let shop = try Workshop()
        let made = try await shop.work(shop.video("a.mp4", "-preset", "ultrafast", "-t", "0.3", size: "2560x1440")).made
        #expect(made.width == 1920 && made.height == 1080)
    }

    @Test func showsATurnedFilmUpright() async throws {
        let shop = try Workshop()
        _ = try shop.video("a.mp4", "-c:v", "libx264", "-c:a", "aac")
        let turned = try shop.film("-i", shop.path("a.mp4"), "-metadata:s:v", "rotate=90", "-c", "copy", "b.mp4")
        let made = try await shop.work(turned).made
        #expect(made.width == 96 && made.height == 128)
        #expect(made.renditions.allSatisfy { $0.width == 96 && $0.height == 128 })
    }

    @Test func keepsSoundWithoutAFilm() async throws {
        let shop = try Workshop()
        for (bytes, mime, made) in [
            (try shop.sound("a.mp3"), "audio/mpeg", "audio/mpeg"), (try shop.sound("a.m4a"), "audio/mp4", "audio/mp4"),
            (try shop.sound("a.ogg"), "audio/ogg", "audio/mp4"),
        ] {
            let outcome = try await shop.work(bytes)
            let report = try outcome.made
            #expect(report.kind == .audio && report.mime == mime && report.width == nil && report.blurhash == nil)
            #expect(abs((report.duration ?? 0) - 2) < 0.1)
            #expect(report.renditions.map(\.mime) == [made])
        }
    }

    @Test func refusesWhatIsTooLong() async throws {
        let shop = try Workshop()
        var limits = WorkOrder.Limits()
        limits.videoSeconds = 1
        limits.audioSeconds = 1
        limits.frames = 9
        for bytes in [try shop.video("a.mp4"), try shop.sound("a.mp3"), try shop.animation("a.gif")] {
            #expect(try await shop.work(bytes, limits: limits).refusal == .tooLarge)
        }
        limits = WorkOrder.Limits()
        limits.animationSeconds = 0.9
        #expect(try await shop.work(shop.animation("a.webp"), limits: limits).refusal == .tooLarge)
        #expect(try await shop.work(shop.video("a.mp4"), purpose: .avatar).refusal == .unsupported)
    }
}
