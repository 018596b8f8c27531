// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/moderation/appeals/:id/accept and /reject, by the id of the decision: a moderator decides about an appeal.

import Domain
import Events
import Outbox
import Views
import Web

/// What was decided holds no more.
enum AcceptAppeal {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await DecideAppeal.run(request, dependencies, .accepted)
    }
}

/// It stays as it was decided.
enum RejectAppeal {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await DecideAppeal.run(request, dependencies, .rejected)
    }
}

enum DecideAppeal {
    fileprivate static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        _ state: AppealState
    ) async throws -> Answer {
        let moderator = try request.requireAccount()
        let id: DecisionID = try request.id()
        let decided = try await ModerationWork.run(moderator, dependencies) { work in
            DecisionStore.lock(id, in: work)
            let decision = try await DecisionStore.decision(id, in: work).found()
            guard decision.appeal?.state == .open else { throw Problem.appealDecided }
            try await work.requireMayDecide(about: decision.accountID)
            DecisionStore.decide(id, state, by: moderator.id, at: work.now, in: work)
            try work.record(
                AppealDecided(
                    decisionID: id,
                    accountID: decision.accountID,
                    isAccepted: state == .accepted,
                    decidedAt: work.now
                )
            )
            work.log(state == .accepted ? .accept : .reject, decision: id, about: decision.accountID)
            if state == .accepted { try await LiftDecision.lift(decision, work) }
            return try await DecisionStore.decision(id, in: work).found()
        }
        return try await DecisionView.answer(decided, dependencies)
    }
}
