// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's MediaAttachment (docs.joinmastodon.org/entities/MediaAttachment).

package import Domain
package import Events

/// A file as a client sees it.
package struct MediaAttachmentView: ObjectView {
    private let id: MediaID
    private let media: MediaProcessed?
    private let link: @Sendable (String) -> String

    /// - Parameters:
    ///   - media: nil for a file that is not ready.
    ///   - link: of a stored file by its name.
    package init(_ id: MediaID, _ media: MediaProcessed?, link: @escaping @Sendable (String) -> String) {
        self.id = id
        self.media = media
        self.link = link
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("type", media.map { $0.type == .file ? "unknown" : $0.type.rawValue } ?? "unknown")
        json.member("url", media.map { link($0.original.url) })
        json.member("preview_url", media.flatMap { $0.preview }.map { link($0.url) })
        json.null("remote_url")
        json.null("preview_remote_url")
        json.null("text_url")
        json.object("meta") { json in if let media { writeMeta(media, to: &json) } }
        json.member("description", media?.description)
        json.member("blurhash", media?.blurhash)
    }

    private func writeMeta(_ media: MediaProcessed, to json: inout JSONWriter) {
        if let focus = media.focus {
            json.object("focus") { json in
                json.number("x", focus.x)
                json.number("y", focus.y)
            }
        }
        json.object("original") { json in
            json.size(media.original)
            if let duration = media.duration { json.number("duration", duration) }
        }
        if let preview = media.preview { json.object("small") { $0.size(preview) } }
        if let colour = media.colour { json.object("colors") { $0.member("background", colour) } }
    }
}

extension JSONWriter {
    fileprivate mutating func number(_ name: StaticString, _ value: Double) {
        self.name(name)
        // JSON knows no other numbers.
        if value.isFinite { raw(String(value).utf8) } else { null() }
    }

    fileprivate mutating func size(_ rendition: RenditionSnapshot) {
        guard rendition.width > 0, rendition.height > 0 else { return }
        member("width", rendition.width)
        member("height", rendition.height)
        member("size", "\(rendition.width)x\(rendition.height)")
        number("aspect", Double(rendition.width) / Double(rendition.height))
    }
}
