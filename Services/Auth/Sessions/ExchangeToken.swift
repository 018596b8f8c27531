// SPDX-License-Identifier: Apache-2.0
// POST /internal/principal: the gateway asks who is behind a token.

import Domain
import Logging
import Views
import Web

/// Answers a token with signed principals, from one statement of SQL.
///
/// With `audiences`, names of services, each is signed a statement of its own, which no other believes. A gateway of the
/// previous release names none and is given one for all.
enum ExchangeToken {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let token = try request.parameters().string("token"), !token.isEmpty else {
            throw Problem.badRequest("token")
        }
        let audiences = try request.parameters().strings("audiences") ?? []
        guard audiences.count <= 16, audiences.allSatisfy({ (1...32).contains($0.utf8.count) }) else {
            throw Problem.badRequest("audiences")
        }
        let now = dependencies.now()
        let hash = Secret.hash(token)
        guard
            let holder = try await SessionStore.holder(ofToken: hash, now: now, in: dependencies.database)
        else { throw Problem.unauthorized }
        // What a role allowed ends with it, whatever the token was once given.
        let isPrivileged = holder.account.map { $0.role != .user } ?? false
        guard let scopes = isPrivileged ? holder.scopes : holder.scopes.unprivileged else { throw Problem.unauthorized }
        // The first that is heard of a token that came out of a refresh just now.
        if let since = holder.unseenSince, since >= now + (.zero - dependencies.limits.refreshGrace),
            try await !SessionStore.see(token: hash, now: now, in: dependencies.database)
        {
            throw Problem.unauthorized
        }
        let limit = now + dependencies.limits.principal
        let principal = Principal(
            account: holder.account,
            appID: holder.appID,
            appName: holder.appName,
            appWebsite: holder.appWebsite,
            sessionID: holder.sessionID,
            scopes: scopes,
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
        return .json(
            ExchangeView(
                principal: principal,
                signed: audiences.isEmpty ? try signer.sign(principal) : nil,
                signedFor: try audiences.map { ($0, try signer.sign(principal, for: $0)) }
            )
        )
    }
}

private struct ExchangeView: View {
    let principal: Principal
    let signed: String?
    let signedFor: [(audience: String, signed: String)]

    func write(to json: inout JSONWriter) {
        json.object { json in
            if let signed { json.member("principal", signed) }
            if !signedFor.isEmpty {
                json.member(
                    "principals",
                    object: { json in
                        for (audience, signed) in signedFor {
                            json.dynamicName(audience)
                            json.string(signed)
                        }
                    }
                )
            }
            json.member("expires", principal.expires.milliseconds)
            json.member("session_id", principal.sessionID)
            json.member("account_id", principal.account?.id)
            json.member("username", principal.account?.username.text)
            json.member("scopes", principal.scopes.description)
        }
    }
}
