// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/search?q=: accounts whose names begin with a text.

import Domain
import Views
import Web

/// Finds accounts, for completing a mention and for finding people.
enum SearchAccounts {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let parameters = try request.parameters()
        guard let text = try parameters.text("q", limit: 200) else { throw Problem.badRequest("q") }
        let limit = Int(min(max(try parameters.integer("limit") ?? 40, 1), 80))
        let offset = Int(min(max(try parameters.integer("offset") ?? 0, 0), 1000))
        let followed = try parameters.boolean("following") ?? false
        guard let name = name(text, domain: dependencies.site.domain) else { return .json(array: [AccountView]()) }
        let accounts = try await AccountStore.search(
            name,
            viewer: account.id,
            followedBy: followed ? account.id : nil,
            limit: limit,
            offset: offset,
            in: dependencies.database
        )
        return .json(array: accounts.map { AccountView($0, site: dependencies.site) })
    }

    /// The text without `@` and this server's domain; nil when nobody here can be meant.
    private static func name(_ text: String, domain: String) -> String? {
        let text = text.drop(while: { $0 == "@" || $0.isWhitespace })
        guard !text.isEmpty else { return nil }
        if text.contains("@") { return Username(acct: String(text), domain: domain)?.text }
        return String(text)
    }
}
