// SPDX-License-Identifier: Apache-2.0
// What somebody new does less often: posts, links, and names of people who do not follow them.

import Domain
import Events
import Postgres
import Serving
import Views

enum NewAccountLimits {
    /// What a post says.
    struct Said: Sendable {
        let text: String
        let mentions: [MentionSnapshot]

    }

    /// Counts a post, or what an edit adds to one; throws for what is too much of somebody new.
    static func count(
        _ said: Said,
        insteadOf before: Said? = nil,
        by author: AccountID,
        _ dependencies: Dependencies,
        in transaction: some Transacting
    ) async throws {
        let (new, now) = (dependencies.limits.newAccounts, dependencies.now())
        guard new.contain(author, now: now) else { return }
        if before == nil { try await new.count(.post, by: author, now: now, in: transaction) }
        let links = Set(PostText.links(in: said.text)).subtracting(PostText.links(in: before?.text ?? ""))
        try await new.count(.link, times: links.count, by: author, now: now, in: transaction)
        let named = Set(said.mentions.map(\.id)).subtracting((before?.mentions ?? []).map(\.id))
        guard !named.isEmpty else { return }
        let strangers = try await FollowStore.strangers(among: named.sorted(), to: author, in: transaction)
        try await new.count(.mention, times: strangers, by: author, now: now, in: transaction)
    }
}
