// SPDX-License-Identifier: Apache-2.0
// Gives back what issuers gave.

import Domain
import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Web

/// Revokes refresh tokens (RFC 7009) that were put down for it, again and again until the issuer has answered, for thirty days.
struct RevocationWorker: Service {
    let dependencies: Dependencies

    private static let pause = Duration.seconds(5)
    private static let patience = Duration.seconds(30 * 86_400)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await repeatedly(
                every: RevocationWorker.pause,
                orSaying: "tokens of issuers wait to be given back",
                to: dependencies.logger
            ) {
                while try await step() {}
            }
        }
    }

    /// Gives one back. False where none is due.
    func step() async throws -> Bool {
        let now = dependencies.now()
        guard let revocation = try await RevocationStore.claim(at: now, in: dependencies.database) else { return false }
        let outcome: String
        do {
            try await revoke(revocation)
            outcome = "given back"
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            dependencies.logger.warning(
                "a token of an issuer was not given back",
                metadata: ["issuer": "\(revocation.issuer)", "error": "\(error)"]
            )
            guard now - revocation.asked > RevocationWorker.patience || error is Unreadable else { return true }
            outcome = "given up: \(error)"
        }
        let audit = Audit(actor: "madang", dependencies)
        try await dependencies.database.transaction { transaction in
            try await RevocationStore.end(revocation.id, in: transaction)
            let subject = Audit.Subject(account: revocation.accountID, detail: "\(revocation.issuer) \(outcome)")
            try audit.note(.issuerTokenRevoked, subject, in: transaction)
        }
        return true
    }

    /// It was closed under another key.
    private struct Unreadable: Error {}

    private func revoke(_ revocation: RevocationStore.Revocation) async throws {
        let issuers = dependencies.issuers
        guard let issuer = issuers.at(revocation.issuer) else { throw IssuerAway(cause: "not named any more") }
        let place = SealedToken.place(revocation.issuer, revocation.subject)
        guard let token = issuers.seal.open(revocation.sealedToken, of: place) else { throw Unreadable() }
        guard let url = try await issuers.endpoints(of: issuer).revocation else {
            throw IssuerAway(cause: "nowhere to revoke a token")
        }
        let answer = try await issuers.post(
            [("token", token), ("token_type_hint", "refresh_token")],
            to: url,
            of: issuer,
            client: revocation.client
        )
        guard answer.status == 200 else { throw IssuerAway(cause: "status \(answer.status) for a token given back") }
    }
}
