// SPDX-License-Identifier: Apache-2.0
// libvips, as much as is needed of it.

import CVips
import FoundationEssentials
import Glibc
import MediaWork

enum Vips {
    struct Header {
        /// As it is shown.
        let width: Int
        let height: Int
        let frames: Int
        /// Whether the file says what its colours are.
        let hasProfile: Bool
    }

    /// Of all that libvips can read, this process reads one kind.
    static func start(reading content: Content) throws {
        // Never onto the disk: what does not fit is too much.
        setenv("VIPS_DISC_THRESHOLD", "2g", 1)
        guard madang_vips_start() == 0 else { throw WorkFailed.cannotStart }
        vips_block_untrusted_set(1)
        vips_operation_block_set("VipsForeignLoad", 1)
        allow(content)
        vips_concurrency_set(1)
        vips_cache_set_max(0)
    }

    /// Lets files of a kind be read, such as those that were made here.
    static func allow(_ content: Content) {
        if let loader = content.loader { vips_operation_block_set(loader, 0) }
    }

    static func header(_ path: String) throws -> Header {
        let image = try Picture { madang_vips_header(path, &$0) }
        let (width, height) = (image.width, Int(vips_image_get_page_height(image.image)))
        let turned = vips_image_get_orientation_swap(image.image) != 0
        return Header(
            width: turned ? height : width,
            height: turned ? width : height,
            frames: Int(vips_image_get_n_pages(image.image)),
            hasProfile: vips_image_get_typeof(image.image, "icc-profile-data") != 0
        )
    }
}

extension Content {
    fileprivate var loader: String? {
        switch self {
        case .jpeg: "VipsForeignLoadJpeg"
        case .png: "VipsForeignLoadPng"
        case .webp: "VipsForeignLoadWebp"
        case .gif: "VipsForeignLoadNsgif"
        case .heic, .avif: "VipsForeignLoadHeif"
        case .mp4, .quickTime, .webm, .mp3, .m4a, .ogg: nil
        }
    }
}

/// An image of libvips.
final class Picture {
    let image: UnsafeMutablePointer<VipsImage>
    /// The memory that its points are in, if it is ours.
    private let memory: UnsafeMutableRawPointer?

    var width: Int { Int(vips_image_get_width(image)) }
    var height: Int { Int(vips_image_get_height(image)) }
    var bands: Int { Int(vips_image_get_bands(image)) }
    var isTransparent: Bool { bands == 4 }

    /// What an operation makes. A failure is the file's: nothing else can go wrong where there is memory.
    init(_ operation: (inout UnsafeMutablePointer<VipsImage>?) -> Int32) throws {
        var made: UnsafeMutablePointer<VipsImage>?
        guard operation(&made) == 0, let made else { throw WorkReport.Refusal.damaged }
        image = made
        memory = nil
    }

    /// Takes over memory that `malloc` gave, full of sRGB points of as many bytes as there are bands.
    init(memory: UnsafeMutableRawPointer, width: Int, height: Int, bands: Int) throws {
        let size = width * height * bands
        guard
            let made = vips_image_new_from_memory(
                memory,
                size,
                Int32(width),
                Int32(height),
                Int32(bands),
                VIPS_FORMAT_UCHAR
            )
        else {
            free(memory)
            throw WorkReport.Refusal.damaged
        }
        made.pointee.Type = VIPS_INTERPRETATION_sRGB
        image = made
        self.memory = memory
    }

    /// Of points of three bytes each.
    convenience init(points: some ContiguousBytes, _ size: Size) throws {
        let memory: UnsafeMutableRawPointer = try points.withUnsafeBytes { points in
            guard points.count == size.width * size.height * 3, let memory = malloc(points.count) else {
                throw WorkReport.Refusal.damaged
            }
            UnsafeMutableRawBufferPointer(start: memory, count: points.count).copyMemory(from: points)
            return memory
        }
        try self.init(memory: memory, width: size.width, height: size.height, bands: 3)
    }

    deinit {
        madang_vips_release(image)
        free(memory)
    }

    /// The points alone, worked out and in memory: nothing else that the file said comes along.
    func points() throws -> Picture {
        let coloured = try Picture { madang_vips_srgb(image, &$0) }
        let plain = try Picture { madang_vips_bytes(coloured.image, &$0) }
        guard plain.bands == 3 || plain.bands == 4 else { throw WorkReport.Refusal.damaged }
        return try plain.copied()
    }

    /// Without a fourth band in which nothing is transparent.
    func withoutNeedlessTransparency() throws -> Picture {
        guard isTransparent else { return self }
        var least = 255.0
        guard madang_vips_least_alpha(image, &least) == 0 else { throw WorkReport.Refusal.damaged }
        return least < 255 ? self : try Picture { madang_vips_colours(image, &$0) }.copied()
    }

    /// Without transparency, on white.
    func opaque() throws -> Picture {
        isTransparent ? try Picture { madang_vips_opaque(image, &$0) }.copied() : self
    }

    /// At most so large.
    func within(_ width: Int, _ height: Int) throws -> Picture {
        guard self.width > width || self.height > height else { return self }
        return try Picture { madang_vips_smaller(image, &$0, Int32(width), Int32(height)) }.points()
    }

    /// Exactly so large.
    func sized(_ width: Int, _ height: Int) throws -> Picture {
        try Picture { madang_vips_sized(image, &$0, Int32(width), Int32(height)) }.points()
    }

    func area(_ left: Int, _ top: Int, _ width: Int, _ height: Int) throws -> Picture {
        try Picture { madang_vips_area(image, &$0, Int32(left), Int32(top), Int32(width), Int32(height)) }
    }

    /// Its points, for as long as `body` runs.
    func withPoints<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) throws -> Value {
        var size = 0
        guard let bytes = vips_image_write_to_memory(image, &size) else { throw WorkReport.Refusal.damaged }
        defer { free(bytes) }
        return try body(UnsafeRawBufferPointer(start: bytes, count: size))
    }

    private func copied() throws -> Picture {
        var size = 0
        guard let bytes = vips_image_write_to_memory(image, &size) else { throw WorkReport.Refusal.damaged }
        return try Picture(memory: bytes, width: width, height: height, bands: bands)
    }
}
