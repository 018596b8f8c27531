// SPDX-License-Identifier: Apache-2.0
// A GIF of KLIPY as GIPHY would show it.

import Views

struct KlipyView: ObjectView {
    /// A picture in one size, in all formats that there are.
    private struct Picture: Sendable {
        let gif: KlipyItem.File
        let webp: KlipyItem.File?
        let film: KlipyItem.File?
        let still: KlipyItem.File?
    }

    /// Bytes below which a picture may stand among many.
    private static let light = 2_000_000

    let id: String
    private let item: KlipyItem
    private let shelf: KlipyAnswers.Shelf
    private let rating: GifRating
    /// The largest first.
    private let pictures: [Picture]
    private let largest: Picture
    private let smallest: Picture

    /// Nil without a picture.
    init?(_ item: KlipyItem, _ shelf: KlipyAnswers.Shelf, _ rating: GifRating) {
        // Names of sizes promise nothing: what is called medium may be larger than what is called high.
        let pictures = item.file.values.compactMap { formats -> Picture? in
            let files = formats.filter { KlipyView.isShown($0.value) }
            guard let gif = files["gif"] else { return nil }
            return Picture(gif: gif, webp: files["webp"], film: files["mp4"], still: files["jpg"])
        }.sorted { ($0.gif.width, $0.gif.size) > ($1.gif.width, $1.gif.size) }
        guard let largest = pictures.first, let smallest = pictures.last else { return nil }
        (id, self.item, self.shelf, self.rating) = (shelf.prefix + item.slug, item, shelf, rating)
        (self.pictures, self.largest, self.smallest) = (pictures, largest, smallest)
    }

    private static func isShown(_ file: KlipyItem.File) -> Bool {
        file.url.hasPrefix("https://") && (1...16_384).contains(file.width) && (1...16_384).contains(file.height)
            && file.size > 0
    }

    func writeMembers(to json: inout JSONWriter) {
        let page = "https://klipy.com/\(shelf.rawValue)/\(item.slug)"
        let never = "1970-01-01 00:00:00"
        json.member("type", shelf == .stickers ? "sticker" : "gif")
        json.member("id", id)
        json.member("slug", item.slug)
        for name: StaticString in ["url", "bitly_gif_url", "bitly_url"] { json.member(name, page) }
        json.member("embed_url", largest.film?.url ?? largest.gif.url)
        json.member("username", "")
        json.member("source", page)
        json.member("title", item.title ?? "")
        json.member("alt_text", item.title ?? "")
        json.member("rating", rating.name)
        json.member("content_url", "")
        json.member("source_tld", "klipy.com")
        json.member("source_post_url", page)
        json.member("is_sticker", shelf == .stickers ? 1 : 0)
        json.member("import_datetime", never)
        json.member("trending_datetime", never)
        json.member("tags", item.tags ?? [])
        json.object("images") { writeImages(to: &$0) }
    }

    private func writeImages(to json: inout JSONWriter) {
        write("original", largest, to: &json)
        write(still: "original_still", largest, to: &json)
        if let film = pictures.compactMap(\.film).max(by: { $0.width < $1.width }) {
            file("original_mp4", film, to: &json) { $0.film(film) }
        }
        let tall = nearest(to: 200, \.height)
        let wide = nearest(to: 200, \.width)
        for (name, whole, small) in [
            ("fixed_height", tall, nearest(to: 100, \.height)), ("fixed_width", wide, nearest(to: 100, \.width)),
        ] {
            write(name, whole, to: &json)
            write(still: "\(name)_still", whole, to: &json)
            write("\(name)_downsampled", whole, to: &json)
            write("\(name)_small", small, to: &json)
            write(still: "\(name)_small_still", small, to: &json)
        }
        for (name, limit) in [
            ("downsized", KlipyView.light), ("downsized_medium", 5_000_000), ("downsized_large", 8_000_000),
        ] { write(name, pictures.first { $0.gif.size < limit } ?? smallest, to: &json) }
        write("preview_gif", smallest, to: &json)
        if let webp = smallest.webp { file("preview_webp", webp, to: &json) { _ in } }
    }

    /// Of those that are quick to show, the one whose edge is nearest to so many pixels.
    private func nearest(to length: Int, _ edge: (KlipyItem.File) -> Int) -> Picture {
        pictures.filter { $0.gif.size < KlipyView.light }.min {
            abs(edge($0.gif) - length) < abs(edge($1.gif) - length)
        } ?? smallest
    }

    private func write(_ name: String, _ picture: Picture, to json: inout JSONWriter) {
        file(name, picture.gif, to: &json) { json in
            if let film = picture.film { json.film(film) }
            if let webp = picture.webp {
                json.member("webp", webp.url)
                json.member("webp_size", "\(webp.size)")
            }
        }
    }

    private func write(still name: String, _ picture: Picture, to json: inout JSONWriter) {
        if let still = picture.still { file(name, still, to: &json) { _ in } }
    }

    private func file(
        _ name: String,
        _ file: KlipyItem.File,
        to json: inout JSONWriter,
        _ more: (inout JSONWriter) -> Void
    ) {
        json.dynamicName(name)
        json.object { json in
            json.member("url", file.url)
            json.member("width", "\(file.width)")
            json.member("height", "\(file.height)")
            json.member("size", "\(file.size)")
            more(&json)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func film(_ file: KlipyItem.File) {
        member("mp4", file.url)
        member("mp4_size", "\(file.size)")
    }
}
