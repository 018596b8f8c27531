// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/confirm: the page of a letter's link, which confirms an address.

import Domain
import HTTPTypes
import Postgres
import Web
import WebPages

/// Only the button confirms: programs that look through mail follow links by themselves.
enum ConfirmPage {
    static let path = "/auth/confirm"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let token = try MailPages.token(page),
            let link = try await LinkStore.link(
                Secret.hash(token),
                for: .confirmation,
                now: dependencies.now(),
                in: dependencies.database
            )
        else { return MailPages.over(page, path, dependencies) }
        return browser.marking(form(token, link, page, browser, problem: nil, dependencies))
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        guard let token = try MailPages.token(page) else { return MailPages.over(page, path, dependencies) }
        do {
            try browser.check(page.parameters)
        } catch let error as any ProblemConvertible {
            return browser.marking(form(token, nil, page, browser, problem: error.problem, dependencies))
        }
        let now = dependencies.now()
        let audit = Audit(request, dependencies)
        let isConfirmed = try await dependencies.database.transaction { transaction in
            let link = try await LinkStore.use(Secret.hash(token), for: .confirmation, now: now, in: transaction)
            guard let link, try await AccountStore.confirm(link.accountID, link.address, in: transaction) else {
                return false
            }
            try audit.by(link.accountID).note(.emailConfirmed, .init(account: link.accountID), in: transaction)
            return true
        }
        guard isConfirmed else { return MailPages.over(page, path, dependencies) }
        return browser.marking(MailPages.note("email_confirmed", "email_confirmed_title", page, path, dependencies))
    }

    private static func form(
        _ token: String,
        _ link: LinkStore.Link?,
        _ page: PageRequest,
        _ browser: Browser,
        problem: Problem?,
        _ dependencies: Dependencies
    ) -> Answer {
        let language = page.language
        let content = Pages.Content(
            template: "confirm",
            title: PageText.text("confirm_email", language),
            values: [
                "form_token": browser.formToken,
                "token": token,
                "email": link?.address ?? "",
                "problem": problem?.text(in: language) ?? "",
            ],
            status: problem?.status ?? .ok
        )
        return MailPages.answer(content, problem, page, path, query: [("token", token)], dependencies)
    }
}
