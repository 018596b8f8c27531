// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/shelf/records/:id/favourite and /unfavourite.

import Web

/// Puts a record among its owner's favourites.
enum FavouriteRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await Records.change(request, dependencies, by: RecordDraft(isFavourite: true))
    }
}

/// Takes it from there.
enum UnfavouriteRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await Records.change(request, dependencies, by: RecordDraft(isFavourite: false))
    }
}
