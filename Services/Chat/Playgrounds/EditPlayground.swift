// SPDX-License-Identifier: Apache-2.0
// PATCH /api/v1/playgrounds/:id: another name, description or cover, or another way in.

import Domain
import Events
import Web

/// Changes what the request names; nothing is told when nothing is different.
enum EditPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let draft = try PlaygroundDraft(try request.parameters(), limits: dependencies.limits)
        try await draft.awaitCover(dependencies)
        try await ChangePlayground.run(request, dependencies, .edit) { change in
            guard draft.changes(change.playground) else { return }
            let work = change.work
            let term = try await work.check([draft.name, draft.description])
            try work.flag(term, in: change.id, by: change.actor.id)
            if draft.cover?.id != change.playground.coverID {
                try await draft.checkCover(of: change.actor.id, in: work)
            }
            PlaygroundStore.update(change.id, draft, at: work.stamp(), in: work)
            guard let seen = try await PlaygroundStore.seen(change.id, by: change.actor.id, in: work) else { return }
            try work.record(PlaygroundUpdated(playground: seen.playground.snapshot))
            try work.tell(.playground("updated", PlaygroundView(seen.playground, site: work.site)), in: change.everyone)
        }
        return try await ChangePlayground.answer(request, dependencies)
    }
}

extension PlaygroundDraft {
    /// Whether a playground is anything else than this.
    fileprivate func changes(_ playground: PlaygroundRow) -> Bool {
        (name != nil && name != playground.name) || (description != nil && description != playground.description)
            || (isOpen != nil && isOpen != playground.isOpen) || (cover != nil && cover?.id != playground.coverID)
    }
}
