// SPDX-License-Identifier: Apache-2.0
// POST /internal/principal: the gateway asks who is behind a token.

import Calls
import Domain
import Logging
import Web

/// Answers a token with signed principals, from one statement of SQL.
enum ExchangeToken {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try TokenQuestion(request.parameters())
        let now = dependencies.now()
        let hash = Secret.hash(asked.token)
        guard
            let holder = try await SessionStore.holder(ofToken: hash, now: now, in: dependencies.database)
        else { throw Problem.unauthorized }
        // What a role allowed ends with it, whatever the token was once given.
        let isPrivileged = holder.account.map { $0.role != .user } ?? false
        guard let scopes = isPrivileged ? holder.scopes : holder.scopes.unprivileged else { throw Problem.unauthorized }
        // The first that is heard of a token that came out of a refresh just now.
        if let since = holder.unseenSince, since >= now - dependencies.limits.refreshGrace,
            try await !SessionStore.see(token: hash, now: now, in: dependencies.database)
        {
            throw Problem.unauthorized
        }
        // Until they have, they may only ask for the letter once more.
        let mustConfirm = holder.isUnconfirmed && dependencies.confirmsAddresses
        let limit = now + (mustConfirm ? dependencies.limits.unconfirmed : dependencies.limits.principal)
        let principal = Principal(
            account: holder.account,
            appID: holder.appID,
            appName: holder.appName,
            appWebsite: holder.appWebsite,
            sessionID: holder.sessionID,
            scopes: mustConfirm ? ScopeSet([]) : scopes,
            isOwnApp: holder.isOwnApp,
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
        let signer = dependencies.signer
        let caring = principal.caringForItself
        return .json(
            TokenAnswer(
                principal,
                common: asked.audiences.isEmpty ? try signer.sign(principal) : nil,
                own: try asked.audiences.map { ($0, try signer.sign($0 == "auth" ? caring : principal, for: $0)) }
            )
        )
    }
}

extension Principal {
    /// As auth itself is told of somebody: who may change nothing signs out elsewhere and changes their password all the same.
    fileprivate var caringForItself: Principal {
        Principal(
            account: account.map { Account(id: $0.id, username: $0.username, role: $0.role) },
            appID: appID,
            appName: appName,
            appWebsite: appWebsite,
            sessionID: sessionID,
            scopes: scopes,
            isOwnApp: isOwnApp,
            expires: expires
        )
    }
}
