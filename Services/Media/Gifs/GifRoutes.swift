// SPDX-License-Identifier: Apache-2.0
// What answers the endpoints of the catalogue of GIFs.

import Surface
import Web

enum GifRoutes {
    static let all: [Route<Dependencies>] = Route.all(GifEndpoint.self, run)

    private static func run(_ endpoint: GifEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .searchGifs: SearchGifs.run
        case .trendingGifs: TrendingGifs.run
        case .randomGif: RandomGif.run
        case .translateGif: TranslateGif.run
        case .relatedGifs: RelatedGifs.run
        case .listGifCategories: GifCategories.list
        case .listGifSubcategories: GifCategories.subcategories
        case .listCategoryGifs: GifCategories.gifs
        case .suggestGifTags: GifTags.suggest
        case .relatedGifTags: GifTags.related
        case .trendingGifSearches: GifTags.trending
        case .listGifs: ListGifs.run
        case .showGif: ShowGif.run
        case .addGif: AddGif.run
        case .changeGif: ChangeGif.run
        case .removeGif: RemoveGif.run
        case .takeGif: TakeGif.run
        case .listGifFavourites: GifFavourites.list
        case .addGifFavourite: GifFavourites.add
        case .removeGifFavourite: GifFavourites.remove
        case .listGifCollections: GifCollections.list
        case .makeGifCollection: GifCollections.make
        case .showGifCollection: GifCollections.show
        case .renameGifCollection: GifCollections.rename
        case .deleteGifCollection: GifCollections.delete
        case .listCollectedGifs: CollectedGifs.list
        case .collectGif: CollectedGifs.add
        case .uncollectGif: CollectedGifs.remove
        }
    }
}
