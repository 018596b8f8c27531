// SPDX-License-Identifier: Apache-2.0
// How large uploads may be: what media keeps to, and what the gateway tells and lets through.

public import ServiceKit

/// How large uploads may be, in bytes.
public struct MediaLimits: Sendable {
    /// Of an image, animated ones among them.
    public let image: Int
    /// Of a video or a sound.
    public let video: Int

    public init(image: Int = 16 << 20, video: Int = 100 << 20) {
        self.image = image
        self.video = video
    }

    public var largest: Int { max(image, video) }

    /// What a form may add to its file.
    public static let form = 64 * 1024
    /// Code points of a description: an event carries four, a post of the greatest length and two accounts.
    public static let description = 800
    /// Pixels, as the worker's limits are.
    public static let imageMatrix = 100_000_000
    public static let videoMatrix = 8_912_896
    public static let frameRate = 120
    /// Of one post.
    public static let attachments = 4

    public static let types = [
        "image/jpeg", "image/png", "image/gif", "image/heic", "image/heif", "image/webp", "image/avif", "video/webm",
        "video/mp4", "video/quicktime", "audio/mpeg", "audio/mp4", "audio/ogg",
    ]
}

extension Settings {
    public mutating func mediaLimits() -> MediaLimits {
        MediaLimits(
            image: integer(
                "MADANG_MEDIA_LIMIT_IMAGE",
                default: 16 << 20,
                in: 1 << 10...1 << 30,
                meaning: "bytes of an image that is uploaded; the same for gateway and media"
            ),
            video: integer(
                "MADANG_MEDIA_LIMIT_VIDEO",
                default: 100 << 20,
                in: 1 << 10...1 << 34,
                meaning: "bytes of a video or a sound that is uploaded; the same for gateway and media"
            )
        )
    }
}
