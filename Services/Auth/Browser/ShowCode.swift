// SPDX-License-Identifier: Apache-2.0
// GET /oauth/authorize/native: the code for an app that cannot be sent back to.

import Web
import WebPages

/// Shows the code, to be copied into the app by hand.
enum ShowCode {
    static let path = "/oauth/authorize/native"

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let code = try page.parameters.string("code") ?? ""
        let isCode = code.utf8.count == 43 && CodeChallenge(code) != nil
        guard isCode else { throw Problem.notFound }
        let content = Pages.Content(
            template: "code",
            title: PageText.text("your_code", page.language),
            values: ["code": code]
        )
        return dependencies.pages.answer(content, language: page.language, path: path, query: [("code", code)])
    }
}
