// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/moderation/decisions/:id/lift: what was decided holds no more.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Takes a decision back, and what it did as far as that can be: restrictions end, posts are not sensitive any more, removed posts
/// and projects come back. Doing it again changes nothing.
enum LiftDecision {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let moderator = try request.requireAccount()
        let id: DecisionID = try request.id()
        let decision = try await ModerationWork.run(moderator, dependencies) { work in
            DecisionStore.lock(id, in: work)
            let decision = try await DecisionStore.decision(id, in: work).found()
            try await work.requireMayDecide(about: decision.accountID)
            try await lift(decision, work)
            return try await DecisionStore.decision(id, in: work).found()
        }
        return try await DecisionView.answer(decision, dependencies)
    }

    /// The caller holds the decision's lock.
    static func lift(_ decision: DecisionRow, _ work: ModerationWork) async throws {
        guard decision.liftedAt == nil else { return }
        DecisionStore.lift(decision.id, at: work.now, in: work)
        switch (decision.action, decision.thing) {
        case (.remove, let thing?): _ = try await RestoreThing.run(thing, work)
        case (.sensitive, let thing?): try await unmark(thing, work)
        case (let action, nil):
            guard let restriction = action.restriction else { break }
            try await Restrict.lift(
                [restriction],
                from: decision.accountID,
                decision: decision.id,
                at: work.now,
                in: work.transaction
            )
        default: break
        }
        try await work.tell(decision.lifted(at: work.now))
        work.log(.lift, report: decision.reportID, decision: decision.id, about: decision.accountID)
    }

    /// A post may be gone by now.
    private static func unmark(_ thing: Thing, _ work: ModerationWork) async throws {
        guard let id = PostID(thing.id), try await PostStore.entry(id, viewer: nil, in: work) != nil else { return }
        try await MarkSensitive.run(thing, false, work)
    }
}
