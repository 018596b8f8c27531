// SPDX-License-Identifier: Apache-2.0
// What media tells of pages that posts and messages link to.

public import Domain

/// What a page says of itself: plain text, in which nothing is markup.
public struct CardSnapshot: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable {
        case link, photo, video, rich
    }

    /// The link, in the form by which everybody knows it.
    public let url: String
    public let title: String
    public let description: String
    public let type: Kind
    public let authorName: String?
    public let authorURL: String?
    public let providerName: String?
    public let providerURL: String?
    /// A picture that stands for the page, and what is shown until it has come.
    public let image: RenditionSnapshot?
    public let blurhash: String?
    public let imageDescription: String?
    /// ISO 639, perhaps with a region.
    public let language: String?
    public let publishedAt: Timestamp?
    /// Instead of `image`: the URL of a book's cover elsewhere, which is shown by way of media.
    public let coverURL: String?

    public init(
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
public struct LinkPreviewReady: Event {
    public static let name = "media.LinkPreviewReady"

    public let linkID: LinkID
    /// In the form by which everybody knows it.
    public let url: String
    /// Nil where there is nothing to show.
    public let card: CardSnapshot?
    public let subjectVersion: Int64

    public var subject: String { linkID.description }

    public init(linkID: LinkID, url: String, card: CardSnapshot?, subjectVersion: Int64) {
        self.linkID = linkID
        self.url = url
        self.card = card
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case url, card, linkID, subjectVersion }
}
