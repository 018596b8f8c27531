// SPDX-License-Identifier: Apache-2.0
// POST /internal/search: what somebody may find.

import Calls
import Domain
import Web

enum Find {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let question = try SearchQuestion(request.parameters())
        var found: [FoundKind: [Found]] = [:]
        for kind in question.kinds {
            found[kind] = try await find(kind, question, for: request.principal?.account?.id, dependencies)
        }
        return .json(SearchFindings(found))
    }

    private static func find(
        _ kind: FoundKind,
        _ question: SearchQuestion,
        for viewer: AccountID?,
        _ dependencies: Dependencies
    ) async throws -> [Found] {
        let wanted = question.offset + question.limit
        var search = SearchRequest(SearchKind(kind), SearchQuery(question.text), viewer: viewer)
        search.limit = wanted
        search.before = question.before
        search.after = question.after
        search.author = question.author
        search.places = question.place.map { [$0] } ?? []
        let page = try await dependencies.index.find(search)
        return page.hits.dropFirst(question.offset).map { Found($0.id) }
    }
}

extension SearchKind {
    init(_ kind: FoundKind) {
        switch kind {
        case .account: self = .account
        case .post: self = .post
        case .hashtag: self = .hashtag
        case .playground: self = .playground
        case .channel: self = .channel
        case .message: self = .message
        }
    }
}
