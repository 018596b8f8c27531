// SPDX-License-Identifier: Apache-2.0
// Checking a name and a password, in one place for every way to sign in.

import Domain
import HTTPTypes
import Logging
import Web

/// What somebody who did not get in reads: the same, whether the name or the password is wrong.
struct WrongPassword: ProblemConvertible {
    var problem: Problem {
        var detail: [Language: String] = [:]
        for language in Language.allCases { detail[language] = PageText.text("wrong_password", language) }
        return Problem(.unauthorized, "wrong-password", detail: detail)
    }
}

/// Looks up, counts, verifies; every step is done for unknown names too, so that they take the same time.
enum VerifyPassword {
    /// - Parameters:
    ///   - login: a username or an address of mail.
    ///   - device: the mark of a device that has signed in before, by account.
    static func run(
        login: String,
        password: String,
        _ request: Request,
        device: (AccountID) async throws -> String? = { _ in nil },
        _ dependencies: Dependencies
    ) async throws -> AccountStore.Credentials {
        let login = login.trimmed
        let name = login.hasPrefix("@") ? login.dropFirst() : login[...]
        let found = try await AccountStore.credentials(
            username: Username(name),
            email: EmailAddress(login),
            in: dependencies.database
        )
        guard let found else {
            let person = "login:" + Secret.hash(login.lowercased()).base64URL
            return try await check(nil, person: person, isKnown: false, password: password, request, dependencies)
        }
        let mark = try await device(found.id)
        let person = mark.map { "device:\(found.id):\($0)" } ?? "account:\(found.id)"
        return try await check(
            found,
            person: person,
            isKnown: mark != nil,
            password: password,
            request,
            dependencies
        )
    }

    /// For somebody who is signed in and confirms it is them: their session is a device that has signed in.
    static func run(
        account: AccountID,
        session: SessionID,
        password: String,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> AccountStore.Credentials {
        let found = try await AccountStore.credentials(account, in: dependencies.database)
        return try await check(
            found,
            person: "device:\(account):session-\(session)",
            isKnown: true,
            password: password,
            request,
            dependencies
        )
    }

    private static func check(
        _ found: AccountStore.Credentials?,
        person: String,
        isKnown: Bool,
        password: String,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> AccountStore.Credentials {
        let limit = SignInLimit(
            person: person,
            address: isKnown ? nil : request.clientAddress,
            limits: dependencies.limits
        )
        let failure = Failure(account: found?.id, request: request, dependencies: dependencies)
        do {
            try await limit.take(in: dependencies.database, now: dependencies.now())
        } catch let tooMany as SignInLimit.TooMany {
            if tooMany.isFirst { try await failure.note(.signInLocked) }
            throw tooMany
        }
        let typed = Password(typed: password)
        let matches: Bool
        do {
            matches = try await dependencies.passwords.verify(typed, against: found?.passwordHash)
        } catch {
            // The password was not looked at, so this was no try.
            try await limit.giveBack(in: dependencies.database)
            throw error
        }
        guard matches, let found, let old = found.passwordHash, let typed else {
            try await failure.note(.signInFailed)
            throw WrongPassword()
        }
        try await limit.giveBack(in: dependencies.database)
        if dependencies.passwords.isOutdated(old) {
            let hash = try await dependencies.passwords.hash(typed, salt: dependencies.randomBytes(16))
            try await AccountStore.rehash(found.id, from: old, to: hash, in: dependencies.database)
        }
        return found
    }

    /// What is noted of tries that fail: one row for an account, an address and a window, and one for all names that
    /// there are not.
    private struct Failure {
        let account: AccountID?
        let request: Request
        let dependencies: Dependencies

        func note(_ act: Audit.Act) async throws {
            let window = Audit.window(dependencies.now(), dependencies.limits.signInWindow)
            let whom = account.map(\.description) ?? "-"
            try await Audit(request, dependencies).count(
                act,
                .init(account: account, detail: account == nil ? "unknown name" : ""),
                bucket: "\(whom) \(request.clientAddress) \(window)"
            )
        }
    }
}
