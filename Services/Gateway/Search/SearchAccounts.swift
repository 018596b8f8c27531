// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/search?q=: people by their names, as mentions are completed.

import Calls
import Domain
import Web

/// Finds accounts by names that begin so or nearly do, whoever is called exactly so first.
enum SearchAccounts {
    static func run(_ request: WorkRequest) async throws -> WorkAnswer {
        let parameters = try request.parameters()
        let text = try parameters.sought()
        let limit = try parameters.number("limit", default: 40, 1...80)
        let offset = try parameters.number("offset", default: 0, 0...1000)
        let isFollowed = try parameters.boolean("following") ?? false
        var name = Username(acct: text.trimmed, domain: request.site.domain)
        var ids: [AccountID] = []
        switch SearchSubject(text, site: request.site) {
        case .account(let named): name = named
        case .handle(let named): name = named
        case .words, .post, .tag:
            let sought = String(text.trimmed.drop(while: { $0 == "@" }))
            let question = SearchQuestion(
                sought,
                [.account],
                limit: limit,
                offset: offset,
                isFollowed: isFollowed,
                isCompletion: true
            )
            ids = try await request.find(question)[.account].accounts
        }
        let wanted = FoundAccounts(ids, name: offset == 0 ? name : nil, isFollowed: isFollowed, limit: limit)
        return request.answer(try await request.show(accounts: wanted))
    }
}
