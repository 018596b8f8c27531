// SPDX-License-Identifier: Apache-2.0
// Files with something in them that must not be in what is made of them.

import Foundation

enum Planted {
    /// Stands for a name, a place, a time: whatever is nobody's business.
    static let secret = "37.5665N-126.9780E-planted"

    static func big(_ value: Int, _ bytes: Int) -> Data {
        Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    static func little(_ value: Int, _ bytes: Int) -> Data { Data(big(value, bytes).reversed()) }

    static func join(_ parts: Data...) -> Data { parts.reduce(into: Data()) { $0.append($1) } }

    static func text(_ text: String) -> Data { Data(text.utf8) }

    /// A TIFF of an orientation, a description, a place, and a small picture that is the secret.
    static func exif(orientation: UInt8 = 1) -> Data {
        let told = join(text(secret), Data(count: 1 + (secret.utf8.count + 1) % 2))
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Data) -> Data {
            join(big(tag, 2), big(type, 2), big(count, 4), value)
        }
        let texts = 8 + 2 + 3 * 12 + 4
        let places = texts + told.count
        let thumbnails = places + 2 + 2 * 12 + 4
        let thumbnail = thumbnails + 2 + 3 * 12 + 4
        let picture = join(Data([0xFF, 0xD8]), text(secret), Data([0xFF, 0xD9]))
        let first = join(
            big(3, 2),
            entry(0x010E, 2, told.count, big(texts, 4)),
            entry(0x0112, 3, 1, big(Int(orientation) << 16, 4)),
            entry(0x8825, 4, 1, big(places, 4)),
            big(thumbnails, 4)
        )
        let second = join(
            big(2, 2),
            entry(1, 2, 2, text("N\0\0\0")),
            entry(0x1D, 2, told.count, big(texts, 4)),
            big(0, 4)
        )
        let third = join(
            big(3, 2),
            entry(0x0103, 3, 1, big(6 << 16, 4)),
            entry(0x0201, 4, 1, big(thumbnail, 4)),
            entry(0x0202, 4, 1, big(picture.count, 4)),
            big(0, 4)
        )
        return join(text("MM\0*"), big(8, 4), first, told, second, third, picture)
    }

    private static func segment(_ marker: UInt8, _ parts: Data...) -> Data {
        let bytes = parts.reduce(into: Data()) { $0.append($1) }
        return join(Data([0xFF, marker]), big(bytes.count + 2, 2), bytes)
    }

    static func orientation(_ orientation: UInt8, in jpeg: Data) -> Data {
        join(jpeg.prefix(2), segment(0xE1, text("Exif\0\0"), exif(orientation: orientation)), jpeg.dropFirst(2))
    }

    /// EXIF, XMP, IPTC, a comment, an unknown segment, and bytes after the end.
    static func jpeg(_ jpeg: Data) -> Data {
        let told = text(secret)
        let iptc = join(Data([0x1C, 2, 0x78]), big(told.count, 2), told)
        return join(
            jpeg.prefix(2),
            segment(0xE1, text("Exif\0\0"), exif()),
            segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>"), told, text("</x:xmpmeta>")),
            segment(0xED, text("Photoshop 3.0\08BIM\u{4}\u{4}\0\0"), big(iptc.count, 4), iptc),
            segment(0xEC, told),
            segment(0xFE, told),
            jpeg.dropFirst(2),
            told
        )
    }

    private static func pngChunk(_ name: String, _ parts: Data...) -> Data {
        let bytes = parts.reduce(into: Data()) { $0.append($1) }
        let named = join(text(name), bytes)
        return join(big(bytes.count, 4), named, big(Int(crc(named)), 4))
    }

    static func png(_ png: Data) -> Data {
        let told = text(secret)
        return join(
            png.prefix(33),
            pngChunk("tEXt", text("Comment\0"), told),
            pngChunk("iTXt", text("XML:com.adobe.xmp\0\0\0\0\0"), told),
            pngChunk("eXIf", exif()),
            pngChunk("prVt", told),
            png.dropFirst(33),
            told
        )
    }

    /// A comment, and bytes after the end, which may well be a program.
    static func gif(_ gif: Data) -> Data {
        let told = text(secret)
        let flags = Int(gif[gif.startIndex + 10])
        let header = 13 + (flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1))
        return join(
            gif.prefix(header),
            Data([0x21, 0xFE, UInt8(told.count)]),
            told,
            Data([0]),
            gif.dropFirst(header),
            text("\nimport os;"),
            told
        )
    }

    private static func riffChunk(_ name: String, _ bytes: Data) -> Data {
        join(text(name), little(bytes.count, 4), bytes, Data(count: bytes.count % 2))
    }

    /// EXIF and XMP after the coded picture, as the extended form has them.
    static func webp(_ webp: Data, _ width: Int, _ height: Int) -> Data {
        let size = join(little(width - 1, 3), little(height - 1, 3))
        return riffChunk(
            "RIFF",
            join(
                text("WEBP"),
                riffChunk("VP8X", join(Data([0x0C, 0, 0, 0]), size)),
                webp.dropFirst(12),
                riffChunk("EXIF", exif()),
                riffChunk("XMP ", text(secret))
            )
        )
    }

    /// Says that it is so large and has nothing to show for it.
    static func webp(width: Int, height: Int) -> Data {
        let size = join(little(width - 1, 3), little(height - 1, 3))
        return riffChunk(
            "RIFF",
            join(text("WEBP"), riffChunk("VP8X", join(Data(count: 4), size)), riffChunk("VP8 ", Data()))
        )
    }

    /// Of one point a frame; hundredths of a second.
    static func gif(delays: [Int]) -> Data {
        let start = Data([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
        let point = Data([0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
        let frames = delays.reduce(into: Data()) { frames, delay in
            frames.append(contentsOf: [0x21, 0xF9, 4, 4])
            frames.append(little(delay, 2))
            frames.append(point)
        }
        return join(text("GIF89a"), start, frames, Data([0x3B]))
    }

    /// Says that it is so large and has nothing to show for it.
    static func png(width: Int, height: Int) -> Data {
        join(
            Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            pngChunk("IHDR", big(width, 4), big(height, 4), Data([8, 2, 0, 0, 0])),
            pngChunk("IDAT", Data([0x78, 0x9C, 0x63, 0, 1, 0, 0, 5, 0, 1])),
            pngChunk("IEND")
        )
    }

    private static func crc(_ bytes: Data) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let odd = sum & 1 == 1
                sum >>= 1
                if odd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}
