// SPDX-License-Identifier: Apache-2.0
// How large uploads may be: what media keeps to, and what the gateway tells and lets through.

package import ServiceKit

/// How large uploads may be, in bytes.
package struct MediaLimits: Sendable {
    /// Of an image, animated ones among them.
    package let image: Int
    /// Of a video or a sound.
    package let video: Int

    package init(image: Int = 16 << 20, video: Int = 100 << 20) {
        self.image = image
        self.video = video
    }

    package var largest: Int { max(image, video) }

    /// What a form may add to its file.
    package static let form = 64 * 1024
    /// Code points of a description: an event carries four, a post of the greatest length and two accounts.
    package static let description = 800
    /// Pixels, as the worker's limits are.
    package static let imageMatrix = 100_000_000
    package static let videoMatrix = 8_912_896
    package static let frameRate = 120
    /// Of one post.
    package static let attachments = 4

    package static let types = [
        "image/jpeg", "image/png", "image/gif", "image/heic", "image/heif", "image/webp", "image/avif", "video/webm",
        "video/mp4", "video/quicktime", "audio/mpeg", "audio/mp4", "audio/ogg",
    ]
}

extension Settings {
    package mutating func mediaLimits() -> MediaLimits {
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
