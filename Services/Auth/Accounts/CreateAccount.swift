// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts: signing up through an app.

import Domain
import Web

/// Makes an account and answers with a token for it, which works at once.
enum CreateAccount {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard dependencies.registrations == .open else { throw RegistrationsClosed() }
        guard let principal = request.principal else { throw Problem.unauthorized }
        guard let app = try await AppStore.app(principal.appID, in: dependencies.database) else {
            throw Problem.unauthorized
        }
        let draft = try SignUp.draft(
            try request.parameters(),
            language: request.language,
            limits: dependencies.limits,
            by: .app
        )
        let device = request.browserName
        let (account, token) = try await SignUp.run(draft, request, dependencies) { account, transaction in
            let grant = Grant(app: app, account: account.id, scopes: principal.scopes, device: device)
            return (account, try await grant.insert(dependencies, in: transaction))
        }
        return token.answer.registering(account)
    }
}
