// SPDX-License-Identifier: Apache-2.0
// What a worker answers.

/// One line of JSON on a worker's standard output.
package enum WorkReport: Codable, Hashable, Sendable {
    case made(Made)
    case page(PageFacts)
    /// The file is not one that can be shown, and will not be if it is tried again.
    case refused(Refusal)

    package enum Refusal: String, Codable, Error, Sendable {
        /// No kind of file that is known.
        case unsupported
        /// It cannot be read.
        case damaged
        /// Too many pixels or frames, or too long.
        case tooLarge = "too_large"
        /// It holds nothing.
        case empty
    }
}

/// A file that can be shown.
package struct Made: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case image, gifv, video, audio
    }

    /// A file that was written into the order's directory.
    package struct Rendition: Codable, Hashable, Sendable {
        /// `original`, `large`, `medium`, `small`, `square`, `square_small`, `header` or `animated`; of a GIF, those of `GifSet` as
        /// well. A picture comes in several formats under one name.
        package var name: String
        /// Its name in the order's directory, with the extension that belongs to its format.
        package var file: String
        package var mime: String
        /// Of sound: none.
        package var width: Int?
        package var height: Int?
        package var bytes: Int64
        /// Seconds.
        package var duration: Double?

        package init(
            name: String,
            file: String,
            mime: String,
            width: Int?,
            height: Int?,
            bytes: Int64,
            duration: Double? = nil
        ) {
            self.name = name
            self.file = file
            self.mime = mime
            self.width = width
            self.height = height
            self.bytes = bytes
            self.duration = duration
        }
    }

    package var kind: Kind
    /// The format of the upload, by its content.
    package var mime: String
    /// As it is shown: turned as its camera was held. Of sound: none.
    package var width: Int?
    package var height: Int?
    /// Seconds.
    package var duration: Double?
    /// Four by three components.
    package var blurhash: String?
    /// `#rrggbb`, what most of the picture looks like.
    package var colour: String?
    package var renditions: [Rendition]

    package init(
        kind: Kind,
        mime: String,
        width: Int? = nil,
        height: Int? = nil,
        duration: Double? = nil,
        blurhash: String? = nil,
        colour: String? = nil,
        renditions: [Rendition]
    ) {
        self.kind = kind
        self.mime = mime
        self.width = width
        self.height = height
        self.duration = duration
        self.blurhash = blurhash
        self.colour = colour
        self.renditions = renditions
    }
}
