// SPDX-License-Identifier: Apache-2.0
// POST /internal/messages: what people say at the same time over connections of one gateway.

import Calls
import Domain
import HTTPTypes
import Serving
import Surface
import Web

/// Answers each message as if it had come alone. They reach their lane together, and so share its next transaction.
enum SendBatch {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let said = try BatchQuestion.messages(request.parameters())
        let answers = await withTaskGroup(of: (place: Int, answer: Answer).self) { group in
            for (place, one) in said.enumerated() {
                group.addTask { (place, await answer(to: one, request, dependencies)) }
            }
            return await group.reduce(into: [Answer?](repeating: nil, count: said.count)) { $0[$1.place] = $1.answer }
        }
        return .json { MessagesAnswer.write(answers.compactMap(\.self).map { ($0.status.code, $0.body) }, to: &$0) }
    }

    private static func answer(
        to said: SaidMessage<Parameters>,
        _ request: Request,
        _ dependencies: Dependencies
    ) async -> Answer {
        let language = Language(acceptLanguage: said.language)
        do {
            let author = try author(said.principal, dependencies)
            try await EnsureAccount.run(author, dependencies)
            return try await SendMessage.answer(to: said.message, in: said.channel, as: author.id, dependencies)
        } catch {
            return SendMessages.answer(of: error, to: request, in: language, dependencies)
        }
    }

    /// Throws what somebody is told who may not speak.
    private static func author(_ statement: String, _ dependencies: Dependencies) throws -> Principal.Account {
        guard let principal = dependencies.principals?.principal(statement) else { throw Problem.unauthorized }
        let (access, account) = (MessageEndpoint.sendMessage.endpoint.access, principal.account)
        try access.require(principal.scopes, hasAccount: account != nil)
        try access.requireNotFrozen(account?.isFrozen ?? false)
        guard let account else { throw Problem.unauthorized }
        return account
    }
}
