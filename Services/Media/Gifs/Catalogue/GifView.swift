// SPDX-License-Identifier: Apache-2.0
// A GIF as GIPHY's API shows it (https://developers.giphy.com/docs/api/schema/#gif-object).

import Domain
import Views

/// An entry of the catalogue as apps that were written for GIPHY read it: all numbers of pictures are texts.
struct GifView: ObjectView {
    let gif: Gif
    let site: Site
    /// With what GIPHY's first API had beside the object of one that was drawn.
    var isDrawn = false

    func writeMembers(to json: inout JSONWriter) {
        let text = gif.text
        let url = gif.files["gif.gif"].map(link) ?? site.origin
        json.member("type", text.kind.name)
        json.member("id", gif.id)
        json.member("slug", slug)
        json.member("url", url)
        json.member("bitly_gif_url", url)
        json.member("bitly_url", url)
        json.member("embed_url", gif.files["original.mp4"].map(link) ?? url)
        json.member("username", gif.importerName ?? "")
        json.member("source", "")
        json.member("title", text.title)
        json.member("alt_text", text.altText)
        json.member("rating", text.rating.name)
        json.member("content_url", "")
        json.member("source_tld", "")
        json.member("source_post_url", "")
        json.member("is_sticker", text.kind == .sticker ? 1 : 0)
        json.member("import_datetime", GifView.moment(gif.created))
        json.member("trending_datetime", GifView.moment(gif.trended ?? Timestamp(milliseconds: 0)))
        json.member("tags", text.tags)
        if let name = gif.importerName { writeUser(name, to: &json) }
        json.object("images") { GifImages(files: gif.files, link: link).write(to: &$0) }
        if isDrawn { writeDrawn(to: &json) }
    }

    private func link(_ file: GifFiles.File) -> String { site.files?.open(file.name) ?? "" }

    private func writeUser(_ name: String, to json: inout JSONWriter) {
        let profile = Username(name).map(site.profile) ?? site.origin
        json.object("user") { json in
            json.member("avatar_url", "\(site.origin)/assets/avatar.png")
            json.member("banner_image", "")
            json.member("banner_url", "")
            json.member("profile_url", profile)
            json.member("username", name)
            json.member("display_name", name)
            json.member("description", "")
            json.member("is_verified", false)
        }
    }

    private func writeDrawn(to json: inout JSONWriter) {
        if let file = gif.files["gif.gif"] {
            json.member("image_original_url", link(file))
            json.member("image_url", link(file))
            json.member("image_width", "\(file.width)")
            json.member("image_height", "\(file.height)")
        }
        if let file = gif.files["original.mp4"] { json.member("image_mp4_url", link(file)) }
        for name in ["fixed_height_downsampled", "fixed_width_downsampled", "fixed_height_small", "fixed_width_small"] {
            guard let file = gif.files["\(name).gif"] else { continue }
            json.dynamicName("\(name)_url")
            json.string(link(file))
            json.dynamicName("\(name)_width")
            json.string("\(file.width)")
            json.dynamicName("\(name)_height")
            json.string("\(file.height)")
        }
        for name in ["fixed_height_small_still", "fixed_width_small_still"] {
            guard let file = gif.files["\(name).gif"] else { continue }
            json.dynamicName("\(name)_url")
            json.string(link(file))
        }
    }

    /// Its words and its id, as a part of an address.
    private var slug: String {
        let words = GifText.folded(gif.text.title).split { !$0.isLetter && !$0.isNumber }.prefix(10)
        return (words.map(String.init) + ["\(gif.id)"]).joined(separator: "-")
    }

    /// `2026-01-02 03:04:05`, in UTC.
    private static func moment(_ time: Timestamp) -> String {
        String(time.rfc3339.prefix(19)).replacing("T", with: " ")
    }
}

/// The same of whosever it is; what came in this form is passed on.
struct FoundGifView: View {
    let gif: FoundGif
    let site: Site
    var isDrawn = false

    func write(to json: inout JSONWriter) {
        switch gif {
        case .own(let gif): GifView(gif: gif, site: site, isDrawn: isDrawn).write(to: &json)
        case .upstream(let gif): json.raw(gif.json.utf8)
        }
    }
}

/// The member `images`.
struct GifImages {
    let files: GifFiles
    let link: (GifFiles.File) -> String

    /// Of all that GIPHY lists what there is; where a picture is small enough for its `downsized`, it is that.
    func write(to json: inout JSONWriter) {
        picture("original", "gif", film: "original", webp: "animated", to: &json)
        picture("original_still", "original_still", to: &json)
        film("original_mp4", "original", to: &json)
        for name in ["fixed_height", "fixed_width"] {
            picture(name, name, film: name, webp: name, to: &json)
            for part in ["_still", "_downsampled", "_small", "_small_still"] {
                picture(name + part, name + part, to: &json)
            }
        }
        let whole = files["gif.gif"]?.bytes ?? 0
        picture("downsized", files["downsized.gif"] == nil ? "gif" : "downsized", to: &json)
        picture(
            "downsized_still",
            files["downsized_still.gif"] == nil ? "original_still" : "downsized_still",
            to: &json
        )
        for (name, limit) in [("downsized_medium", 5_000_000), ("downsized_large", 8_000_000)] {
            picture(name, whole < limit || files["downsized.gif"] == nil ? "gif" : "downsized", to: &json)
        }
        for name in ["downsized_small", "preview", "looping"] { film(name, name, to: &json) }
        picture("preview_gif", "preview_gif", to: &json)
        if let file = files["preview_webp.webp"] { object("preview_webp", file, to: &json) { _ in } }
    }

    private func picture(
        _ name: String,
        _ key: String,
        film: String? = nil,
        webp: String? = nil,
        to json: inout JSONWriter
    ) {
        guard let file = files["\(key).gif"] else { return }
        object(name, file, to: &json) { json in
            if let film, let file = files["\(film).mp4"] {
                json.member("mp4", link(file))
                json.member("mp4_size", "\(file.bytes)")
            }
            if let webp, let file = files["\(webp).webp"] {
                json.member("webp", link(file))
                json.member("webp_size", "\(file.bytes)")
            }
            if name == "original" { json.member("hash", String(file.name.prefix(32))) }
        }
    }

    private func film(_ name: String, _ key: String, to json: inout JSONWriter) {
        guard let file = files["\(key).mp4"] else { return }
        object(name, file, to: &json) { json in
            json.member("mp4", link(file))
            json.member("mp4_size", "\(file.bytes)")
        }
    }

    private func object(
        _ name: String,
        _ file: GifFiles.File,
        to json: inout JSONWriter,
        _ more: (inout JSONWriter) -> Void
    ) {
        json.dynamicName(name)
        json.object { json in
            json.member("url", link(file))
            json.member("width", "\(file.width)")
            json.member("height", "\(file.height)")
            json.member("size", "\(file.bytes)")
            more(&json)
        }
    }
}
