// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/search/suggestions: what somebody may be about to type.

import Domain
import Postgres
import Views
import Web

enum SuggestQueries {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let limit = try parameters.limit(default: 10, maximum: 20)
        let text = SearchQuery(try parameters.string("q") ?? "").here(dependencies.site).nameText
        let viewer = request.principal?.account?.id
        async let queries = popular(text, dependencies)
        var suggestions: [QuerySuggestion] = []
        for kind in [SearchKind.account, .hashtag, .project, .book, .playground, .channel] {
            let request = NameRequest(text, [kind], viewer: viewer, limit: limit)
            let ids = try await dependencies.index.complete(request).map(\.id)
            let names = try await NameTexts.of(ids, kind, in: dependencies.bounded)
            suggestions += ids.enumerated().compactMap { place, id in
                // A book is known by its title here, not by whoever has it.
                names[id].map { QuerySuggestion(kind: kind, id: kind == .book ? nil : id, text: $0, place: place) }
            }
        }
        suggestions += try await queries.enumerated().map { place, text in
            QuerySuggestion(kind: nil, id: nil, text: text, place: place)
        }
        // The best of each kind, then the second of each.
        let ordered = suggestions.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        return .json(array: ordered.prefix(limit).map(\.element))
    }

    private static func popular(_ text: String, _ dependencies: Dependencies) async throws -> [String] {
        return try await QueryStore.popular(beginning: text, in: dependencies.bounded)
    }
}

/// What might be searched for.
struct QuerySuggestion: View {
    /// Nil for what others asked.
    let kind: SearchKind?
    /// Nil for a book as well.
    let id: Int64?
    let text: String
    /// Among those of its kind, from 0 on.
    let place: Int

    private var type: String {
        switch kind {
        case .account: "account"
        case .hashtag: "hashtag"
        case .playground: "playground"
        case .channel: "channel"
        case .project: "project"
        case .book: "book"
        default: "query"
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("type", type)
            json.member("text", text)
            if let id { json.member("id", String(id)) }
        }
    }
}
