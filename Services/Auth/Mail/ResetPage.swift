// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/password/reset: the page of a letter's link, which sets a new password.

import Domain
import HTTPTypes
import Postgres
import Web
import WebPages

enum ResetPage {
    static let path = "/auth/password/reset"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let token = try MailPages.token(page), let found = try await holder(of: token, dependencies) else {
            return MailPages.over(page, path, dependencies)
        }
        return browser.marking(form(token, found, page, browser, problem: nil, fault: nil, dependencies))
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let token = try MailPages.token(page), let found = try await holder(of: token, dependencies) else {
            return MailPages.over(page, path, dependencies)
        }
        do {
            try browser.check(page.parameters)
            let new: Password
            do throws(ValidationFault) {
                let own = [found.username.text, String((found.email ?? "").prefix { $0 != "@" })]
                let typed = (try? page.parameters.string("password")) ?? ""
                new = try Password.choosing(typed, apartFrom: own)
            } catch {
                throw ValidationFailure(faults: [("password", error)])
            }
            try await set(new, by: token, of: found, request, dependencies)
            let answer = MailPages.note("password_set", "password_set_title", page, path, dependencies)
            return browser.clearingSession(on: browser.marking(answer))
        } catch is LinkOver {
            return MailPages.over(page, path, dependencies)
        } catch let error as ValidationFailure {
            let fault = error.faults.first?.fault
            return browser.marking(
                form(token, found, page, browser, problem: error.problem, fault: fault, dependencies)
            )
        } catch let error as any ProblemConvertible {
            return browser.marking(
                form(token, found, page, browser, problem: error.problem, fault: nil, dependencies)
            )
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
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws {
        let hash = try await dependencies.passwords.hash(new, salt: dependencies.randomBytes(16))
        let audit = Audit(request, dependencies).by(found.id)
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
            let ended = try await SessionStore.end(.all(found.id, except: nil), in: transaction)
            for session in ended { try transaction.tellEnd(of: session) }
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
        _ page: PageRequest,
        _ browser: Browser,
        problem: Problem?,
        fault: ValidationFault?,
        _ dependencies: Dependencies
    ) -> Answer {
        let language = page.language
        let content = Pages.Content(
            template: "reset",
            title: PageText.text("set_password", language),
            values: [
                "form_token": browser.formToken,
                "token": token,
                "username": found.username.text,
                "problem": fault == nil ? problem?.text(in: language) ?? "" : PageText.text("check_fields", language),
                "password_fault": fault?.description(language) ?? "",
            ],
            status: problem?.status ?? .ok
        )
        return MailPages.answer(content, problem, page, path, query: [("token", token)], dependencies)
    }
}

/// Somebody was faster.
private struct LinkOver: Error {}
