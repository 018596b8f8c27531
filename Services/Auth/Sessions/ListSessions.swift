// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/sessions: where somebody is signed in.

import Domain
import Views
import Web

/// Lists the apps and browsers that act for the account, the newest first.
enum ListSessions {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        try await FirstParty.require(request, dependencies)
        let sessions = try await SessionStore.list(of: account.id, now: dependencies.now(), in: dependencies.database)
        let current = request.principal?.sessionID
        return .json(array: sessions.map { SessionView(session: $0, isCurrent: $0.id == current) })
    }
}

private struct SessionView: ObjectView {
    let session: SessionStore.Listed
    let isCurrent: Bool

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", session.id)
        json.member("app_name", session.appName)
        json.member("app_website", session.appWebsite)
        json.member("device", session.device)
        json.member("scopes", session.scopes.split(separator: " ").map(String.init))
        json.member("created_at", session.created)
        json.member("last_used_at", session.lastUsed)
        json.member("current", isCurrent)
    }
}
