// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/trends/links: pages to which more people refer than usual.

import Postgres
import Views
import Web

enum TrendingLinks {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let part = try Part(request.parameters(), default: 10, maximum: 20)
        let ids = part.of(try await Trends.now(.link, dependencies)).map(\.id)
        guard !ids.isEmpty else { return .json(array: [CardView]()) }
        let addresses = try await LinkStore.addresses(ids, in: dependencies.bounded)
        let history = try await Histories(of: ids, .link, dependencies)
        return .json(array: ids.compactMap { id in addresses[id].map { CardView(url: $0, history: history[id]) } })
    }
}

/// Mastodon's `PreviewCard`, without what only a look at the page would tell.
struct CardView: View {
    let url: String
    let history: History

    private var host: String {
        let rest = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard rest.count > 1 else { return "" }
        return rest.last.map { String($0.prefix { !"/?#".contains($0) }) } ?? ""
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("url", url)
            json.member("title", url)
            json.member("description", "")
            json.null("language")
            json.member("type", "link")
            json.member("author_name", "")
            json.member("author_url", "")
            json.member("provider_name", host)
            json.member("provider_url", "")
            json.member("html", "")
            json.member("width", 0)
            json.member("height", 0)
            json.null("image")
            json.member("embed_url", "")
            json.null("blurhash")
            json.null("published_at")
            json.name("authors")
            json.array { _ in }
            json.member("history", history)
        }
    }
}
