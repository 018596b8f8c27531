// SPDX-License-Identifier: Apache-2.0
// POST /auth/sign_out: signing out of a browser.

import Postgres
import Web
import WebPages

/// Ends the browser's session; apps that were let in stay.
enum SignOut {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let browser = Browser(request, dependencies)
        try browser.check(page.parameters)
        let audit = Audit(request, dependencies)
        try await dependencies.database.transaction { transaction in
            try await browser.end(audit, in: transaction)
        }
        let next = Pages.link(SignInPage.path, page.queryWithLanguage)
        return browser.clearingSession(on: .redirect(to: next))
    }
}
