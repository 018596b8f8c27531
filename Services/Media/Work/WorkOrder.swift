// SPDX-License-Identifier: Apache-2.0
// What a worker is asked to do with one uploaded file.

/// One line of JSON on a worker's standard input.
package struct WorkOrder: Codable, Hashable, Sendable {
    /// What the file will be, which decides the pictures that are cut from it.
    package enum Purpose: String, Codable, Sendable {
        case attachment, avatar, header
        /// The picture of a link's preview: one of it, and nothing that moves.
        case card
        /// No picture at all but HTML, of which is read what it says of itself.
        case page
        /// For the catalogue of GIFs: whatever it is, it moves, or is a picture of one frame.
        case gif
    }

    /// The point that must stay visible when a picture is cropped: -1 (left, bottom) to 1 (right, top), as Mastodon has it.
    package struct Focus: Codable, Hashable, Sendable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// What a file may cost. What is above is refused as `too_large`.
    package struct Limits: Codable, Hashable, Sendable {
        /// Of a picture: 100 megapixels, what the cameras of telephones take.
        package var pixels = 100_000_000
        /// Of an animation.
        package var frames = 1_500
        /// Of all frames of an animation together.
        package var animatedPixels = 1_000_000_000
        /// Of a frame of a video, 4096x2176.
        package var videoPixels = 8_912_896
        /// Of an animation.
        package var animationSeconds = 120.0
        package var videoSeconds = 600.0
        package var audioSeconds = 7_200.0

        package init() {}
    }

    /// The uploaded file; it is only read.
    package var input: String
    /// An empty directory, into which the renditions are written. Whoever orders deletes it, however the work ends.
    package var directory: String
    package var purpose: Purpose
    package var focus: Focus?
    /// What the sender of a page says of its letters.
    package var charset: String?
    /// Whose page it is.
    package var host: String?
    package var limits: Limits

    package init(
        input: String,
        directory: String,
        purpose: Purpose = .attachment,
        focus: Focus? = nil,
        charset: String? = nil,
        host: String? = nil,
        limits: Limits = Limits()
    ) {
        self.input = input
        self.directory = directory
        self.purpose = purpose
        self.focus = focus
        self.charset = charset
        self.host = host
        self.limits = limits
    }
}
