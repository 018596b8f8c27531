// SPDX-License-Identifier: Apache-2.0
// GET /api/v2/suggestions: whom one might follow, and why; /api/v1/suggestions without why.

import Calls
import Domain
import JSON
import NIOCore
import NIOHTTP1
import Surface
import Views

enum ListSuggestions {
    static func run(_ request: WorkRequest) async throws -> WorkAnswer {
        let (people, accounts) = try await suggestions(request)
        let sources = Dictionary(people.map { ($0.id, $0.sources) }) { first, _ in first }
        var json = JSONWriter(capacity: 64 + accounts.readableBytes)
        json.array { json in
            for account in RawJSON(accounts).elements ?? [] {
                let id = account.member("id")?.text.flatMap { AccountID($0) }
                let sources = id.flatMap { sources[$0] } ?? []
                json.object { json in
                    json.member("source", ListSuggestions.oldSource(sources))
                    json.member("sources", sources)
                    json.member("account", json: account.bytes)
                }
            }
        }
        return request.answer(json.bytes)
    }

    static func runOld(_ request: WorkRequest) async throws -> WorkAnswer {
        request.answer(try await suggestions(request).accounts)
    }

    private static func suggestions(
        _ request: WorkRequest
    ) async throws -> (people: [SuggestedPerson], accounts: ByteBuffer) {
        let parameters = try request.parameters()
        let limit = try parameters.number("limit", default: 40, 1...80)
        let offset = try parameters.number("offset", default: 0, 0...1000)
        let path = "\(SearchCall.suggestPeople.path)?limit=\(limit)&offset=\(offset)"
        let answer = try await request.askSearch(ServiceCall(.GET, .search, path))
        guard let people = SuggestedPeople(answer: answer)?.people.prefix(limit) else {
            throw WorkRequest.isAway("search: suggestions cannot be read")
        }
        return (Array(people), try await request.show(accounts: FoundAccounts(people.map(\.id))))
    }

    /// The one word for why that older apps read: `past_interactions` for what has to do with oneself, else `global`.
    private static func oldSource(_ sources: [String]) -> String {
        switch sources.first {
        case "featured": "staff"
        case "friends_of_friends", "similar_to_recently_followed": "past_interactions"
        default: "global"
        }
    }
}
