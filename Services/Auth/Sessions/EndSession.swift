// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/sessions/:id and DELETE /api/v1/sessions: signing out elsewhere.

import Domain
import Postgres
import Web

/// Ends one session of the account; another's session does not exist for it.
enum EndSession {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: SessionID = try request.id()
        try await FirstParty.require(request, dependencies)
        let audit = Audit(request, dependencies)
        let count = try await dependencies.database.transaction { transaction in
            let ended = try await transaction.end(.oneOf(account.id, id))
            for session in ended {
                try audit.note(.sessionEnded, .init(account: account.id, session: session.id), in: transaction)
            }
            return ended.count
        }
        guard count > 0 else { throw Problem.notFound }
        return .empty
    }
}

/// Ends every session of the account but the one that asks.
enum EndOtherSessions {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let current = request.principal?.sessionID
        try await FirstParty.require(request, dependencies)
        let audit = Audit(request, dependencies)
        try await dependencies.database.transaction { transaction in
            let ended = try await transaction.end(.all(account.id, except: current))
            let subject = Audit.Subject(account: account.id, session: current, detail: "\(ended.count) others")
            try audit.note(.sessionEnded, subject, in: transaction)
        }
        return .empty
    }
}
