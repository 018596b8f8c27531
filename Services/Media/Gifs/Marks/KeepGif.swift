// SPDX-License-Identifier: Apache-2.0
// The number under which somebody keeps a GIF.

import Domain
import Web

/// An entry of one's own catalogue has its id. One of others is kept as it was, so that lists show it whoever is away.
enum KeepGif {
    /// Throws a 404 where there is none, and a 503 where nobody knows.
    static func run(_ id: GifID, _ dependencies: Dependencies) async throws -> (gif: FoundGif, number: MediaID) {
        switch id {
        case .own(let id):
            return (.own(try await GifStore.gif(id, in: dependencies.database).found()), id)
        case .upstream(let id):
            let database = dependencies.database
            let known = try await UpstreamGifStore.gif(id, in: database)
            let gif = if let known { known } else { try await FindGifs.upstream(id, dependencies) }
            let new: MediaID = try dependencies.ids.next()
            let number = try await UpstreamGifStore.keep(gif, as: new, at: dependencies.now(), in: database)
            return (.upstream(gif), try number.found())
        }
    }

    /// Nil for one that nobody keeps.
    static func number(of id: GifID, _ dependencies: Dependencies) async throws -> MediaID? {
        switch id {
        case .own(let id): id
        case .upstream(let id): try await UpstreamGifStore.number(of: id, in: dependencies.database)
        }
    }
}
