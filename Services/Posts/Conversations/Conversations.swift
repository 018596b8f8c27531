// SPDX-License-Identifier: Apache-2.0
// How direct posts become conversations, and how these are shown.

import Domain
import Events
import Postgres
import Views

enum Conversations {
    /// Brings a direct post, new or edited, into the conversations of those whom it concerns, and tells their connections.
    static func follow(
        _ post: PostSnapshot,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard post.visibility == .direct else { return }
        let others = try await ConversationStore.leave(post.id, in: transaction)
        var changed = try await ConversationStore.follow(post.id, in: transaction)
        changed += others.filter { !changed.contains($0) }
        try await tell(changed, of: post.id, version: post.version, dependencies, transaction)
    }

    /// Takes a deleted direct post out of conversations, and tells connections what is the last now.
    static func leave(
        _ post: PostID,
        version: Int64,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let changed = try await ConversationStore.leave(post, in: transaction)
        try await tell(changed, of: post, version: version, dependencies, transaction)
    }

    /// Each of the people is told what they see of it. Of many people nobody is told: everybody's view shows all of them.
    private static func tell(
        _ ids: [ConversationID],
        of post: PostID,
        version: Int64,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard !ids.isEmpty, ids.count <= dependencies.limits.peopleTold else { return }
        let conversations = try await ConversationStore.conversations(ids, in: transaction)
        for view in try await views(of: conversations, dependencies, in: transaction) {
            let news = Fanout.News(event: "conversation", payload: view.view.json(), post: post, version: version)
            try Fanout.tell(news, on: [LiveUpdate.direct(view.account)], except: [], transaction)
        }
    }

    /// What each account sees of each of its conversations, in their order.
    static func views(
        of conversations: [Conversation],
        _ dependencies: Dependencies,
        in database: some Querying
    ) async throws -> [(account: AccountID, view: ConversationView)] {
        let shown = conversations.map { people($0, most: dependencies.limits.peopleShown) }
        let wanted = Array(Set(shown.joined()))
        let accounts = wanted.isEmpty ? [] : try await AccountStore.accounts(wanted, in: database)
        let known = Dictionary(accounts.map { ($0.id, $0) }) { first, _ in first }
        return zip(conversations, shown).map { conversation, people in
            let view = ConversationView(
                id: conversation.id,
                unread: conversation.unread,
                accounts: people.compactMap { known[$0] },
                lastStatus: conversation.last.view(for: conversation.account, site: dependencies.site),
                site: dependencies.site
            )
            return (conversation.account, view)
        }
    }

    /// The others; for somebody who talks to nobody, themselves.
    private static func people(_ conversation: Conversation, most: Int) -> [AccountID] {
        let others = conversation.party.filter { $0 != conversation.account }
        return others.isEmpty ? conversation.party : Array(others.prefix(most))
    }
}
