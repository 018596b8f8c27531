// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaWork
import Testing

@Suite struct StillTests {
    @Test func makesEverySizeOfAPicture() async throws {
        let shop = try Workshop()
        let outcome = try await shop.work(shop.picture("a.jpg", 1600, 1200))
        let made = try outcome.made
        #expect(made.kind == .image && made.mime == "image/jpeg" && made.width == 1600 && made.height == 1200)
        #expect(made.blurhash?.count == 28 && made.colour?.count == 7 && made.duration == nil)
        let sizes = made.renditions.map { "\($0.name) \($0.mime) \($0.width ?? 0)x\($0.height ?? 0)" }
        #expect(
            sizes == [
                "original image/webp 1600x1200", "original image/jpeg 1600x1200", "large image/webp 1280x960",
                "medium image/webp 640x480", "medium image/jpeg 640x480", "small image/webp 320x240",
                "small image/jpeg 320x240",
            ]
        )
        for rendition in made.renditions {
            let bytes = try outcome.bytes(rendition)
            #expect(bytes.count == Int(rendition.bytes) && Content(bytes)?.mime == rendition.mime)
        }
    }

    @Test func keepsAtMostWhatMastodonKeeps() async throws {
        let shop = try Workshop()
        let made = try await shop.work(shop.picture("a.jpg", 4000, 3000)).made
        let (width, height) = (try #require(made.width), try #require(made.height))
        #expect(width * height <= 8_294_400 && width * height > 8_200_000)
        let wide = try await shop.work(shop.picture("b.png", 12_000, 20)).made
        #expect(wide.width == 8_192 && wide.height == 14)
    }

    @Test func enlargesNothing() async throws {
        let shop = try Workshop()
        let made = try await shop.work(shop.picture("a.png", 100, 70), purpose: .avatar).made
        #expect(made.renditions.allSatisfy { $0.width ?? 0 <= 100 && $0.height ?? 0 <= 70 })
        #expect(Set(made.renditions.map(\.file)).count == 6)
        let point = try await shop.work(Planted.gif(delays: [0]), purpose: .header).made
        #expect(point.renditions.allSatisfy { $0.width == 1 && $0.height == 1 })
    }

    @Test(arguments: 1...8)
    func turnsAPictureAsItsCameraWasHeld(_ orientation: UInt8) async throws {
        let shop = try Workshop()
        let outcome = try await shop.work(Planted.orientation(orientation, in: shop.quarters("a.jpg")))
        let made = try outcome.made
        let (width, height) = orientation < 5 ? (320, 160) : (160, 320)
        #expect(made.width == width && made.height == height)
        let original = outcome.directory.appending(path: try outcome.rendition("original", "image/jpeg").file)
        let corners = try [(8, 8), (width - 8, 8), (8, height - 8), (width - 8, height - 8)].map { x, y in
            let colour = try shop.colour(of: original, atX: x, y: y)
            return colour.map { $0 > 127 ? "1" : "0" }.joined()
        }
        let (red, green, blue, white) = ("100", "010", "001", "111")
        let expected: [[String]] = [
            [red, green, blue, white], [green, red, white, blue], [white, blue, green, red], [blue, white, red, green],
            [red, blue, green, white], [blue, red, white, green], [white, green, blue, red], [green, white, red, blue],
        ]
        #expect(corners == expected[Int(orientation) - 1])
    }

    @Test func keepsTransparency() async throws {
        let shop = try Workshop()
        let bytes = try shop.film(
            "-f",
            "lavfi",
            "-i",
            "color=red@0.5:size=400x400,format=rgba",
            "-frames:v",
            "1",
            "-pix_fmt",
            "rgba",
            "a.png"
        )
        let made = try await shop.work(bytes).made
        #expect(
            made.renditions.map(\.mime).contains("image/png") && !made.renditions.map(\.mime).contains("image/jpeg")
        )
        // A fourth band in which everything is opaque is none.
        let opaque = try shop.film(
            "-f",
            "lavfi",
            "-i",
            "color=red:size=40x40,format=rgba",
            "-frames:v",
            "1",
            "-pix_fmt",
            "rgba",
            "b.png"
        )
        #expect(try await shop.work(opaque).made.renditions.map(\.mime).contains("image/jpeg"))
    }

    @Test func cutsAroundTheFocus() async throws {
        let shop = try Workshop()
        let picture = try shop.quarters("a.png", 1600, 800)
        func corner(_ x: Double, _ y: Double) async throws -> [UInt8] {
            let outcome = try await shop.work(picture, purpose: .avatar, focus: WorkOrder.Focus(x: x, y: y))
            let square = try outcome.rendition("square", "image/jpeg")
            #expect(square.width == 400 && square.height == 400)
            let small = try outcome.rendition("square_small", "image/webp")
            #expect(small.width == 120 && small.height == 120)
            return try shop.colour(of: outcome.directory.appending(path: square.file), atX: 390, y: 10)
                .map { $0 > 127 ? 1 : 0 }
        }
        #expect(try await corner(-1, 0) == [1, 0, 0])
        #expect(try await corner(1, 0) == [0, 1, 0])
        #expect(try await corner(.greatestFiniteMagnitude, -5) == [0, 1, 0])
    }

    @Test(arguments: [(1800, 1800), (2000, 900), (1501, 501), (3999, 1332)])
    func cutsAHeader(_ width: Int, _ height: Int) async throws {
        let shop = try Workshop()
        let made = try await shop.work(shop.picture("a.jpg", width, height), purpose: .header).made
        let header = made.renditions.filter { $0.name == "header" }
        #expect(header.map(\.mime) == ["image/webp", "image/jpeg"])
        #expect(header.allSatisfy { $0.width == 1500 && $0.height == 500 })
    }

    @Test func readsWhatTelephonesTake() async throws {
        let shop = try Workshop()
        for (bytes, mime) in [(Workshop.heic, "image/heic"), (try shop.avif(), "image/avif")] {
            let made = try await shop.work(bytes).made
            #expect(made.mime == mime && made.width == 48 && made.height == 32)
        }
    }

    @Test func saysWhatMostOfAPictureLooksLike() async throws {
        let shop = try Workshop()
        let bytes = try shop.film(
            "-f",
            "lavfi",
            "-i",
            "color=0x204060:size=300x300",
            "-vf",
            "drawbox=0:0:90:90:white:fill",
            "-frames:v",
            "1",
            "-pix_fmt",
            "rgb24",
            "a.png"
        )
        let colour = try #require(try await shop.work(bytes).made.colour)
        let value = try #require(Int(colour.dropFirst(), radix: 16))
        #expect(abs(value >> 16 - 0x20) < 4 && abs(value >> 8 & 255 - 0x40) < 4 && abs(value & 255 - 0x60) < 4)
    }

    @Test func takesAnAnimationForASignAsAPicture() async throws {
        let shop = try Workshop()
        #expect(try await shop.work(shop.animation("a.gif"), purpose: .avatar).made.kind == .image)
    }
}
