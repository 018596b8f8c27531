// SPDX-License-Identifier: Apache-2.0
// That it is still the same person who asks.

import Domain
import HTTPTypes
import Postgres
import Web

/// Who changes how they get in says once more who they are: a device left open is not enough.
enum FreshProof {
    /// Takes `password`, or `proof` with a new token of an issuer that the account is linked with.
    ///
    /// - Returns: the token; nil for a password.
    @discardableResult
    static func require(
        _ parameters: Parameters,
        _ account: AccountID,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> IDToken? {
        guard let session = request.principal?.sessionID else { throw Problem.unauthorized }
        if let password = try parameters.string("password") {
            _ = try await VerifyPassword.run(
                account: account,
                session: session,
                password: password,
                request,
                dependencies
            )
            return nil
        }
        guard let proof = try parameters.nested("proof") else { throw Missing() }
        return try await require(proof, account, dependencies)
    }

    /// - Parameter proof: `issuer`, `id_token` and, where the token has one, `nonce`.
    @discardableResult
    static func require(
        _ proof: Parameters,
        _ account: AccountID,
        _ dependencies: Dependencies
    ) async throws -> IDToken {
        guard let text = try proof.string("id_token") else { throw Missing() }
        let issuer = try dependencies.issuers.named(try proof.string("issuer"))
        let token = try await IDToken(text, of: issuer, nonce: try proof.string("nonce"), dependencies)
        let now = dependencies.now()
        guard now - token.issued <= dependencies.limits.freshProof else { throw TokenRefused(.tooOld) }
        try await dependencies.database.transaction { transaction in
            guard try await TakenTokenStore.take(token.hash, until: token.expires, in: transaction) else {
                throw TokenRefused(.repeated)
            }
            let identity = try await IdentityStore.find(
                issuer: issuer.address,
                subject: token.subject,
                in: transaction
            )
            guard identity?.accountID == account else { throw TokenRefused(.subject) }
        }
        return token
    }

    struct Missing: ProblemConvertible {
        var problem: Problem { Problem(.forbidden, "proof-needed", detail: PageText.detail("proof_needed")) }
    }
}
