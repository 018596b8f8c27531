// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's MediaAttachment (docs.joinmastodon.org/entities/MediaAttachment).

public import Domain
public import Events

/// A file as a client sees it.
public struct MediaView: ObjectView {
    public let id: MediaID
    /// Nil while nothing can be shown of it.
    public let media: MediaSnapshot?
    /// Whether everybody may keep its links.
    public let isOpen: Bool
    public let site: Site

    public init(_ id: MediaID, _ media: MediaSnapshot?, isOpen: Bool, site: Site) {
        self.id = id
        self.media = media
        self.isOpen = isOpen
        self.site = site
    }

    /// The files of a post, under links for everybody where everybody may read it.
    public static func all(of post: PostSnapshot, site: Site) -> [MediaView] {
        all(post.media, seenBy: post.visibility, site: site)
    }

    public static func all(_ media: [MediaSnapshot]?, seenBy visibility: Visibility, site: Site) -> [MediaView] {
        guard let media else { return [] }
        return media.map { MediaView($0.id, $0, isOpen: visibility.isOpen, site: site) }
    }

    /// The small still image, or the file itself where there is none.
    public var preview: RenditionSnapshot? { media?.preview ?? media?.original }

    /// Nil where this site shows no files.
    public func link(_ rendition: RenditionSnapshot) -> String? {
        isOpen ? site.files?.open(rendition.url) : site.files?.closed(rendition.url)
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("type", media?.type.name ?? "unknown")
        json.member("url", media.flatMap { link($0.original) })
        json.member("preview_url", preview.flatMap(link))
        json.null("remote_url")
        json.null("preview_remote_url")
        json.null("text_url")
        json.object("meta") { json in
            guard let media else { return }
            json.member("original", RenditionView(rendition: media.original, duration: media.duration))
            if let preview = media.preview {
                json.member("small", RenditionView(rendition: preview, duration: nil))
            }
            if let focus = media.focus { json.member("focus", FocusView(focus: focus)) }
        }
        json.member("description", media?.description)
        json.member("blurhash", media?.blurhash)
    }
}

extension Visibility {
    /// Whether everybody may keep the links of a post's files.
    var isOpen: Bool { self == .public || self == .unlisted }
}

/// The size of a rendition; sound has none.
private struct RenditionView: ObjectView {
    let rendition: RenditionSnapshot
    let duration: Double?

    func writeMembers(to json: inout JSONWriter) {
        if rendition.width > 0, rendition.height > 0 {
            json.member("width", rendition.width)
            json.member("height", rendition.height)
            json.member("size", "\(rendition.width)x\(rendition.height)")
            json.number("aspect", Double(rendition.width) / Double(rendition.height))
        }
        if let duration { json.number("duration", duration) }
    }
}

private struct FocusView: ObjectView {
    let focus: FocusSnapshot

    func writeMembers(to json: inout JSONWriter) {
        json.number("x", focus.x)
        json.number("y", focus.y)
    }
}

extension JSONWriter {
    /// JSON has no name for what is not finite.
    fileprivate mutating func number(_ name: StaticString, _ value: Double) {
        self.name(name)
        raw(String(value.isFinite ? value : 0).utf8)
    }
}

extension MediaType {
    /// As the Mastodon API calls it.
    fileprivate var name: String { self == .file ? "unknown" : rawValue }
}
