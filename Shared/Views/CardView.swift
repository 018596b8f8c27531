// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's PreviewCard (docs.joinmastodon.org/entities/PreviewCard).

public import Domain
public import Events

/// The preview of a link as a client sees it. Nothing in it is markup, and nothing of it is to be embedded.
public struct CardView: ObjectView {
    public let card: CardSnapshot
    public let site: Site

    public init(_ card: CardSnapshot, site: Site) {
        self.card = card
        self.site = site
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("url", card.url)
        json.member("title", card.title)
        json.member("description", card.description)
        json.member("language", card.language)
        json.member("type", card.type.rawValue)
        json.member("author_name", card.authorName ?? "")
        json.member("author_url", card.authorURL ?? "")
        json.member("provider_name", card.providerName ?? "")
        json.member("provider_url", card.providerURL ?? "")
        json.member("html", "")
        json.member("width", card.image?.width ?? 0)
        json.member("height", card.image?.height ?? 0)
        json.member("image", card.image.flatMap { site.files?.open($0.url) } ?? site.cover(card.coverURL))
        json.member("image_description", card.imageDescription ?? "")
        json.member("embed_url", "")
        json.member("blurhash", card.blurhash)
        json.member("published_at", card.publishedAt)
        json.array("authors", authors) { json, author in
            json.member("name", author)
            json.member("url", card.authorURL ?? "")
            json.null("account")
        }
    }

    private var authors: [String] { card.authorName.map { [$0] } ?? [] }
}
