// SPDX-License-Identifier: Apache-2.0
// Signing in with what an issuer says, in one place for every way to bring it.

import Domain
import HTTPTypes
import Outbox
import Postgres
import Web

/// Who somebody turned out to be.
enum Arrival<Value: Sendable>: Sendable {
    case known(AccountID, Value)
    /// Nobody yet: a username is asked for.
    case newcomer(NewcomerStore.Newcomer)
}

enum SignInByIssuer {
    /// Takes the token, once, and begins a session for whoever it is of, all in one transaction. Of a newcomer everything is kept that
    /// the issuer may never say again.
    ///
    /// - Parameters:
    ///   - name: as an app or a page was told it beside the token.
    ///   - begin: adds the session.
    static func run<Value: Sendable>(
        _ token: IDToken,
        name: String?,
        sealed: SealedToken? = nil,
        _ dependencies: Dependencies,
        begin: @escaping @Sendable (AccountID, Transaction) async throws -> Value
    ) async throws -> Arrival<Value> {
        let now = dependencies.now()
        let id: NewcomerID = try dependencies.ids.next()
        let arrival: Arrival<Value> = try await dependencies.database.transaction { transaction in
            guard try await TakenTokenStore.take(token.hash, until: token.expires, in: transaction) else {
                throw TokenRefused(.repeated)
            }
            let known = try await IdentityStore.use(
                issuer: token.issuer.address,
                subject: token.subject,
                email: token.email,
                token: sealed,
                now: now,
                in: transaction
            )
            if let known { return .known(known.accountID, try await begin(known.accountID, transaction)) }
            let newcomer = try await NewcomerStore.keep(
                id,
                issuer: token.issuer.address,
                subject: token.subject,
                email: token.email,
                name: name ?? token.name,
                sealed: sealed,
                until: now + dependencies.limits.newcomerKept,
                in: transaction
            )
            return .newcomer(try newcomer.found())
        }
        if case .newcomer = arrival, dependencies.registrations != .open { throw RegistrationsClosed() }
        return arrival
    }
}

/// What a newcomer holds until they have chosen a username.
///
/// It names the row and the moment until which it is good, under a code that only this place can make. The row goes when it is used, so
/// that it is used once; and whoever begins again meanwhile does not make what others hold worthless.
enum NewcomerToken {
    static func make(for id: NewcomerID, _ dependencies: Dependencies) -> String {
        let end = (dependencies.now() + dependencies.limits.newcomer).seconds
        return "\(id).\(end).\(code("\(id).\(end)", dependencies))"
    }

    /// Nil for one that is over or was made elsewhere.
    static func id(of token: String, _ dependencies: Dependencies) -> NewcomerID? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= 256, parts.count == 3,
            Secret.equal(String(parts[2]), code("\(parts[0]).\(parts[1])", dependencies)),
            let end = Int64(parts[1]), dependencies.now().seconds < end
        else { return nil }
        return NewcomerID(String(parts[0]))
    }

    private static func code(_ text: String, _ dependencies: Dependencies) -> String {
        dependencies.browserKey.code("newcomer:\(text)")
    }
}

/// Somebody who began to sign up, but too long ago, or has ended it meanwhile.
struct NewcomerGone: ProblemConvertible {
    var problem: Problem { Problem(.gone, "sign-up-over", detail: PageText.detail("sign_up_over")) }
}
