// SPDX-License-Identifier: Apache-2.0
// Signing up: what is asked for, and what it makes.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Serving
import Web

/// Makes an account out of what somebody filled in, whether through an app or on the page.
enum SignUp {
    /// Input that has been checked.
    struct Draft: Sendable {
        let username: Username
        let email: EmailAddress
        let password: Password
        let language: Language
        let reason: String?
        /// How the rules were agreed to; nil where nobody asked.
        var consent: ConsentWay?

        var account: AccountStore.Draft {
            AccountStore.Draft(
                username: username,
                email: email,
                language: language,
                reason: reason,
                consent: consent
            )
        }
    }

    /// Checks every field; throws `ValidationFailure` with all that is wrong.
    static func draft(
        _ parameters: Parameters,
        language: Language,
        limits: Limits,
        by way: ConsentWay
    ) throws -> Draft {
        var faults: [(field: String, fault: ValidationFault)] = []
        let name = try parameters.string("username") ?? ""
        var username: Username?
        do throws(ValidationFault) { username = try self.username(name) } catch { faults.append(("username", error)) }
        let address = try parameters.string("email") ?? ""
        let email = EmailAddress(address)
        if email == nil {
            faults.append(("email", address.trimmed.isEmpty ? .blank : address.utf8.count > 254 ? .tooLong : .invalid))
        }
        var password: Password?
        do throws(ValidationFault) {
            let own = [name, email.map { String($0.local) } ?? ""]
            password = try Password.choosing((try? parameters.string("password")) ?? "", apartFrom: own)
        } catch {
            faults.append(("password", error))
        }
        let reason = try parameters.string("reason")?.trimmed
        if let reason {
            if reason.count > limits.reason || reason.utf8.count > limits.reason * 4 {
                faults.append(("reason", .tooLong))
            } else if reason.hasControls(apartFrom: ["\n", "\r", "\t"]) {
                faults.append(("reason", .invalid))
            }
        }
        if try parameters.boolean("agreement") != true { faults.append(("agreement", .accepted)) }
        guard faults.isEmpty, let username, let email, let password else { throw ValidationFailure(faults: faults) }
        let locale = try parameters.string("locale").flatMap { Language(rawValue: $0.prefix(2).lowercased()) }
        return Draft(
            username: username,
            email: email,
            password: password,
            language: locale ?? language,
            reason: reason?.isEmpty == false ? reason : nil,
            consent: way
        )
    }

    /// A name that may be chosen, whether or not somebody has it.
    static func username(_ name: String) throws(ValidationFault) -> Username {
        guard let username = Username(name) else {
            let isPlain = name.utf8.allSatisfy(Username.allows)
            throw name.isEmpty ? .blank : isPlain ? .tooLong : .invalid
        }
        guard !ReservedNames.contains(username) else { throw .reserved }
        return username
    }

    /// Inserts the account, records `AccountRegistered` and lets `grant` add a session, all in one transaction.
    ///
    /// - Throws: `ValidationFailure` when the name or the address is taken, also by somebody a moment faster.
    static func run<Value: Sendable>(
        _ draft: Draft,
        _ request: Request,
        _ dependencies: Dependencies,
        grant: @escaping @Sendable (Principal.Account, Transaction) async throws -> Value
    ) async throws -> Value {
        try await refuseBlocked(draft.account, dependencies)
        @Sendable func refuseTaken() async throws {
            let taken = try await AccountStore.taken(
                username: draft.username,
                email: draft.email,
                in: dependencies.database
            )
            try refuse(username: taken.username, email: taken.email)
        }
        try await refuseTaken()
        // Somebody may have taken it while this one waited: the work of a hash is not done for nothing then.
        let hash = try await dependencies.passwords.hash(
            draft.password,
            salt: dependencies.randomBytes(16),
            unless: refuseTaken
        )
        var account = draft.account
        account.mustConfirm = dependencies.confirmsAddresses
        return try await register(account, passwordHash: hash, request, dependencies, grant: grant)
    }

    /// The same of what has been checked, with a password or without.
    static func register<Value: Sendable>(
        _ draft: AccountStore.Draft,
        passwordHash: String?,
        _ request: Request,
        _ dependencies: Dependencies,
        grant: @escaping @Sendable (Principal.Account, Transaction) async throws -> Value
    ) async throws -> Value {
        let now = dependencies.now()
        let account = Principal.Account(id: try dependencies.ids.next(), username: draft.username)
        let audit = Audit(request, dependencies)
        do {
            return try await dependencies.database.transaction { transaction in
                try await AccountStore.insert(account.id, draft, passwordHash: passwordHash, now: now, in: transaction)
                try transaction.record(
                    AccountRegistered(
                        accountID: account.id,
                        username: draft.username,
                        language: draft.language,
                        createdAt: now
                    )
                )
                try audit.note(.signedUp, .init(account: account.id, app: request.principal?.appID), in: transaction)
                if draft.mustConfirm { try await transaction.send(.confirmation, to: account.id, at: now) }
                if let way = draft.consent { Agreements.give(by: account.id, way, dependencies, in: transaction) }
                return try await grant(account, transaction)
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            // Of another table it is for whoever wrote there.
            try refuse(
                username: error.constraint == AccountStore.usernameConstraint,
                email: error.constraint == AccountStore.emailConstraint
            )
            throw error
        }
    }

    /// Throws where the name or the address is one that nobody has here.
    static func refuseBlocked(_ draft: AccountStore.Draft, _ dependencies: Dependencies) async throws {
        let blocks = try await dependencies.blocks.list(in: dependencies.database)
        var faults: [(field: String, fault: ValidationFault)] = []
        if blocks.blocks(name: draft.username.text) { faults.append(("username", .blocked)) }
        if let email = draft.email, blocks.blocksMail(at: email.domain) { faults.append(("email", .blocked)) }
        if !faults.isEmpty { throw ValidationFailure(faults: faults) }
    }

    private static func refuse(username: Bool, email: Bool) throws {
        var faults: [(field: String, fault: ValidationFault)] = []
        if username { faults.append(("username", .taken)) }
        if email { faults.append(("email", .taken)) }
        if !faults.isEmpty { throw ValidationFailure(faults: faults) }
    }
}

/// What somebody reads where nobody may sign up.
struct RegistrationsClosed: ProblemConvertible {
    var problem: Problem {
        var detail: [Language: String] = [:]
        for language in Language.allCases { detail[language] = PageText.text("registrations_closed", language) }
        return Problem(.forbidden, "registrations-closed", detail: detail)
    }
}
