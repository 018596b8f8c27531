// SPDX-License-Identifier: Apache-2.0
// A page of things that have titles: projects, records of reading and books.

import Calls
import Domain
import Postgres
import Web

/// What matches by its words. Where there is no second page of that, what is called so as well, as it is while one types: by
/// initial consonants and with a slip.
struct TitledPage: Sendable {
    let hits: [SearchHit]
    /// Besides the hits.
    let named: [Int64]
    let next: String?

    static func of(
        _ kind: SearchKind,
        _ question: SearchQuestion,
        _ viewer: AccountID?,
        _ dependencies: Dependencies
    ) async throws -> TitledPage {
        var query = SearchQuery(question.text).here(dependencies.site)
        // Who types the number of a book means it as a whole, with hyphens or without.
        if kind != .project, let isbn = ISBN(question.text) {
            query = SearchQuery(restrictions: [SearchQuery.Restriction(.isbn(isbn))])
        }
        var request = SearchRequest(kind, query, viewer: viewer)
        request.limit = question.limit
        request.before = question.before
        request.after = question.after
        request.author = question.author
        if let text = question.cursor {
            guard let cursor = SearchCursor(text) else { throw Problem.invalid("cursor", "invalid") }
            request.cursor = cursor
        }
        let page = try await words(request, dependencies)
        let room = question.limit - page.hits.count
        guard request.cursor == nil, page.next == nil, room > 0, isName(request) else {
            return TitledPage(hits: page.hits, named: [], next: page.next?.description)
        }
        let names = NameRequest(query.nameText, [kind], viewer: viewer, limit: question.limit)
        let shown = Set(page.hits.map(\.id))
        let named = try await dependencies.index.complete(names).map(\.id).filter { !shown.contains($0) }
        return TitledPage(hits: page.hits, named: Array(named.prefix(room)), next: nil)
    }

    /// Without what nothing could match.
    private static func words(_ request: SearchRequest, _ dependencies: Dependencies) async throws -> SearchPage {
        let query = request.query
        // Signs alone are nothing to look for.
        guard
            !query.restrictions.isEmpty
                || query.words.contains(where: { !$0.isExcluded && Wanted(exactly: $0.text) != nil })
        else { return SearchPage(hits: [], next: nil, isCut: false) }
        return try await dependencies.index.find(request)
    }

    /// Whether what is asked may be a title, and nothing besides.
    private static func isName(_ request: SearchRequest) -> Bool {
        let query = request.query
        return query.restrictions.isEmpty && !query.words.contains { $0.isPhrase || $0.isExcluded }
            && request.before == nil && request.after == nil && request.author == nil
    }
}
