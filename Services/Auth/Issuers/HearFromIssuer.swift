// SPDX-License-Identifier: Apache-2.0
// POST /auth/with/:issuer/notifications: what Apple tells of people who are linked with it.

import Domain
import Events
import HTTPTypes
import Logging
import Outbox
import Postgres
import Web

/// Ends what somebody has ended at Apple (https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts).
///
/// Each piece of news counts once. What was ended before the account was linked again ends nothing.
enum HearFromIssuer {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let issuer = try dependencies.issuers.named(request.pathParameters["issuer"])
        guard issuer.kind == .apple else { throw Problem.notFound }
        guard let payload = try request.parameters().string("payload") else {
            throw Problem.invalid("payload", "blank")
        }
        let token = try await dependencies.issuers.token(payload, of: issuer)
        guard let news = token.claims.events else { throw TokenRefused(.unreadable) }
        let audit = Audit(actor: "issuer \(issuer.name)", dependencies)
        try await dependencies.database.transaction { transaction in
            guard try await TakenTokenStore.take(token.hash, until: token.expires, in: transaction) else { return }
            guard
                let identity = try await IdentityStore.find(
                    issuer: issuer.address,
                    subject: news.subject,
                    in: transaction
                )
            else {
                try await NewcomerStore.forget(issuer: issuer.address, subject: news.subject, in: transaction)
                return
            }
            let moment = news.moment ?? token.issued
            switch news.type {
            case "consent-revoked", "account-delete", "account-deleted":
                // Told to the second.
                guard moment + .seconds(1) > identity.linked else { return }
                try await end(identity, news, audit, dependencies, in: transaction)
            case "email-disabled", "email-enabled":
                let arrives = news.type == "email-enabled"
                _ = try await IdentityStore.note(
                    mailArrives: arrives,
                    to: identity.id,
                    at: moment,
                    in: transaction
                )
            default:
                dependencies.logger.notice("unknown news of an issuer", metadata: ["type": "\(news.type.prefix(60))"])
            }
        }
        return .empty
    }

    /// Signs out everywhere. The link goes, unless nobody could get in without it: whoever lets Apple speak for them again is who they
    /// were.
    private static func end(
        _ identity: IdentityStore.Linked,
        _ news: SignedClaims.News,
        _ audit: Audit,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        let account = identity.accountID
        let ways = try await WaysIn(of: account, dependencies, in: transaction)
        // Its owner may have been faster.
        guard ways.identities.contains(where: { $0.id == identity.id }) else { return }
        // Apple has taken its token back already.
        try await IdentityStore.dropToken(identity.id, in: transaction)
        if ways.has(apartFrom: identity.id) { try await IdentityStore.delete(identity.id, in: transaction) }
        try await CodeStore.deleteUnused(of: account, in: transaction)
        let ended = try await transaction.end(.all(account, except: nil))
        let subject = Audit.Subject(account: account, detail: "\(news.type), \(ended.count) sessions ended")
        try audit.note(.identityRevoked, subject, in: transaction)
    }
}
