// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/password/reset: the page of a letter's link, which sets a new password.

import Domain
import HTTPTypes
import Postgres
import Web

enum ResetPage {
    static let path = "/auth/password/reset"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let token = try page.linkToken(), let found = try await holder(of: token, dependencies) else {
            return page.over(at: path)
        }
        return form(token, found, page, problem: nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let token = try page.linkToken(), let found = try await holder(of: token, dependencies) else {
            return page.over(at: path)
        }
        do {
            try page.browser.check(page.parameters)
            let new: Password
            do throws(ValidationFault) {
                let own = [found.username.text, String((found.email ?? "").prefix { $0 != "@" })]
                let typed = (try? page.parameters.string("password")) ?? ""
                new = try Password.choosing(typed, apartFrom: own)
            } catch {
                throw ValidationFailure(faults: [("password", error)])
            }
            try await set(new, by: token, of: found, page)
            return page.browser.clearingSession(on: page.note("password_set", title: "password_set_title", at: path))
        } catch is LinkOver {
            return page.over(at: path)
        } catch let error as any ProblemConvertible {
            return form(token, found, page, problem: error)
        }
    }

    /// Whose password the link sets: of somebody who still has the address that it was sent to.
    private static func holder(of token: String, _ dependencies: Dependencies) async throws
        -> AccountStore.Credentials?
    {
        let link = try await LinkStore.link(
            Secret.hash(token),
            for: .passwordReset,
            now: dependencies.now(),
            in: dependencies.database
        )
        guard let link,
            let found = try await AccountStore.credentials(link.accountID, in: dependencies.database),
            found.email == link.address, found.passwordHash != nil
        else { return nil }
        return found
    }

    /// Sets it and ends every session. Throws `LinkOver` where somebody was faster with the link or with another password.
    private static func set(
        _ new: Password,
        by token: String,
        of found: AccountStore.Credentials,
        _ page: BrowserPage
    ) async throws {
        let dependencies = page.dependencies
        let hash = try await dependencies.passwords.hash(new, salt: dependencies.randomBytes(16))
        let audit = page.audit.by(found.id)
        let now = dependencies.now()
        try await dependencies.database.transaction { transaction in
            guard
                try await AccountStore.changePassword(
                    found.id,
                    from: found.passwordHash,
                    to: hash,
                    now: now,
                    in: transaction
                ),
                let link = try await LinkStore.use(
                    Secret.hash(token),
                    for: .passwordReset,
                    now: now,
                    in: transaction
                )
            else { throw LinkOver() }
            // Who reads its letters has the address.
            _ = try await AccountStore.confirm(found.id, link.address, in: transaction)
            try await CodeStore.deleteUnused(of: found.id, in: transaction)
            let ended = try await transaction.end(.all(found.id, except: nil))
            // Wrong tries of the old password count no more.
            try await AttemptStore.forget("account:\(found.id)", in: transaction)
            let subject = Audit.Subject(account: found.id, detail: "by a letter, \(ended.count) sessions ended")
            try audit.note(.passwordChanged, subject, in: transaction)
            try await transaction.send(.passwordChanged(at: now), to: found.id, at: now)
        }
    }

    private static func form(
        _ token: String,
        _ found: AccountStore.Credentials,
        _ page: BrowserPage,
        problem: (any ProblemConvertible)?
    ) -> Answer {
        page.form(
            "reset",
            title: "set_password",
            at: path,
            query: [("token", token)],
            problem: problem?.problem,
            faults: (problem as? ValidationFailure)?.faults ?? [],
            ["token": token, "username": found.username.text]
        )
    }
}

/// Somebody was faster.
private struct LinkOver: Error {}
