// SPDX-License-Identifier: Apache-2.0
// What every page of auth begins with: who asks for what, and how an answer looks.

import Domain
import HTTPTypes
import Web
import WebPages

/// A browser at a page.
struct BrowserPage: Sendable {
    let request: Request
    let browser: Browser
    let dependencies: Dependencies
    private let asked: PageRequest

    init(_ request: Request, _ dependencies: Dependencies) throws {
        self.request = request
        self.dependencies = dependencies
        browser = Browser(request, dependencies)
        asked = try PageRequest(request)
    }

    var parameters: Parameters { asked.parameters }
    var language: Language { asked.language }
    /// A path of this place; nil when none was given or it leads elsewhere.
    var returnTo: String? { asked.returnTo }
    var audit: Audit { Audit(request, dependencies) }

    /// What a field has; empty where nothing was sent.
    func typed(_ field: String) throws -> String { try parameters.string(field) ?? "" }

    func text(_ name: String) -> String { PageText.text(name, language) }

    /// In the page's language.
    func link(_ path: String, _ query: [(name: String, value: String)] = []) -> String {
        Pages.link(path, query + [("lang", language.rawValue)])
    }

    /// The same, taking along where somebody was on the way to.
    func linkOnward(_ path: String) -> String { link(path, asked.query) }

    func answer(_ content: Pages.Content, at path: String, query: [(name: String, value: String)] = []) -> Answer {
        dependencies.pages.answer(content, language: language, path: path, query: query)
    }

    /// A form, empty or with what is wrong in it; the browser is marked, so that it can send it.
    ///
    /// - Parameters:
    ///   - query: with which the page is asked for in another language; nil for where somebody was on the way to.
    ///   - faults: of fields, the first of each field first.
    func form(
        _ template: String,
        title: String,
        at path: String,
        query: [(name: String, value: String)]? = nil,
        problem: Problem?,
        faults: [(field: String, fault: ValidationFault)] = [],
        _ values: [String: Any]
    ) -> Answer {
        var content = Pages.Content(template: template, title: text(title), values: values)
        content.values["form_token"] = browser.formToken
        content.values["return_to"] = returnTo ?? ""
        content.values["problem"] = faults.isEmpty ? problem?.text(in: language) ?? "" : text("check_fields")
        for (field, fault) in faults.reversed() { content.values["\(field)_fault"] = fault.description(language) }
        content.status = problem?.status ?? .ok
        var answer = answer(content, at: path, query: query ?? asked.query)
        for field in problem?.headers ?? [:] where field.name == .retryAfter { answer.headers.append(field) }
        return browser.marking(answer)
    }

    /// A sentence, and where it leads.
    func message(
        _ sentence: String,
        title: String,
        template: String = "message",
        at path: String,
        link: (path: String, text: String)? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Answer {
        var values: [String: Any] = ["message": sentence, "link": link?.path ?? ""]
        values["link_text"] = link.map { text($0.text) }
        return answer(Pages.Content(template: template, title: text(title), values: values, status: status), at: path)
    }

    /// Somebody comes back from an issuer, or goes to one, without being let in.
    func failure(_ sentence: String, _ status: HTTPResponse.Status) -> Answer {
        let again = (linkOnward(SignInPage.path), "try_again")
        return message(text(sentence), title: "cannot_sign_in", at: SignInPage.path, link: again, status: status)
    }
}
