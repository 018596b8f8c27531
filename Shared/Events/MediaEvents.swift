// SPDX-License-Identifier: Apache-2.0
// What media tells of the files it keeps.

public import Domain

/// A size in which an image or a video is kept.
public struct RenditionSnapshot: Codable, Hashable, Sendable {
    /// The name of the stored file, of which `MediaLinks` makes a link.
    public let url: String
    /// Pixels.
    public let width: Int
    public let height: Int

    public init(url: String, width: Int, height: Int) {
        self.url = url
        self.width = width
        self.height = height
    }
}

/// The point of an image that stays in sight when it is cut: from -1 to 1 to the right and upwards, 0 in the middle.
public struct FocusSnapshot: Codable, Hashable, Sendable {
    public let x: Double
    public let y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Reads `x,y`; what is beyond is moved to the edge, as in Mastodon. Nil for what is no two numbers.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, parts.count == 2, let x = FocusSnapshot.number(parts[0]),
            let y = FocusSnapshot.number(parts[1])
        else { return nil }
        self.init(x: x, y: y)
    }

    private static func number(_ text: Substring) -> Double? {
        let digits = text.split(separator: " ")
        guard digits.count == 1, let number = Double(digits[0]), number.isFinite else { return nil }
        return min(1, max(-1, number))
    }
}

/// What a file is.
public enum MediaType: String, Codable, Hashable, Sendable {
    case image, gifv, video, audio, file
}

/// A file is ready to be shown.
public struct MediaProcessed: Event {
    public static let name = "media.MediaProcessed"

    public let mediaID: MediaID
    /// Who uploaded it: nobody else may attach it.
    public let ownerID: AccountID
    public let type: MediaType
    public let original: RenditionSnapshot
    /// A small still image.
    public let preview: RenditionSnapshot?
    public let mimeType: String
    public let bytes: Int64
    public let blurhash: String?
    /// What it shows, for those who cannot see it.
    public let description: String?
    public let subjectVersion: Int64
    public let focus: FocusSnapshot?
    /// The dominant colour as `#rrggbb`.
    public let colour: String?
    /// Seconds; nil for what does not last.
    public let duration: Double?
    /// Everything that is kept of it, by what it is and how it is written: `medium.webp`.
    public let renditions: [String: RenditionSnapshot]?

    public var subject: String { mediaID.description }

    public init(
        mediaID: MediaID,
        ownerID: AccountID,
        type: MediaType,
        original: RenditionSnapshot,
        preview: RenditionSnapshot? = nil,
        mimeType: String,
        bytes: Int64,
        blurhash: String? = nil,
        description: String? = nil,
        subjectVersion: Int64,
        focus: FocusSnapshot? = nil,
        colour: String? = nil,
        duration: Double? = nil,
        renditions: [String: RenditionSnapshot]? = nil
    ) {
        self.mediaID = mediaID
        self.ownerID = ownerID
        self.type = type
        self.original = original
        self.preview = preview
        self.mimeType = mimeType
        self.bytes = bytes
        self.blurhash = blurhash
        self.description = description
        self.subjectVersion = subjectVersion
        self.focus = focus
        self.colour = colour
        self.duration = duration
        self.renditions = renditions
    }

    enum CodingKeys: String, SnakeCased {
        case type, original, preview, bytes, blurhash, description, mediaID, ownerID, mimeType, subjectVersion, focus
        case colour, duration, renditions
    }
}

/// A file could not be made ready, or is not kept any longer.
public struct MediaFailed: Event {
    public static let name = "media.MediaFailed"
    /// The reason of a file that was ready: its owner deleted it, or nobody showed it.
    public static let deleted = "deleted"

    public let mediaID: MediaID
    public let ownerID: AccountID
    /// A code, such as `unsupported`.
    public let reason: String
    public let subjectVersion: Int64

    public var subject: String { mediaID.description }

    public init(mediaID: MediaID, ownerID: AccountID, reason: String, subjectVersion: Int64) {
        self.mediaID = mediaID
        self.ownerID = ownerID
        self.reason = reason
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case reason, mediaID, ownerID, subjectVersion }
}
