// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/favourites, POST and DELETE /api/v1/gifs/favourites/:gif_id: GIFs that somebody keeps.

import Domain
import HTTPTypes
import Views
import Web

enum GifFavourites {
    /// The newest first.
    @Sendable static func list(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 80)
        let rows = try await GifFavouriteStore.list(of: account, page, in: dependencies.database)
        return answer(rows, request, dependencies)
    }

    /// Two that come at a time may each find room for the last.
    @Sendable static func add(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let database = dependencies.database
        let (found, gif) = try await KeepGif.run(request.gifID("gif_id"), dependencies)
        let standing = try await GifFavouriteStore.standing(of: gif, for: account, in: database).found()
        guard standing.isThere else { throw Problem.notFound }
        if !standing.isKept {
            guard standing.count < dependencies.gifs.favourites else { throw full }
            try await GifFavouriteStore.add(gif, to: account, at: place(dependencies), in: database)
        }
        return .json(FoundGifView(gif: found, site: dependencies.site))
    }

    @Sendable static func remove(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        if let gif = try await KeepGif.number(of: request.gifID("gif_id"), dependencies) {
            try await GifFavouriteStore.remove(gif, from: account, in: dependencies.database)
        }
        return .empty
    }

    /// A list by places, linked by them.
    static func answer(_ rows: [PlacedGif], _ request: Request, _ dependencies: Dependencies) -> Answer {
        Answer.json(array: rows.map { FoundGifView(gif: $0.gif, site: dependencies.site) })
            .linked(request, site: dependencies.site, newest: rows.first?.place, oldest: rows.last?.place)
    }

    /// A number above all that were given, which is an id: it tells when.
    static func place(_ dependencies: Dependencies) throws -> Int64 {
        try dependencies.ids.next(MediaID.self).rawValue
    }

    /// No room for more.
    static let full = Problem.own(
        .unprocessableContent,
        "full",
        english: "There is no room for more: remove some first",
        korean: "더 추가할 수 없습니다. 먼저 일부를 삭제하세요",
        japanese: "これ以上追加できません。先にいくつか削除してください"
    )
}
