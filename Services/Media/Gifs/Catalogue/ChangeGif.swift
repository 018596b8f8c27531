// SPDX-License-Identifier: Apache-2.0
// PUT and DELETE /api/v1/gifs/:id: what is said of a GIF, and its end.

import Domain
import HTTPTypes
import Postgres
import Web

enum ChangeGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let id: MediaID = try request.id()
        let parameters = try request.parameters()
        try await dependencies.database.transaction { transaction in
            let gif = try await lock(id, for: request, in: transaction)
            var text = gif.text
            try text.change(by: parameters)
            if text != gif.text { GifStore.change(id, to: text, in: transaction) }
        }
        let gif = try await GifStore.gif(id, in: dependencies.database).found()
        return GifAnswer.one(.own(gif), request, dependencies)
    }

    /// The entry, for whoever may change it: who imported it, or administers.
    static func lock(_ id: MediaID, for request: Request, in transaction: Transaction) async throws -> Gif {
        let account = try request.requireAccount()
        let gif = try await GifStore.lock(id, in: transaction).found()
        guard gif.importer == account.id || account.administers else { throw Problem.forbidden }
        return gif
    }
}

/// The upload goes like any other that nothing shows; what was taken into posts and messages stays.
enum RemoveGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let id: MediaID = try request.id()
        let now = dependencies.now()
        try await dependencies.database.transaction { transaction in
            _ = try await ChangeGif.lock(id, for: request, in: transaction)
            try await remove(id, at: now, in: transaction)
        }
        return .empty
    }

    static func remove(_ id: MediaID, at now: Timestamp, in transaction: Transaction) async throws {
        GifStore.delete(id, in: transaction)
        try await AddGif.show(id, [], at: now + .milliseconds(1), in: transaction)
    }
}
