// SPDX-License-Identifier: Apache-2.0
// GIPHY's API (https://developers.giphy.com/docs/api/endpoint).

import Domain
import JSON
import NIOCore

extension GifProvider {
    func giphyPath(_ call: GifCall) -> String {
        switch call {
        case .part(let search, let number):
            let shelf =
                switch search.kind {
                case .gif: "gifs"
                case .sticker: "stickers"
                case .text: "text"
                }
            var path = "/v1/\(shelf)/\(search.words == nil ? "trending" : "search")?api_key=\(key)"
            if let words = search.words { path += "&q=\(words.percentEncoded)" }
            path += "&limit=\(GifCall.size)&offset=\(number * GifCall.size)&rating=\(search.rating.name)"
            return search.language.map { "\(path)&lang=\($0.percentEncoded)" } ?? path
        case .gifs(let ids):
            return "/v1/gifs?api_key=\(key)&ids=\(ids.map(\.percentEncoded).joined(separator: "%2C"))"
        }
    }
}

enum GiphyAnswers {
    /// Items pass as they came, with all that their apps report by and show of who made them.
    static func read(_ text: String, to call: GifCall) -> UpstreamGifs? {
        let whole = RawJSON(ByteBuffer(string: text))
        guard let items = whole.member("data")?.elements else { return nil }
        let gifs = items.compactMap(gif)
        let total = whole.member("pagination")?.member("total_count")?.integer ?? Int64(gifs.count)
        return UpstreamGifs(gifs: gifs, total: Int(max(0, min(total, Int64(GifLimits.found)))))
    }

    /// Nil for what apps could not show, or what has an id that could be one of somebody else's.
    private static func gif(_ item: RawJSON) -> UpstreamGif? {
        guard let id = item.member("id")?.text, case .upstream = GifID(id), GifProvider.Name(of: id) == .giphy,
            item.member("images")?.member("original")?.member("url")?.text != nil
        else { return nil }
        return UpstreamGif(id: id, json: String(buffer: item.bytes))
    }
}
