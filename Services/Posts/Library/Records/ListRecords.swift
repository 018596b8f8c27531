// SPDX-License-Identifier: Apache-2.0
// The lists of records: somebody's own, and what they show others of them.

import Domain
import Events
import Web

/// GET /api/v1/shelf/records: all, those of one `state` (`planned` is what is to be read next), or those that ended in a
/// `year` or a `month` of it; the newest first.
enum ListRecords {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let state: ReadingState? = try parameters.word("state")
        let year = try parameters.number("year", in: 1...9999)
        let month = try parameters.number("month", in: 1...12)
        let list: RecordList
        switch (state, year) {
        case (let state?, nil): list = .inState(state)
        case (nil, let year?): list = .ended(year: year, month: month)
        case (nil, nil): list = .all
        case (_?, _?): throw Problem.invalid("state", "invalid")
        }
        return try await answer(list, request, dependencies)
    }

    static func answer(_ list: RecordList, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let records = try await RecordStore.page(page, of: list, of: owner, in: dependencies.database)
        let ends = [records.first, records.last].map { list == .favourites ? $0?.favouriteID : $0?.id.rawValue }
        return Answer.json(array: records.map { $0.view(site: dependencies.site) })
            .linked(request, site: dependencies.site, newest: ends[0], oldest: ends[1])
    }
}

/// GET /api/v1/shelf/favourites: in the order in which they became favourites.
enum ListFavouriteRecords {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListRecords.answer(.favourites, request, dependencies)
    }
}

/// GET /api/v1/shelf/books/:id/records: every reading of a book.
enum ListBookRecords {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let id: ShelfBookID = try request.id()
        let owner = try request.requireAccount().id
        guard try await ShelfBookStore.book(id, of: owner, in: dependencies.database) != nil else {
            throw Problem.notFound
        }
        return try await ListRecords.answer(.ofBook(id), request, dependencies)
    }
}

/// GET /api/v1/accounts/:id/records: what an account shows the viewer of its reading.
enum ListAccountRecords {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner: AccountID = try request.id()
        let page = try request.parameters().page(default: 20, maximum: 40)
        let reader = try await AccountStore.account(owner, in: dependencies.database).found()
        let records = try await RecordStore.shown(
            page,
            of: owner,
            to: request.viewer,
            in: dependencies.database
        )
        return Answer.json(array: records.map { $0.view(site: dependencies.site, reader: reader) })
            .linked(request, site: dependencies.site, records.map(\.id))
    }
}
