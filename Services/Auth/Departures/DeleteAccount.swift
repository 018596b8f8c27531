// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/account: somebody leaves for good.

import Domain
import Postgres
import Views
import Web

/// Has the asking account deleted after the grace, once its owner has proven anew who they are.
///
/// Whose app never brought a code of the issuer may bring one with the proof (`proof[authorization_code]`): what the issuer gives for it
/// is given back before the account goes (App Store Review Guidelines, 5.1.1 (v)).
enum DeleteAccount {
    /// When the account will be deleted.
    struct Deletion: ObjectView {
        let moment: Timestamp

        func writeMembers(to json: inout JSONWriter) { json.member("deletion_at", moment) }
    }

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        try await FirstParty.require(request, dependencies)
        let parameters = try request.parameters()
        let token = try await FreshProof.require(parameters, account.id, request, dependencies)
        if let token, let code = try parameters.nested("proof")?.string("authorization_code") {
            await RefreshTokenOfIssuer.keep(code, token, dependencies)
        }
        return .unstored(Deletion(moment: try await ask(account.id, request, dependencies)))
    }

    static func ask(_ account: AccountID, _ request: Request, _ dependencies: Dependencies) async throws -> Timestamp {
        let now = dependencies.now()
        let audit = Audit(request, dependencies).by(account)
        return try await dependencies.database.transaction { transaction in
            try await Departures.ask(
                account,
                deletion: now + dependencies.limits.deletionGrace,
                audit,
                version: dependencies.ids.number(),
                now: now,
                in: transaction
            )
        }
    }
}
