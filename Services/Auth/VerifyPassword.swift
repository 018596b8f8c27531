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
    ///   - device: the mark of a browser that has signed in before, by account.
    static func run(
        login: String,
        password: String,
        address: String,
        device: (AccountID) -> String? = { _ in nil },
        _ dependencies: Dependencies
    ) async throws -> AccountStore.Credentials {
        let login = login.trimmed
        let name = login.hasPrefix("@") ? login.dropFirst() : login[...]
        let found = try await AccountStore.credentials(
            username: Username(name),
            email: EmailAddress(login),
            in: dependencies.database
        )
        let person: String
        if let found {
            person = device(found.id).map { "device:\(found.id):\($0)" } ?? "account:\(found.id)"
        } else {
            person = "login:" + Secret.hash(login.lowercased()).base64URL
        }
        return try await check(found, person: person, password: password, address: address, dependencies)
    }

    /// For somebody who is signed in and confirms it is them.
    static func run(
        account: AccountID,
        password: String,
        address: String,
        _ dependencies: Dependencies
    ) async throws -> AccountStore.Credentials {
        let found = try await AccountStore.credentials(account, in: dependencies.database)
        return try await check(
            found,
            person: "account:\(account)",
            password: password,
            address: address,
            dependencies
        )
    }

    private static func check(
        _ found: AccountStore.Credentials?,
        person: String,
        password: String,
        address: String,
        _ dependencies: Dependencies
    ) async throws -> AccountStore.Credentials {
        let limit = SignInLimit(person: person, address: address, limits: dependencies.limits)
        try await limit.take(in: dependencies.database, now: dependencies.now())
        let typed = Password(typed: password)
        let matches: Bool
        do {
            matches = try await dependencies.passwords.verify(typed, against: found?.passwordHash)
        } catch let overloaded as PasswordHashing.Overloaded {
            // The password was not looked at, so this was no try.
            try await limit.giveBack(in: dependencies.database)
            throw overloaded
        }
        guard matches, let found, let typed else { throw WrongPassword() }
        try await limit.giveBack(in: dependencies.database)
        if PasswordHashing.isOutdated(found.passwordHash) {
            let hash = try await dependencies.passwords.hash(typed, salt: dependencies.randomBytes(16))
            try await AccountStore.rehash(found.id, from: found.passwordHash, to: hash, in: dependencies.database)
        }
        return found
    }
}
