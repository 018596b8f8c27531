// SPDX-License-Identifier: Apache-2.0
// What the pages to which letters lead have in common.

import Domain
import HTTPTypes
import Web
import WebPages

enum MailPages {
    /// A sentence, and the way to signing in.
    static func note(
        _ text: String,
        _ title: String,
        _ page: PageRequest,
        _ path: String,
        status: HTTPResponse.Status = .ok,
        _ dependencies: Dependencies
    ) -> Answer {
        let language = page.language
        let content = Pages.Content(
            template: "note",
            title: PageText.text(title, language),
            values: [
                "message": PageText.text(text, language),
                "link": Pages.link(SignInPage.path, page.queryWithLanguage),
                "link_text": PageText.text("try_again", language),
            ],
            status: status
        )
        return dependencies.pages.answer(content, language: language, path: path, query: [])
    }

    /// The page of a link that is used, old or made up: they are all the same.
    static func over(_ page: PageRequest, _ path: String, _ dependencies: Dependencies) -> Answer {
        note("link_over", "link_over_title", page, path, status: .gone, dependencies)
    }

    static func answer(
        _ content: Pages.Content,
        _ problem: Problem?,
        _ page: PageRequest,
        _ path: String,
        query: [(name: String, value: String)] = [],
        _ dependencies: Dependencies
    ) -> Answer {
        var answer = dependencies.pages.answer(content, language: page.language, path: path, query: query)
        for field in problem?.headers ?? [:] where field.name == .retryAfter { answer.headers.append(field) }
        return answer
    }

    /// What stands in the link; nil for what cannot.
    static func token(_ page: PageRequest) throws -> String? {
        try page.parameters.string("token").flatMap { text in
            text.utf8.count == 43 && CodeChallenge(text) != nil ? text : nil
        }
    }
}
