// SPDX-License-Identifier: Apache-2.0
// The pages that people see when they sign up, sign in and let an app in.

import Crypto
import Domain
import Foundation
import HTTPTypes
import Mustache
import Web

/// Renders the templates of one folder; everything put into them is escaped.
struct Pages: Sendable {
    private let library: MustacheLibrary
    private let style: String
    private let styleHash: String
    private let site: Site

    init(directory: String, site: Site) throws {
        var library = MustacheLibrary()
        var style = ""
        for file in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let text = try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
            if file.hasSuffix(".mustache") {
                try library.register(text, named: String(file.dropLast(".mustache".count)))
            } else if file.hasSuffix(".css") {
                style += text
            }
        }
        self.library = library
        self.style = style
        styleHash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        self.site = site
    }

    /// What a page is about.
    struct Content {
        var template: String
        var title: String
        var values: [String: Any] = [:]
        /// Where a form on the page may lead besides this place.
        var target: RedirectURI?
        var status: HTTPResponse.Status = .ok
    }

    /// - Parameter path: where the page is reached by GET, for its links to the other languages.
    func answer(_ content: Content, language: Language, path: String, query: [(name: String, value: String)]) -> Answer
    {
        // A template shows a section for every text that is there, an empty one too.
        var values = content.values.filter { ($0.value as? String) != "" }
        values["title"] = content.title
        values["language"] = language.rawValue
        values["domain"] = site.domain
        values["style"] = style
        values["text"] = PageText.all(language)
        values["languages"] = Language.allCases.map { other in
            [
                "code": other.rawValue, "name": PageText.text("language", other),
                "href": Pages.link(path, query + [("lang", other.rawValue)]),
                "current": other == language,
            ] as [String: Any]
        }
        var answer = Answer.html(library.render(values, withTemplate: content.template) ?? "", status: content.status)
        for (name, value) in headers(target: content.target) { answer.headers[name] = value }
        answer.headers[.contentLanguage] = language.rawValue
        return answer
    }

    static func link(_ path: String, _ query: [(name: String, value: String)]) -> String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    private func headers(target: RedirectURI?) -> [(HTTPField.Name, String)] {
        // Browsers hold the place to which a form's answer redirects against `form-action` too.
        let actions = target.map { $0.isOutOfBand ? "'self'" : "'self' \($0.origin)" } ?? "'self'"
        let policy = [
            "default-src 'none'", "style-src 'sha256-\(styleHash)'", "img-src data:", "form-action \(actions)",
            "base-uri 'none'", "frame-ancestors 'none'",
        ]
        return [
            (.contentSecurityPolicy, policy.joined(separator: "; ")),
            (.cacheControl, "no-store"),
            (.xContentTypeOptions, "nosniff"),
            (.own("X-Frame-Options"), "DENY"),
            (.own("Referrer-Policy"), "no-referrer"),
        ]
    }
}

/// The language of a page and where it leads: what every page carries along.
struct PageRequest: Sendable {
    let parameters: Parameters
    let language: Language
    /// A path of this place; nil when none was given or it leads elsewhere.
    let returnTo: String?

    init(_ request: Request) throws {
        parameters = try request.parameters()
        let asked = try? parameters.string("lang")
        language = asked.flatMap { Language(rawValue: $0.prefix(2).lowercased()) } ?? request.language
        returnTo = (try? parameters.string("return_to")).flatMap { PageRequest.isLocal($0) ? $0 : nil }
    }

    /// Whether a text is a path here, whatever a browser makes of it.
    static func isLocal(_ path: String) -> Bool {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 8192 else { return false }
        return path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }

    /// What the links of a page carry along.
    var query: [(name: String, value: String)] { returnTo.map { [("return_to", $0)] } ?? [] }

    /// With `lang`, if the person chose it by hand.
    var queryWithLanguage: [(name: String, value: String)] { query + [("lang", language.rawValue)] }
}
