// SPDX-License-Identifier: Apache-2.0
// GET /oauth/authorize/native: the code for an app that cannot be sent back to.

import Web
import WebPages

/// Shows the code, to be copied into the app by hand.
enum ShowCode {
    static let path = "/oauth/authorize/native"

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try BrowserPage(request, dependencies)
        let code = try page.typed("code")
        guard CodeChallenge(code) != nil else { throw Problem.notFound }
        let content = Pages.Content(template: "code", title: page.text("your_code"), values: ["code": code])
        return page.answer(content, at: path, query: [("code", code)])
    }
}
