// SPDX-License-Identifier: Apache-2.0
// GET|POST /auth/confirm: the page of a letter's link, which confirms an address.

import Domain
import HTTPTypes
import Postgres
import Web

/// Only the button confirms: programs that look through mail follow links by themselves.
enum ConfirmPage {
    static let path = "/auth/confirm"

    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let token = try page.linkToken(),
            let link = try await LinkStore.link(
                Secret.hash(token),
                for: .confirmation,
                now: dependencies.now(),
                in: dependencies.database
            )
        else { return page.over(at: path) }
        return form(token, link, page, problem: nil)
    }

    @Sendable static func submit(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        guard let token = try page.linkToken() else { return page.over(at: path) }
        do {
            try page.browser.check(page.parameters)
        } catch let error as any ProblemConvertible {
            return form(token, nil, page, problem: error.problem)
        }
        let now = dependencies.now()
        let isConfirmed = try await dependencies.database.transaction { transaction in
            let link = try await LinkStore.use(Secret.hash(token), for: .confirmation, now: now, in: transaction)
            guard let link, try await AccountStore.confirm(link.accountID, link.address, in: transaction) else {
                return false
            }
            try page.audit.by(link.accountID).note(.emailConfirmed, .init(account: link.accountID), in: transaction)
            return true
        }
        guard isConfirmed else { return page.over(at: path) }
        return page.note("email_confirmed", title: "email_confirmed_title", at: path)
    }

    private static func form(
        _ token: String,
        _ link: LinkStore.Link?,
        _ page: BrowserPage,
        problem: Problem?
    ) -> Answer {
        page.form(
            "confirm",
            title: "confirm_email",
            at: path,
            query: [("token", token)],
            problem: problem,
            ["token": token, "email": link?.address ?? ""]
        )
    }
}
