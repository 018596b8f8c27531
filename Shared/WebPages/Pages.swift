// SPDX-License-Identifier: Apache-2.0
// The pages that people see in a browser: one head, one foot, one style and one policy for those of every service.

import Crypto
public import Domain
import Foundation
public import HTTPTypes
import Mustache
public import Web

/// Renders the templates of a service; everything put into them is escaped.
public struct Pages: Sendable {
    private let library: MustacheLibrary
    private let style: String
    private let styleHash: String
    private let site: Site
    public let words: PageWords

    /// - Parameter templates: the service's own, by name, as the build embeds them.
    public init(_ templates: [String: [UInt8]], words: PageWords, site: Site) throws {
        let shared = [
            "head": PackageResources.head_mustache, "foot": PackageResources.foot_mustache,
            "message": PackageResources.message_mustache, "problem": PackageResources.problem_mustache,
        ]
        var library = MustacheLibrary()
        for (name, text) in shared.merging(templates, uniquingKeysWith: { _, own in own }) {
            try library.register(String(decoding: text, as: UTF8.self), named: name)
        }
        self.library = library
        style = String(decoding: PackageResources.style_css, as: UTF8.self)
        styleHash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        self.words = words
        self.site = site
    }

    /// Who may keep a page.
    public enum Keeping: Sendable, Hashable {
        /// Nobody: it is about the person who reads it.
        case nobody
        /// Anybody, for so many seconds.
        case anybody(seconds: Int)
    }

    /// What search engines and other programs are told of a page.
    public struct Meta {
        /// For `<meta name="robots">`; nil where there is nothing to forbid.
        public var robots: String?
        public var description: String?
        /// The page's one address.
        public var canonical: String?
        /// The same thing in another form: its media type and address.
        public var alternates: [(type: String, address: String)] = []
        /// Open Graph (ogp.me), in its order.
        public var properties: [(name: String, content: String)] = []

        public init() {}
    }

    /// What a page is about.
    public struct Content {
        public var template: String
        public var title: String
        public var values: [String: Any]
        /// Origin where a form on the page may lead besides this place.
        public var formTarget: String?
        public var status: HTTPResponse.Status
        /// Nil for pages that no search engine shall know.
        public var meta: Meta?
        public var keeping: Keeping
        /// Whether it is for reading rather than for filling in.
        public var isWide = false

        public init(
            template: String,
            title: String,
            values: [String: Any] = [:],
            formTarget: String? = nil,
            status: HTTPResponse.Status = .ok,
            meta: Meta? = nil,
            keeping: Keeping = .nobody
        ) {
            self.template = template
            self.title = title
            self.values = values
            self.formTarget = formTarget
            self.status = status
            self.meta = meta
            self.keeping = keeping
        }
    }

    /// - Parameter path: where the page is reached by GET, for its links to the other languages; nil for none.
    public func answer(
        _ content: Content,
        language: Language,
        path: String?,
        query: [(name: String, value: String)]
    ) -> Answer {
        // A template shows a section for every text that is there, an empty one too.
        var values = content.values.filter { ($0.value as? String) != "" }
        values["title"] = content.title
        values["language"] = language.rawValue
        values["domain"] = site.domain
        values["style"] = style
        values["wide"] = content.isWide
        values["home"] = Pages.link("/", [("lang", language.rawValue)])
        values["text"] = words.all(language)
        describe(content.meta, in: &values)
        if let path {
            values["has_languages"] = true
            values["languages"] = Language.allCases.map { other in
                [
                    "code": other.rawValue, "name": words.text("language", other),
                    "href": Pages.link(path, query + [("lang", other.rawValue)]),
                    "absolute": site.origin + Pages.link(path, query + [("lang", other.rawValue)]),
                    "current": other == language,
                ] as [String: Any]
            }
        }
        var answer = Answer.html(library.render(values, withTemplate: content.template) ?? "", status: content.status)
        for (name, value) in headers(content) { answer.headers[name] = value }
        answer.headers[.contentLanguage] = language.rawValue
        return answer
    }

    private func describe(_ meta: Meta?, in values: inout [String: Any]) {
        guard let meta else {
            values["robots"] = "noindex"
            return
        }
        values["is_public"] = true
        if let robots = meta.robots { values["robots"] = robots }
        if let description = meta.description, !description.isEmpty { values["description"] = description }
        if let canonical = meta.canonical { values["canonical"] = canonical }
        values["alternates"] = meta.alternates.map { ["type": $0.type, "href": $0.address] }
        values["properties"] = meta.properties.map { ["name": $0.name, "content": $0.content] }
    }

    public static func link(_ path: String, _ query: [(name: String, value: String)]) -> String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    private func headers(_ content: Content) -> [(HTTPField.Name, String)] {
        // Browsers hold the place to which a form's answer redirects against `form-action` too.
        let actions = content.formTarget.map { "'self' \($0)" } ?? "'self'"
        let policy = [
            "default-src 'none'", "style-src 'sha256-\(styleHash)'", "img-src 'self' data:", "form-action \(actions)",
            "base-uri 'none'", "frame-ancestors 'none'",
        ]
        var headers: [(HTTPField.Name, String)] = [
            (.contentSecurityPolicy, policy.joined(separator: "; ")),
            (.xContentTypeOptions, "nosniff"),
            (.own("X-Frame-Options"), "DENY"),
            (.own("Referrer-Policy"), "no-referrer"),
        ]
        switch content.keeping {
        case .nobody: headers.append((.cacheControl, "no-store"))
        case .anybody(let seconds):
            headers.append((.cacheControl, "public, max-age=\(seconds)"))
            headers.append((.vary, "Accept-Language"))
        }
        return headers
    }
}

// MARK: Problems

extension Pages {
    /// A problem as a page: what is wrong, and what to do.
    ///
    /// - Parameter path: of the page, where it can be asked for again in another language.
    public func answer(
        _ problem: Problem,
        requestID: String,
        language: Language,
        path: String?,
        query: [(name: String, value: String)] = []
    ) -> Answer {
        let own = words.text("title_\(problem.status.code)", language).isEmpty ? "problem" : "\(problem.status.code)"
        var content = Content(template: "problem", title: words.text("title_\(own)", language), status: problem.status)
        content.values = [
            "detail": problem.detail[language] ?? "",
            "advice": words.text("advice_\(own)", language),
            "request_id": problem.status.code >= 500 ? requestID : "",
        ]
        var answer = answer(content, language: language, path: path, query: query)
        answer.headers[.vary] = "Accept-Language, Accept"
        for field in problem.headers { answer.headers.append(field) }
        return answer
    }

    /// The same for a request to a service.
    public func answer(_ problem: Problem, to request: Request) -> Answer {
        let language = (try? PageRequest(request))?.language ?? request.language
        let path = request.method == .get ? request.path : nil
        return answer(problem, requestID: request.requestID, language: language, path: path)
    }
}
