// SPDX-License-Identifier: Apache-2.0
// /api/v1/gifs/collections: named collections of GIFs, each its owner's alone.

import Domain
import HTTPTypes
import Views
import Web

/// A collection as its owner sees it.
struct GifCollectionView: ObjectView {
    let collection: GifCollection

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", "\(collection.id)")
        json.member("name", collection.name)
        json.member("gifs_count", collection.count)
        json.member("created_at", collection.created)
    }
}

enum GifCollections {
    /// The newest first.
    @Sendable static func list(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 80)
        let all = try await GifCollectionStore.list(of: account, page, in: dependencies.database)
        return Answer.json(array: all.map(GifCollectionView.init))
            .linked(request, site: dependencies.site, newest: all.first?.id, oldest: all.last?.id)
    }

    @Sendable static func make(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let name = try name(request)
        let database = dependencies.database
        guard try await GifCollectionStore.count(of: account, in: database) < dependencies.gifs.collections else {
            throw GifFavourites.full
        }
        let id = try GifFavourites.place(dependencies)
        try await GifCollectionStore.make(id, of: account, named: name, at: dependencies.now(), in: database)
        return try await show(id, of: account, dependencies)
    }

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await show(id(request), of: request.requireAccount().id, dependencies)
    }

    @Sendable static func rename(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let (account, id, name) = (try request.requireAccount().id, try id(request), try name(request))
        guard try await GifCollectionStore.rename(id, of: account, to: name, in: dependencies.database) else {
            throw Problem.notFound
        }
        return try await show(id, of: account, dependencies)
    }

    @Sendable static func delete(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let (account, id) = (try request.requireAccount().id, try id(request))
        guard try await GifCollectionStore.delete(id, of: account, in: dependencies.database) else {
            throw Problem.notFound
        }
        return .empty
    }

    static func show(_ id: Int64, of account: AccountID, _ dependencies: Dependencies) async throws -> Answer {
        let collection = try await GifCollectionStore.collection(id, of: account, in: dependencies.database).found()
        return .json(GifCollectionView(collection: collection))
    }

    static func id(_ request: Request) throws -> Int64 { try (request.id() as MediaID).rawValue }

    private static func name(_ request: Request) throws -> String {
        let text = try request.parameters().string("name") ?? ""
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !name.isEmpty else { throw Problem.invalid("name", "blank") }
        guard name.unicodeScalars.count <= GifLimits.title else { throw Problem.invalid("name", "too_long") }
        return name
    }
}

enum CollectedGifs {
    /// The newest first.
    @Sendable static func list(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let (account, id) = (try request.requireAccount().id, try GifCollections.id(request))
        let page = try request.parameters().page(default: 20, maximum: 80)
        _ = try await GifCollectionStore.collection(id, of: account, in: dependencies.database).found()
        let rows = try await GifCollectionStore.gifs(in: id, page, in: dependencies.database)
        return GifFavourites.answer(rows, request, dependencies)
    }

    @Sendable static func add(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let (account, id) = (try request.requireAccount().id, try GifCollections.id(request))
        let database = dependencies.database
        _ = try await GifCollectionStore.collection(id, of: account, in: database).found()
        let gif = try await KeepGif.run(request.gifID("gif_id"), dependencies).number
        let isIn = try await GifCollectionStore.add(
            gif,
            to: id,
            of: account,
            at: GifFavourites.place(dependencies),
            limit: dependencies.gifs.collected,
            in: database
        )
        guard isIn else { throw GifFavourites.full }
        return try await GifCollections.show(id, of: account, dependencies)
    }

    @Sendable static func remove(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let (account, id) = (try request.requireAccount().id, try GifCollections.id(request))
        let named = try request.gifID("gif_id")
        _ = try await GifCollectionStore.collection(id, of: account, in: dependencies.database).found()
        if let gif = try await KeepGif.number(of: named, dependencies) {
            try await GifCollectionStore.remove(gif, from: id, of: account, in: dependencies.database)
        }
        return .empty
    }
}
