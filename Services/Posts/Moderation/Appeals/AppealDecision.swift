// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/decisions/:id/appeal and /api/v1/decisions/appeal: somebody objects to a decision about them, once.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Web

/// By whoever is signed in.
enum AppealDecision {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        return try await appeal(to: request.id(), by: account, request.parameters(), dependencies)
    }

    /// Throws once the time for it is over, and when there was one.
    static func appeal(
        to id: DecisionID,
        by account: AccountID,
        _ parameters: Parameters,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        guard let text = try parameters.prose("text", limit: dependencies.limits.moderation.appeal) else {
            throw Problem.invalid("text", "blank")
        }
        let now = dependencies.now()
        try await dependencies.database.transaction { transaction in
            DecisionStore.lock(id, in: transaction)
            let decision = try await DecisionStore.decision(id, in: transaction).found()
            guard decision.accountID == account else { throw Problem.notFound }
            guard decision.liftedAt == nil, decision.appealUntil > now else { throw Problem.appealClosed }
            guard try await DecisionStore.appeal(to: id, by: account, text, at: now, in: transaction) else {
                throw Problem.alreadyAppealed
            }
            try transaction.record(AppealMade(decisionID: id, accountID: account, madeAt: now))
        }
        return try await GetOwnDecision.answer(id, of: account, dependencies)
    }
}

/// By the link of the letter, for whoever cannot sign in. It is good for one appeal, as there is one to each decision.
enum AppealByLink {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let token = try token(parameters, dependencies)
        return try await AppealDecision.appeal(to: token.decisionID, by: token.accountID, parameters, dependencies)
    }

    /// Throws for none that is good.
    static func token(_ parameters: Parameters, _ dependencies: Dependencies) throws -> AppealToken {
        guard let text = try parameters.string("token"),
            let token = dependencies.appealTokens?.appeal(text, at: dependencies.now())
        else { throw Problem.notFound }
        return token
    }
}

extension Problem {
    static var appealClosed: Problem {
        .own(
            .unprocessableContent,
            "appeal-closed",
            english: "Nobody can appeal to this decision any more",
            korean: "이 결정에는 더 이상 이의를 제기할 수 없습니다",
            japanese: "この決定にはもう異議を申し立てられません"
        )
    }

    static var alreadyAppealed: Problem {
        .own(
            .conflict,
            "already-appealed",
            english: "You have appealed to this decision already",
            korean: "이 결정에 이미 이의를 제기했습니다",
            japanese: "この決定にはすでに異議を申し立てています"
        )
    }

    static var appealDecided: Problem {
        .own(
            .conflict,
            "appeal-decided",
            english: "No appeal to this decision waits",
            korean: "이 결정에 대기 중인 이의 제기가 없습니다",
            japanese: "この決定に対応待ちの異議申し立てはありません"
        )
    }
}
