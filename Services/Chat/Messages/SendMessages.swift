// SPDX-License-Identifier: Apache-2.0
// POST /internal/channels/:id/messages: what somebody said over one connection while a message before it was stored.

import Calls
import Domain
import HTTPTypes
import Postgres
import Serving
import Web

/// Stores messages in their order, in one transaction, and answers each as if it had come alone.
enum SendMessages {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let channel: ChannelID = try request.id()
        let said = try MessagesQuestion.messages(request.parameters())
        try await EnsureAccount.run(account, dependencies)
        var answers = try await together(said, to: channel, as: account.id, dependencies)
        if answers.isEmpty { answers = try await oneByOne(said, to: channel, as: account.id, request, dependencies) }
        let told = answers.map { (status: $0.status.code, body: $0.body) }
        return .json { MessagesAnswer.write(told, to: &$0) }
    }

    /// - Returns: nothing when one of them was refused, and none was stored.
    private static func together(
        _ said: [Parameters],
        to channel: ChannelID,
        as author: AccountID,
        _ dependencies: Dependencies
    ) async throws -> [Answer] {
        do {
            let drafts = try said.map { try SendMessage.draft(of: $0, dependencies) }
            let outcomes = try await SendMessage.send(drafts, to: channel, as: author, dependencies)
            return try await SendMessage.answers(outcomes, dependencies)
        } catch is Problem {
            return []
        } catch let error as PostgresError where error.kind != .away {
            return []
        }
    }

    private static func oneByOne(
        _ said: [Parameters],
        to channel: ChannelID,
        as author: AccountID,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> [Answer] {
        var answers: [Answer] = []
        for message in said {
            do {
                answers.append(try await SendMessage.answer(to: message, in: channel, as: author, dependencies))
            } catch {
                answers.append(answer(of: error, to: request, in: request.language, dependencies))
            }
        }
        return answers
    }

    /// What one of several messages is told: of the others the answers are known, whatever became of this one.
    static func answer(
        of error: any Error,
        to request: Request,
        in language: Language,
        _ dependencies: Dependencies
    ) -> Answer {
        let problem = Problem(for: error) { ($0 as? PostgresError).flatMap { Problem(of: $0) } }
        problem.log(of: request, to: dependencies.logger)
        return problem.answer(language: language, requestID: request.requestID)
    }
}
