// SPDX-License-Identifier: Apache-2.0
// POST /oauth/revoke: an app gives a token back (RFC 7009).

import Postgres
import Web

/// Ends the session of a token; a token that is unknown or another app's is no error, and nothing happens. Nor is none:
/// TootSDK sends none when somebody signs out.
enum RevokeToken {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let app = try await ClientCredentials(request, parameters).app(dependencies)
        guard let token = try parameters.string("token"), !token.isEmpty else { return .empty }
        let hash = Secret.hash(token)
        let family = RefreshToken(token)?.familyHash
        let audit = Audit(request, dependencies).by(app: app.id)
        try await dependencies.database.transaction { transaction in
            for ended in try await transaction.end(.token(hash, family: family, app.id)) {
                // An app alone may do so as often as it likes.
                guard let account = ended.accountID else { continue }
                try audit.note(.sessionEnded, .init(account: account, session: ended.id, app: app.id), in: transaction)
            }
        }
        return .empty
    }
}
