// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/change_password: a new password.

import Domain
import Postgres
import Web

/// Replaces the password of somebody who knows the old one, and ends every other session. Whoever has none yet proves by an issuer who
/// they are.
enum ChangePassword {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let parameters = try request.parameters()
        guard let current = request.principal?.sessionID else { throw Problem.unauthorized }
        let found = try await confirmed(account.id, current, parameters, request, dependencies)
        let new: Password
        do throws(ValidationFault) {
            let own = [found.username.text, String((found.email ?? "").prefix { $0 != "@" })]
            new = try Password.choosing((try? parameters.string("new_password")) ?? "", apartFrom: own)
        } catch {
            throw ValidationFailure(faults: [("new_password", error)])
        }
        let hash = try await dependencies.passwords.hash(new, salt: dependencies.randomBytes(16))
        let audit = Audit(request, dependencies)
        let now = dependencies.now()
        let changed = try await dependencies.database.transaction { transaction in
            guard
                try await AccountStore.changePassword(
                    account.id,
                    from: found.passwordHash,
                    to: hash,
                    now: now,
                    in: transaction
                )
            else { return false }
            try await CodeStore.deleteUnused(of: account.id, in: transaction)
            let ended = try await transaction.end(.all(account.id, except: current))
            let subject = Audit.Subject(
                account: account.id,
                session: current,
                detail: "\(ended.count) other sessions ended"
            )
            try audit.note(.passwordChanged, subject, in: transaction)
            try await transaction.send(.passwordChanged(at: now), to: account.id, at: now)
            return true
        }
        guard changed else { throw Problem.conflict("password-changed") }
        return .empty
    }

    private static func confirmed(
        _ account: AccountID,
        _ session: SessionID,
        _ parameters: Parameters,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> AccountStore.Credentials {
        if let proof = try parameters.nested("proof") {
            let found = try await AccountStore.credentials(account, in: dependencies.database)
            if let found, found.passwordHash == nil {
                try await FreshProof.require(proof, account, dependencies)
                return found
            }
        }
        guard let old = try parameters.string("old_password") else {
            throw ValidationFailure(faults: [("old_password", .blank)])
        }
        return try await VerifyPassword.run(
            account: account,
            session: session,
            password: old,
            request,
            dependencies
        )
    }
}
