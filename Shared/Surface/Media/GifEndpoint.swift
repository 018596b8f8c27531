// SPDX-License-Identifier: Apache-2.0
// The catalogue of GIFs, and what people keep of it.

import Domain

/// The catalogue of GIFs, and what people keep of it. What it answers to readers is GIPHY's JSON.
public enum GifEndpoint: String, EndpointGroup {
    case searchGifs, trendingGifs, randomGif, translateGif, relatedGifs, listGifCategories, listGifSubcategories,
        listCategoryGifs, suggestGifTags, relatedGifTags, trendingGifSearches, listGifs, showGif
    case addGif, changeGif, removeGif, takeGif
    case listGifFavourites, addGifFavourite, removeGifFavourite
    case listGifCollections, makeGifCollection, showGifCollection, renameGifCollection, deleteGifCollection,
        listCollectedGifs, collectGif, uncollectGif

    public static var service: ServiceName? { .media }

    public var endpoint: Endpoint {
        switch self {
        case .searchGifs: .get("/api/v1/gifs/search", .anyone)
        case .trendingGifs: .get("/api/v1/gifs/trending", .anyone)
        case .randomGif: .get("/api/v1/gifs/random", .anyone)
        case .translateGif: .get("/api/v1/gifs/translate", .anyone)
        case .relatedGifs: .get("/api/v1/gifs/related", .anyone)
        case .listGifCategories: .get("/api/v1/gifs/categories", .anyone)
        case .listGifSubcategories: .get("/api/v1/gifs/categories/:category", .anyone)
        case .listCategoryGifs: .get("/api/v1/gifs/categories/:category/:subcategory", .anyone)
        case .suggestGifTags: .get("/api/v1/gifs/tags", .anyone)
        case .relatedGifTags: .get("/api/v1/gifs/tags/:term", .anyone)
        case .trendingGifSearches: .get("/api/v1/gifs/searches", .anyone)
        case .listGifs: .get("/api/v1/gifs", .anyone)
        case .showGif: .get("/api/v1/gifs/:id", .anyone)
        case .addGif: .post("/api/v1/gifs", .account("write:media"))
        case .changeGif: .put("/api/v1/gifs/:id", .account("write:media"))
        case .removeGif: .delete("/api/v1/gifs/:id", .account("write:media"))
        case .takeGif: .post("/api/v1/gifs/:id/media", .account("write:media"))
        case .listGifFavourites: .get("/api/v1/gifs/favourites", .account("read:favourites"))
        case .addGifFavourite: .post("/api/v1/gifs/favourites/:gif_id", .account("write:favourites"))
        case .removeGifFavourite: .delete("/api/v1/gifs/favourites/:gif_id", .account("write:favourites"))
        case .listGifCollections: .get("/api/v1/gifs/collections", .account("read:favourites"))
        case .makeGifCollection: .post("/api/v1/gifs/collections", .account("write:favourites"))
        case .showGifCollection: .get("/api/v1/gifs/collections/:id", .account("read:favourites"))
        case .renameGifCollection: .put("/api/v1/gifs/collections/:id", .account("write:favourites"))
        case .deleteGifCollection: .delete("/api/v1/gifs/collections/:id", .account("write:favourites"))
        case .listCollectedGifs: .get("/api/v1/gifs/collections/:id/gifs", .account("read:favourites"))
        case .collectGif: .post("/api/v1/gifs/collections/:id/gifs/:gif_id", .account("write:favourites"))
        case .uncollectGif: .delete("/api/v1/gifs/collections/:id/gifs/:gif_id", .account("write:favourites"))
        }
    }
}
