// SPDX-License-Identifier: Apache-2.0
// What media tells of pages that posts and messages link to.

package import Domain

/// What a page says of itself: plain text, in which nothing is markup.
package struct CardSnapshot: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        case link, photo, video, rich
    }

    /// The link, in the form by which everybody knows it.
    package let url: String
    package let title: String
    package let description: String
    package let type: Kind
    package let authorName: String?
    package let authorURL: String?
    package let providerName: String?
    package let providerURL: String?
    /// A picture that stands for the page, and what is shown until it has come.
    package let image: RenditionSnapshot?
    package let blurhash: String?
    package let imageDescription: String?
    /// ISO 639, perhaps with a region.
    package let language: String?
    package let publishedAt: Timestamp?
    /// Instead of `image`: the URL of a book's cover elsewhere, which is shown by way of media.
    package let coverURL: String?

    package init(
        url: String,
        title: String,
        description: String = "",
        type: Kind = .link,
        authorName: String? = nil,
        authorURL: String? = nil,
        providerName: String? = nil,
        providerURL: String? = nil,
        image: RenditionSnapshot? = nil,
        blurhash: String? = nil,
        imageDescription: String? = nil,
        language: String? = nil,
        publishedAt: Timestamp? = nil,
        coverURL: String? = nil
    ) {
        self.url = url
        self.title = title
        self.description = description
        self.type = type
        self.authorName = authorName
        self.authorURL = authorURL
        self.providerName = providerName
        self.providerURL = providerURL
        self.image = image
        self.blurhash = blurhash
        self.imageDescription = imageDescription
        self.language = language
        self.publishedAt = publishedAt
        self.coverURL = coverURL
    }

    enum CodingKeys: String, SnakeCased {
        case url, title, description, type, image, blurhash, language, authorName, authorURL, providerName
        case providerURL, imageDescription, publishedAt, coverURL
    }
}

/// A page was looked at: its preview is this, or nothing.
package struct LinkPreviewReady: Event {
    package static let name = "media.LinkPreviewReady"

    package let linkID: LinkID
    /// In the form by which everybody knows it.
    package let url: String
    /// Nil where there is nothing to show.
    package let card: CardSnapshot?
    package let subjectVersion: Int64

    package var subject: String { linkID.description }

    package init(linkID: LinkID, url: String, card: CardSnapshot?, subjectVersion: Int64) {
        self.linkID = linkID
        self.url = url
        self.card = card
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case url, card, linkID, subjectVersion }
}
