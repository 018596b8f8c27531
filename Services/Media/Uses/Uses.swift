// SPDX-License-Identifier: Apache-2.0
// The queue `media.uses`: which uploads something shows.

import Domain
import Events
import Outbox
import Postgres

/// Reacts to a batch as a whole: of each thing the newest word is kept, in one statement.
enum Uses {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "media.uses",
            prefetch: 256,
            gathering: .milliseconds(100),
            audiences: [.services],
            isOfConcern: { Showing($0)?.concernsUses ?? false },
            prepare: { arrivals, transaction in
                let showings = Showing.newest(of: arrivals.events).filter(\.concernsUses)
                try await keep(showings, at: dependencies.now(), in: transaction)
            },
            Reaction.noted([
                PostCreated.self, ReplyCreated.self, PostEdited.self, PostDeleted.self, MessageSent.self,
                MessageEdited.self, MessageDeleted.self, PlaygroundCreated.self, PlaygroundUpdated.self,
                PlaygroundDeleted.self, ProfileUpdated.self, ProjectDrafted.self, ProjectPublished.self,
                ProjectUpdated.self, ProjectDeleted.self,
            ])
        )
    }

    /// Keeps what things show by now.
    static func keep(_ showings: [Showing], at now: Timestamp, in transaction: Transaction) async throws {
        guard !showings.isEmpty else { return }
        let changed = try await UseStore.keep(showings, at: now, in: transaction)
        guard !changed.isEmpty else { return }
        // Two copies that change the uses of one upload at a time would each not see what the other changes.
        try await UseStore.lock(changed, in: transaction)
        UseStore.settle(changed, at: now, in: transaction)
    }
}
