// SPDX-License-Identifier: Apache-2.0
// POST /auth/sign_out: signing out of a browser.

import Postgres
import Web

/// Ends the browser's session; apps that were let in stay.
enum SignOut {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        try page.browser.check(page.parameters)
        try await dependencies.database.transaction { try await page.browser.end(page.audit, in: $0) }
        return page.browser.clearingSession(on: .redirect(to: page.linkOnward(SignInPage.path)))
    }
}
