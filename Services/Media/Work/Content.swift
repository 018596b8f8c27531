// SPDX-License-Identifier: Apache-2.0
// What a file is, by its first bytes.

/// A kind of file that is taken. Names of files and what a client says of them count for nothing.
package enum Content: String, CaseIterable, Hashable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case gif = "image/gif"
    case heic = "image/heic"
    case avif = "image/avif"
    case mp4 = "video/mp4"
    case quickTime = "video/quicktime"
    case webm = "video/webm"
    case mp3 = "audio/mpeg"
    case m4a = "audio/mp4"
    case ogg = "audio/ogg"

    /// How many bytes of a file tell what it is.
    package static let head = 64

    package var mime: String { rawValue }

    /// The kind of the file that begins with these bytes.
    package init?(_ head: some Collection<UInt8>) {
        let bytes = Array(head.prefix(Self.head))
        func text(_ offset: Int, _ length: Int) -> String {
            String(decoding: bytes.dropFirst(offset).prefix(length), as: UTF8.self)
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if text(0, 4) == "RIFF", text(8, 4) == "WEBP" {
            self = .webp
        } else if ["GIF87a", "GIF89a"].contains(text(0, 6)) {
            self = .gif
        } else if text(4, 4) == "ftyp" {
            let brands = stride(from: 8, to: bytes.count, by: 4).filter { $0 != 12 }.map { text($0, 4) }
            self = Self.ofBrands(brands)
        } else if ["moov", "mdat", "wide"].contains(text(4, 4)) {
            self = .quickTime
        } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .webm
        } else if text(0, 4) == "OggS" {
            self = .ogg
        } else if text(0, 3) == "ID3" || Self.isLayerThree(bytes) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Of an ISO base media file, its major brand first. HEIF's general brand says nothing of how the picture is coded.
    private static func ofBrands(_ brands: [String]) -> Content {
        let pictures = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"]
        guard let major = brands.first else { return .mp4 }
        if pictures.contains(major) { return brands.contains { $0 == "avif" || $0 == "avis" } ? .avif : .heic }
        switch major {
        case "M4A ", "M4B ": return .m4a
        case "qt  ": return .quickTime
        default: return .mp4
        }
    }

    /// Whether these bytes begin a frame of MPEG audio, layer III.
    private static func isLayerThree(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return false }
        let version = bytes[1] >> 3 & 3
        let layer = bytes[1] >> 1 & 3
        return version != 1 && layer == 1 && bytes[2] >> 4 != 15 && bytes[2] >> 2 & 3 != 3
    }
}
