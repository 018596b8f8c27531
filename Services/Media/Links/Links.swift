// SPDX-License-Identifier: Apache-2.0
// The queue `media.links`: which pages posts, messages and projects link to.

import Domain
import Events
import Outbox
import Postgres
import ServiceKit
import Serving
import Views

/// The page whose preview something shows now.
struct Mention: Sendable {
    let showing: Showing
    /// In its canonical form; nil for none.
    let url: String?
}

/// Reacts to a batch as a whole: of each thing the newest word is kept, in one statement.
enum Links {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "media.links",
            prefetch: 256,
            gathering: .milliseconds(100),
            audiences: [.services],
            isOfConcern: { event in
                BlockListStore.seen(event) != nil
                    || dependencies.previews.areOn && Showing(event)?.concernsLinks ?? false
            },
            prepare: { arrivals, transaction in
                guard dependencies.previews.areOn else { return }
                try await keep(Showing.newest(of: arrivals.events), dependencies, in: transaction)
            },
            // What is a draft is for its leader's eyes alone: no page is asked for it.
            Reaction.noted([
                PostCreated.self, ReplyCreated.self, PostEdited.self, PostDeleted.self, MessageSent.self,
                MessageEdited.self, MessageDeleted.self, ProjectPublished.self, ProjectUpdated.self,
                ProjectDeleted.self,
            ]) + BlockListStore.reactions
        )
    }

    private static func keep(_ showings: [Showing], _ dependencies: Dependencies, in transaction: Transaction)
        async throws
    {
        let mentions = showings.filter(\.concernsLinks).map { Mention(showing: $0, url: $0.link) }
        guard !mentions.isEmpty else { return }
        try await LinkStore.mention(
            mentions,
            ids: try mentions.map { _ in try dependencies.ids.next() },
            at: dependencies.now(),
            in: transaction
        )
        transaction.afterCommit { [linked = dependencies.linked] in linked.ring() }
    }
}
