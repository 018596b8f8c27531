// SPDX-License-Identifier: Apache-2.0
// POST /internal/principal: the gateway asks who is behind a token.

import Domain
import Logging
import Views
import Web

/// Answers a token with a signed principal, from one statement.
enum ExchangeToken {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let token = try request.parameters().string("token"), !token.isEmpty else {
            throw Problem.badRequest("token")
        }
        let now = dependencies.now()
        guard
            let holder = try await SessionStore.holder(
                ofToken: Secret.hash(token),
                now: now,
                in: dependencies.database
            )
        else { throw Problem.unauthorized }
        let limit = now + dependencies.limits.principal
        let principal = Principal(
            account: holder.account,
            appID: holder.appID,
            appName: holder.appName,
            appWebsite: holder.appWebsite,
            sessionID: holder.sessionID,
            scopes: holder.scopes,
            expires: holder.expires.map { min($0, limit) } ?? limit
        )
        if now - holder.lastUsed > dependencies.limits.lastUse {
            do {
                try await SessionStore.touch(holder.sessionID, now: now, in: dependencies.database)
            } catch {
                // Who asks is known all the same.
                dependencies.logger.warning("A session's last use was not noted", metadata: ["error": "\(error)"])
            }
        }
        return .json(ExchangeView(principal: principal, signed: try dependencies.signer.sign(principal)))
    }
}

private struct ExchangeView: View {
    let principal: Principal
    let signed: String

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("principal", signed)
            json.member("expires", principal.expires.milliseconds)
            json.member("session_id", principal.sessionID)
            json.member("account_id", principal.account?.id)
            json.member("username", principal.account?.username.text)
            json.member("scopes", principal.scopes.description)
        }
    }
}
