// SPDX-License-Identifier: Apache-2.0
// Addresses that wait to be confirmed, for apps.

import Domain
import HTTPTypes
import Postgres
import Web

/// POST /api/v1/emails/confirmations: the letter once more, to another address if one is given.
enum SendConfirmation {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let text = try request.parameters().string("email")?.trimmed ?? ""
        let address = EmailAddress(text)
        guard text.isEmpty || address != nil else { throw ValidationFailure(faults: [("email", .invalid)]) }
        guard dependencies.mail != nil else { throw MailOff() }
        let limit = SignInLimit(lettersFor: request.clientAddress, limits: dependencies.limits)
        let now = dependencies.now()
        try await limit.take(in: dependencies.database, now: now)
        do {
            try await dependencies.database.transaction { transaction in
                guard try await AccountStore.isUnconfirmed(account.id, in: transaction) else { throw Confirmed() }
                if let address {
                    try await AccountStore.correct(account.id, to: address, in: transaction)
                }
                try await transaction.send(.confirmation, to: account.id, at: now)
            }
        } catch let error as PostgresError where error.constraint == AccountStore.emailConstraint {
            throw ValidationFailure(faults: [("email", .taken)])
        }
        return .empty
    }
}

/// GET /api/v1/emails/check_confirmation: whether the address need not be confirmed any more.
enum CheckConfirmation {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let waits = try await AccountStore.isUnconfirmed(account.id, in: dependencies.database)
        return .json(bytes: Array((waits && dependencies.confirmsAddresses ? "false" : "true").utf8))
    }
}

/// Somebody asks for a letter whose address is confirmed.
struct Confirmed: ProblemConvertible {
    var problem: Problem { Problem(.forbidden, "email-confirmed", detail: PageText.detail("already_confirmed")) }
}

/// What somebody with the right password reads whose address waits to be confirmed.
struct EmailUnconfirmed: ProblemConvertible {
    var problem: Problem { Problem(.forbidden, "email-unconfirmed", detail: PageText.detail("email_unconfirmed")) }

    /// Lets by whoever need not confirm an address. Others are sent the letter once more: they have shown who they are.
    static func refuse(_ account: AccountID, _ dependencies: Dependencies) async throws {
        guard dependencies.confirmsAddresses,
            try await AccountStore.isUnconfirmed(account, in: dependencies.database)
        else { return }
        let now = dependencies.now()
        try await dependencies.database.transaction { try await $0.send(.confirmation, to: account, at: now) }
        throw EmailUnconfirmed()
    }
}
