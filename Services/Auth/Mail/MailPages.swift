// SPDX-License-Identifier: Apache-2.0
// What the pages to which letters lead have in common.

import HTTPTypes
import Web

extension BrowserPage {
    /// A sentence, and the way to signing in.
    func note(_ sentence: String, title: String, at path: String, status: HTTPResponse.Status = .ok) -> Answer {
        let onward = (linkOnward(SignInPage.path), "try_again")
        let answer = message(
            text(sentence),
            title: title,
            template: "note",
            at: path,
            link: onward,
            status: status
        )
        return browser.marking(answer)
    }

    /// The page of a link that is used, old or made up: they are all the same.
    func over(at path: String) -> Answer { note("link_over", title: "link_over_title", at: path, status: .gone) }

    /// What stands in the link; nil for what cannot.
    func linkToken() throws -> String? { try parameters.string("token").flatMap { CodeChallenge($0)?.text } }
}
