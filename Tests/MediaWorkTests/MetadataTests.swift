// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaWork
import Testing

/// Whatever a file says of who made it, where and when stays behind.
@Suite struct MetadataTests {
    private static let secret = Data(Planted.secret.utf8)

    private func expectClean(
        _ outcome: Workshop.Outcome,
        _ secrets: Data...,
        sourceLocation: SourceLocation = #_sourceLocation
    )
        throws
    {
        let made = try outcome.made
        let files = try outcome.written()
        #expect(Set(made.renditions.map(\.file)).count == files.count, sourceLocation: sourceLocation)
        for secret in [Self.secret] + secrets {
            #expect(!files.contains { $0.range(of: secret) != nil }, sourceLocation: sourceLocation)
        }
        for file in files where [.jpeg, .png, .webp].contains(Content(file)) {
            for name in ["Exif", "EXIF", "eXIf", "XMP ", "http://ns.adobe.com", "Photoshop", "tEXt", "iCCP", "ICCP"] {
                #expect(file.range(of: Data(name.utf8)) == nil, "\(name)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test func staysOutOfPictures() async throws {
        let shop = try Workshop()
        let planted = [
            Planted.jpeg(try shop.picture("a.jpg")), Planted.png(try shop.picture("a.png")),
            Planted.webp(try shop.picture("a.webp"), 64, 48), Planted.gif(try shop.animation("a.gif")),
        ]
        for bytes in planted {
            #expect(bytes.range(of: Self.secret) != nil)
            try expectClean(await shop.work(bytes))
            try expectClean(await shop.work(bytes, purpose: .avatar))
        }
    }

    @Test func staysOutOfWhatTelephonesTake() async throws {
        let shop = try Workshop()
        _ = try shop.write(Workshop.heic, "a.heic")
        _ = try shop.avif()
        for name in ["a.heic", "a.avif"] {
            // Where an unknown box may stand, and what follows a file.
            let file = try Data(contentsOf: shop.directory.appending(path: name))
            let planted = Planted.join(file, Planted.big(Self.secret.count + 8, 4), Planted.text("free"), Self.secret)
            try expectClean(await shop.work(planted))
        }
    }

    @Test func staysOutOfFilms() async throws {
        let shop = try Workshop()
        let tags = [
            "-metadata", "location=\(Planted.secret)", "-metadata", "comment=\(Planted.secret)", "-metadata:s:v",
            "title=\(Planted.secret)", "-metadata:s:v", "handler_name=\(Planted.secret)", "-metadata:s:a",
            "handler_name=\(Planted.secret)",
        ]
        _ = try shop.video("plain.mp4", "-c:v", "libx264", "-c:a", "aac")
        let spoken = "h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+\(Planted.secret)"
        let formats = [
            "a.mp4": ["-c", "copy", "-bsf:v", spoken, "-movflags", "use_metadata_tags"],
            "a.webm": ["-c:v", "libvpx", "-c:a", "libopus"],
        ]
        for (name, options) in formats {
            let input = ["-loglevel", "error", "-nostdin", "-y", "-i", shop.path("plain.mp4")]
            try Program.run("/usr/bin/ffmpeg", input + options + tags + [shop.path(name)])
        }
        for name in ["a.mp4", "a.webm"] {
            let bytes = try Data(contentsOf: shop.directory.appending(path: name))
            #expect(bytes.ranges(of: Self.secret).count > 2)
            let outcome = try await shop.work(bytes)
            try expectClean(outcome)
            let film = try outcome.bytes(outcome.rendition("original", "video/mp4"))
            #expect(film.range(of: Data("Lavf".utf8)) == nil)
        }
    }

    @Test func staysOutOfSounds() async throws {
        let shop = try Workshop()
        _ = try shop.sound("a.wav")
        _ = try shop.picture("cover.jpg")
        for name in ["a.mp3", "a.m4a", "a.ogg"] {
            let bytes = try shop.film(
                "-i",
                shop.path("a.wav"),
                "-metadata",
                "title=\(Planted.secret)",
                "-metadata",
                "comment=\(Planted.secret)",
                name
            )
            #expect(bytes.range(of: Self.secret) != nil)
            try expectClean(await shop.work(bytes))
            // The first version of ID3 stands at the end.
            let tag = Planted.join(Planted.text("TAG"), Self.secret, Data(count: 128 - 3 - Self.secret.count))
            try expectClean(await shop.work(Planted.join(bytes, tag)))
        }
        let covered = try shop.film(
            "-i",
            shop.path("a.wav"),
            "-i",
            shop.path("cover.jpg"),
            "-map",
            "0",
            "-map",
            "1",
            "-disposition:v",
            "attached_pic",
            "-id3v2_version",
            "3",
            "covered.mp3"
        )
        let outcome = try await shop.work(covered)
        #expect(try outcome.made.kind == .audio)
        try expectClean(outcome, Data("APIC".utf8))
    }
}
