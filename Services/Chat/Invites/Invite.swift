// SPDX-License-Identifier: Apache-2.0
// An invitation into a playground.

import Domain
import Postgres
import Views
import Web

/// An invitation into a playground.
struct Invite: Sendable {
    let code: String
    let playgroundID: PlaygroundID
    let creatorID: AccountID
    let createdAt: Timestamp
    let expiresAt: Timestamp?
    /// Nil for any number.
    let maxUses: Int64?
    let uses: Int64
    let revokedAt: Timestamp?

    /// Whether it still lets somebody in.
    func isGood(at now: Timestamp) -> Bool {
        if revokedAt != nil { return false }
        if let expiresAt, expiresAt <= now { return false }
        if let maxUses, uses >= maxUses { return false }
        return true
    }
}

extension Invite: ObjectView {
    func writeMembers(to json: inout JSONWriter) {
        json.member("code", code)
        json.member("playground_id", playgroundID)
        json.member("creator_id", creatorID)
        json.member("created_at", createdAt)
        json.member("expires_at", expiresAt)
        json.name("max_uses")
        if let maxUses { json.integer(maxUses) } else { json.null() }
        json.member("uses", uses)
    }
}

extension Invite {
    /// Of `invites`, in the order of the properties.
    static let columns: SQL =
        "code, playground_id, creator_id, created_at, expires_at, max_uses, uses, revoked_at"
}

extension Invite {
    /// The invite of the path.
    static func find(_ request: Request, _ dependencies: Dependencies) async throws -> Invite {
        let code = request.pathParameters["code"] ?? ""
        guard InviteCode.isWellFormed(code),
            let invite = try await InviteStore.invite(code, in: dependencies.database)
        else { throw Problem.notFound }
        return invite
    }
}
