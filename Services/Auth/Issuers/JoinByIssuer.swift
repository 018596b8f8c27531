// SPDX-License-Identifier: Apache-2.0
// Signing up with what an issuer says: what is still asked for, and what it makes.

import Domain
import HTTPTypes
import Postgres
import Serving
import Web

/// Makes the account of a newcomer. It has no password until its owner sets one.
enum JoinByIssuer {
    struct Draft: Sendable {
        let username: Username
        let language: Language
        /// How they agreed to what is in force; nil where nobody did.
        let consent: ConsentWay?
    }

    /// Throws `ValidationFailure` with all that is wrong.
    static func draft(_ parameters: Parameters, language: Language) throws -> Draft {
        var faults: [(field: String, fault: ValidationFault)] = []
        var username: Username?
        do throws(ValidationFault) {
            username = try SignUp.username((try? parameters.string("username")) ?? "")
        } catch {
            faults.append(("username", error))
        }
        if try parameters.boolean("agreement") != true { faults.append(("agreement", .accepted)) }
        guard faults.isEmpty, let username else { throw ValidationFailure(faults: faults) }
        let locale = try parameters.string("locale").flatMap { Language(rawValue: $0.prefix(2).lowercased()) }
        return Draft(username: username, language: locale ?? language, consent: .issuer)
    }

    /// An address that somebody has already stays theirs: the account has none then.
    ///
    /// - Throws: `ValidationFailure` for a username that is taken, `NewcomerGone` where another step was faster.
    static func run<Value: Sendable>(
        _ id: NewcomerID,
        _ draft: Draft,
        _ request: Request,
        _ dependencies: Dependencies,
        grant: @escaping @Sendable (Principal.Account, Transaction) async throws -> Value
    ) async throws -> Value {
        guard dependencies.registrations == .open else { throw RegistrationsClosed() }
        guard let newcomer = try await NewcomerStore.newcomer(id, in: dependencies.database) else {
            throw NewcomerGone()
        }
        var email = newcomer.email.flatMap { EmailAddress($0) }
        let blocks = try await dependencies.blocks.list(in: dependencies.database)
        if let email, blocks.blocksMail(at: email.domain) { throw MailBlocked() }
        if blocks.blocks(name: draft.username.text) { throw ValidationFailure(faults: [("username", .blocked)]) }
        let identity: IdentityID = try dependencies.ids.next()
        let now = dependencies.now()
        while true {
            if let address = email,
                try await AccountStore.taken(username: nil, email: address, in: dependencies.database).email
            {
                email = nil
            }
            let account = AccountStore.Draft(
                username: draft.username,
                email: email,
                language: draft.language,
                consent: draft.consent
            )
            do {
                return try await SignUp.register(account, passwordHash: nil, request, dependencies) {
                    made,
                    transaction in
                    guard let taken = try await NewcomerStore.take(id, in: transaction) else { throw NewcomerGone() }
                    try await link(taken, identity, to: made.id, now: now, in: transaction)
                    try Audit(request, dependencies).by(made.id).note(
                        .identityLinked,
                        .init(account: made.id, detail: dependencies.issuers.at(taken.issuer)?.name ?? taken.issuer),
                        in: transaction
                    )
                    return try await grant(made, transaction)
                }
            } catch let failure as ValidationFailure
                where email != nil && failure.faults.contains(where: { $0.field == "email" })
            {
                // Somebody took the address a moment ago.
                email = nil
            } catch let error as PostgresError where error.constraint == IdentityStore.keyConstraint {
                throw NewcomerGone()
            }
        }
    }

    private static func link(
        _ newcomer: NewcomerStore.Newcomer,
        _ id: IdentityID,
        to account: AccountID,
        now: Timestamp,
        in transaction: Transaction
    ) async throws {
        let token = newcomer.client.flatMap { client in
            newcomer.sealedToken.map { SealedToken(client: client, bytes: $0) }
        }
        let identity = IdentityStore.Draft(
            id: id,
            accountID: account,
            issuer: newcomer.issuer,
            subject: newcomer.subject,
            email: newcomer.email.flatMap { EmailAddress($0) },
            token: token
        )
        try await IdentityStore.insert(identity, now: now, in: transaction)
    }

    /// A username that is free at the moment, made of a name; never of an address of mail.
    static func suggestion(for name: String?, _ dependencies: Dependencies) async throws -> Username? {
        for attempt in 0..<4 {
            let username = JoinByNickname.username(
                of: name ?? "",
                attempt: attempt,
                otherwise: "friend",
                dependencies.randomBytes
            )
            guard let username else { continue }
            let accounts = dependencies.database
            if try await AccountStore.credentials(username: username, email: nil, in: accounts) == nil {
                return username
            }
        }
        return nil
    }
}

/// Nobody signs up with an address of that domain.
struct MailBlocked: ProblemConvertible {
    var problem: Problem { Problem(.unprocessableContent, "blocked-mail", detail: PageText.detail("mail_blocked")) }
}
