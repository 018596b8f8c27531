// SPDX-License-Identifier: Apache-2.0
// KLIPY's API (https://docs.klipy.com), whose items become such as GIPHY's.

import Domain
import Foundation
import JSON
import NIOCore
import Views

extension GifProvider {
    /// They have no texts. What they call a locale is a country, which nobody knows here.
    func klipyPath(_ call: GifCall) -> String? {
        let start = "/api/v1/\(key)"
        let formats = "format_filter=gif%2Cwebp%2Cjpg%2Cmp4"
        switch call {
        case .part(let search, let number):
            guard let shelf = KlipyAnswers.shelf(of: search.kind) else { return nil }
            var path = "\(start)/\(shelf.rawValue)/\(search.words == nil ? "trending" : "search")?"
            if let words = search.words { path += "q=\(words.percentEncoded)&" }
            let filter =
                switch search.rating {
                case .y, .g: "high"
                case .pg: "medium"
                case .pg13: "low"
                case .r: "off"
                }
            return "\(path)page=\(number + 1)&per_page=\(GifCall.size)&content_filter=\(filter)&\(formats)"
        case .gifs(let ids):
            guard let shelf = ids.first.flatMap(KlipyAnswers.Shelf.init(of:)) else { return nil }
            let slugs = ids.map { $0.dropFirst(shelf.prefix.count) }
            return "\(start)/\(shelf.rawValue)/items?slugs=\(slugs.joined(separator: "%2C"))&\(formats)"
        }
    }
}

enum KlipyAnswers {
    /// What they keep apart; a slug alone does not say where it is.
    enum Shelf: String, CaseIterable {
        case gifs, stickers

        var prefix: String { "klipy-\(rawValue)-" }

        init?(of id: String) {
            guard let shelf = Shelf.allCases.first(where: { id.hasPrefix($0.prefix) }) else { return nil }
            self = shelf
        }
    }

    static func shelf(of kind: GifKind) -> Shelf? {
        switch kind {
        case .gif: .gifs
        case .sticker: .stickers
        case .text: nil
        }
    }

    /// They do not say how many there are: where there are more, one part more is counted.
    static func read(_ text: String, to call: GifCall) -> UpstreamGifs? {
        guard let data = RawJSON(ByteBuffer(string: text)).member("data"), let items = data.member("data")?.elements
        else { return nil }
        switch call {
        case .part(let search, let number):
            guard let shelf = shelf(of: search.kind) else { return nil }
            let gifs = items.compactMap { gif($0, shelf, search.rating) }
            let more = data.member("has_next")?.boolean == true ? GifCall.size : 0
            let before = number * GifCall.size
            return UpstreamGifs(gifs: gifs, total: min(before + items.count + more, GifLimits.found))
        case .gifs(let ids):
            guard let shelf = ids.first.flatMap(Shelf.init(of:)) else { return nil }
            // How strong one is they do not say: perhaps as strong as can be.
            let gifs = items.compactMap { gif($0, shelf, .r) }
            return UpstreamGifs(gifs: gifs, total: gifs.count)
        }
    }

    private static func gif(_ item: RawJSON, _ shelf: Shelf, _ rating: GifRating) -> UpstreamGif? {
        guard let item = try? JSONDecoder().decode(KlipyItem.self, from: Data(item.bytes.readableBytesView)),
            // Not what they advertise.
            ["gif", "sticker"].contains(item.type ?? "gif"), !item.slug.isEmpty, item.slug.utf8.count <= 100,
            UpstreamGif.isName(item.slug.utf8),
            let view = KlipyView(item, shelf, rating)
        else { return nil }
        return UpstreamGif(id: view.id, json: String(decoding: view.json(), as: UTF8.self))
    }
}

/// A GIF as KLIPY has it: pictures by their size (`hd`, `md`, `sm`, `xs`) and format.
struct KlipyItem: Decodable {
    struct File: Decodable {
        let url: String
        let width: Int
        let height: Int
        let size: Int
    }

    let slug: String
    let title: String?
    let type: String?
    let tags: [String]?
    let file: [String: [String: File]]
}
