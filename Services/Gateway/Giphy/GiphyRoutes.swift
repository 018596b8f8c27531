// SPDX-License-Identifier: Apache-2.0
// The paths of GIPHY's API (https://developers.giphy.com/docs/api/endpoint), each with the one of media that answers it.

import GatewayService
import NIOHTTP1
import Surface

enum GiphyRoutes {
    static let all: [DialectRoute] = gifs + stickers + texts + words

    private static let gifs: [DialectRoute] = [
        open(.GET, "/v1/gifs/search", GiphyCall("search", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs/trending", GiphyCall("trending", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs/random", GiphyCall("random", "gif")),
        open(.GET, "/v1/gifs/translate", GiphyCall("translate", "gif")),
        open(.GET, "/v1/gifs/related", GiphyCall("related", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs/categories", GiphyCall("categories", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs/categories/:category", GiphyCall("categories", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs/categories/:category/:subcategory", GiphyCall("categories", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs/search/tags", GiphyCall("tags", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs", GiphyCall("", "gif", freshFor: 300)),
        open(.GET, "/v1/gifs/:id", GiphyCall("", "gif", freshFor: 300)),
    ]

    private static let stickers: [DialectRoute] = [
        open(.GET, "/v1/stickers/search", GiphyCall("search", "sticker", freshFor: 300)),
        open(.GET, "/v1/stickers/trending", GiphyCall("trending", "sticker", freshFor: 300)),
        open(.GET, "/v1/stickers/random", GiphyCall("random", "sticker")),
        open(.GET, "/v1/stickers/translate", GiphyCall("translate", "sticker")),
        open(.GET, "/v1/stickers/related", GiphyCall("related", "sticker", freshFor: 300)),
    ]

    private static let texts: [DialectRoute] = [
        open(.GET, "/v1/text/search", GiphyCall("search", "text", freshFor: 300)),
        open(.GET, "/v1/text/trending", GiphyCall("trending", "text", freshFor: 300)),
        open(.GET, "/v1/text/random", GiphyCall("random", "text")),
        open(.GET, "/v1/text/translate", GiphyCall("translate", "text")),
    ]

    private static let words: [DialectRoute] = [
        open(.GET, "/v1/trending/searches", GiphyCall("searches", "gif", freshFor: 300)),
        open(.GET, "/v1/tags/related/:term", GiphyCall("tags", "gif", freshFor: 300)),
        DialectRoute(.GET, "/v1/randomid", .read, needsAccount: false) { _ in GiphyAnswer.randomID() },
    ]

    /// For whoever has a key or needs none: media knows.
    private static func open(_ method: HTTPMethod, _ path: String, _ call: GiphyCall) -> DialectRoute {
        DialectRoute(method, path, .read, needsAccount: false) { try await call.run($0) }
    }
}
