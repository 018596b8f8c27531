// SPDX-License-Identifier: Apache-2.0
// The files of a report.

import CVips
import Glibc
import MediaWork

/// Writes files into the order's directory and keeps the list of them.
struct Renditions {
    enum Format: String {
        case webp
        /// What every client can show: JPEG, or PNG where there is transparency.
        case still
    }

    private(set) var made: [Made.Rendition] = []
    private let directory: String

    init(in directory: String) {
        self.directory = directory
    }

    func path(_ file: String) -> String { "\(directory)/\(file)" }

    /// Writes a picture. One that is as large as another was written already.
    mutating func add(_ picture: Picture, as name: String, _ formats: Format...) throws {
        for format in formats {
            let (mime, suffix): (String, String) =
                switch format {
                case .webp: ("image/webp", "webp")
                case .still: picture.isTransparent ? ("image/png", "png") : ("image/jpeg", "jpg")
                }
            let same = made.first { rendition in
                rendition.mime == mime && rendition.width == picture.width && rendition.height == picture.height
                    && rendition.duration == nil && Self.whole.contains(rendition.name) && Self.whole.contains(name)
            }
            let file = same?.file ?? "\(name).\(suffix)"
            if same == nil {
                let path = path(file)
                switch suffix {
                case "webp": try write(WebP(picture).bytes, to: file)
                case "png": try Self.check(madang_vips_png(picture.image, path))
                default: try Self.check(madang_vips_jpeg(picture.image, path, 85))
                }
            }
            try add(file, as: name, mime: mime, width: picture.width, height: picture.height)
        }
    }

    /// The sizes for lists and timelines.
    mutating func addPreviews(of picture: Picture) throws {
        let medium = try picture.within(640, 640)
        try add(medium, as: "medium", .webp, .still)
        try add(medium.within(320, 320), as: "small", .webp, .still)
    }

    /// Writes frames.
    ///
    /// - Parameter duration: seconds; nil for one that does not move.
    mutating func add(_ frames: some EncodedFrames, as name: String, duration: Double? = nil) throws {
        let kind = type(of: frames)
        let file = "\(name).\(kind.suffix)"
        try write(frames.bytes, to: file)
        let (width, height) = (frames.size.width, frames.size.height)
        try add(file, as: name, mime: kind.mime, width: width, height: height, duration: duration)
    }

    private func write(_ bytes: [UInt8], to file: String) throws {
        let descriptor = open(path(file), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw WorkFailed.cannotWrite }
        defer { close(descriptor) }
        guard writeAll(bytes, to: descriptor) else { throw WorkFailed.cannotWrite }
    }

    /// The length of a file that is in the directory.
    func bytes(of file: String) throws -> Int64 {
        var information = stat()
        guard stat(path(file), &information) == 0, information.st_size > 0 else { throw WorkFailed.cannotWrite }
        return Int64(information.st_size)
    }

    /// Lists a file that is in the directory.
    mutating func add(
        _ file: String,
        as name: String,
        mime: String,
        width: Int? = nil,
        height: Int? = nil,
        duration: Double? = nil
    ) throws {
        made.append(
            Made.Rendition(
                name: name,
                file: file,
                mime: mime,
                width: width,
                height: height,
                bytes: try bytes(of: file),
                duration: duration
            )
        )
    }

    private static func check(_ failure: Int32) throws {
        guard failure == 0 else { throw WorkFailed.cannotWrite }
    }

    /// Those that show all of the picture.
    private static let whole = ["original", "large", "medium", "small"]
}
