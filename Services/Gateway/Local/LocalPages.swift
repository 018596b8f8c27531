// SPDX-License-Identifier: Apache-2.0
// The gateway's own pages: made once for each language, at the start.

import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Surface
import Views
import Web
import WebPages

/// The start page, the rules, the privacy policy, and problems as somebody at a browser sees them.
struct LocalPages: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case landing, rules, privacy, terms

        var endpoint: GatewayEndpoint {
            switch self {
            case .landing: .landing
            case .rules: .rulesPage
            case .privacy: .privacyPage
            case .terms: .termsPage
            }
        }
    }

    private struct Key: Hashable {
        let name: Name
        let language: Language
    }

    private let pages: Pages
    private let made: [Key: Answer]
    private let config: GatewayConfig

    init(_ config: GatewayConfig) throws {
        pages = try Pages(
            ["landing": PackageResources.landing_mustache, "text": PackageResources.text_mustache],
            words: LocalPages.words,
            site: config.site
        )
        self.config = config
        var made: [Key: Answer] = [:]
        for name in Name.allCases where name != .terms {
            for language in Language.allCases {
                made[Key(name: name, language: language)] = pages.answer(
                    LocalPages.content(name, language, config),
                    language: language,
                    path: name.endpoint.path,
                    query: []
                )
            }
        }
        self.made = made
    }

    /// Nil for a text of which there is none.
    func answer(_ name: Name, _ language: Language) -> Answer? { made[Key(name: name, language: language)] }

    /// The page of a text that was published.
    func answer(_ name: Name, _ texts: SiteTexts, _ language: Language) -> Answer {
        var content = LocalPages.text(name, texts, language, contact: config.contact)
        content.meta = LocalPages.meta(name, config)
        content.keeping = .anybody(seconds: 300)
        return pages.answer(content, language: language, path: name.endpoint.path, query: [])
    }

    /// - Parameter path: of the page, where it can be asked for again in another language.
    func answer(_ problem: Problem, requestID: String, language: Language, path: String?) -> Answer {
        pages.answer(problem, requestID: requestID, language: language, path: path)
    }

    private static func content(_ name: Name, _ language: Language, _ config: GatewayConfig) -> Pages.Content {
        let site = config.site
        func link(_ path: String) -> String { Pages.link(path, [("lang", language.rawValue)]) }
        var meta = meta(name, config)
        var content: Pages.Content
        switch name {
        case .landing:
            content = Pages.Content(template: "landing", title: config.title)
            content.values = [
                "lead": config.description,
                "open": config.registrations == .open,
                "sign_up": link(PageEndpoint.showSignUpPage.path),
                "sign_in": link(PageEndpoint.showSignInPage.path),
                "rules": link(GatewayEndpoint.rulesPage.path),
                "privacy": link(GatewayEndpoint.privacyPage.path),
            ]
            meta.description = config.description
            meta.properties = [
                ("og:title", config.title), ("og:type", "website"), ("og:url", site.origin + "/"),
                ("og:description", config.description), ("og:site_name", site.domain),
                ("og:image", "\(site.origin)/assets/thumbnail.png"),
            ]
        case .rules, .terms: content = text(name, config.rules, language, contact: config.contact)
        case .privacy: content = text(name, config.privacyPolicy, language, contact: config.contact)
        }
        content.meta = meta
        content.keeping = .anybody(seconds: 300)
        return content
    }

    private static func meta(_ name: Name, _ config: GatewayConfig) -> Pages.Meta {
        var meta = Pages.Meta()
        meta.canonical = config.site.origin + name.endpoint.path
        return meta
    }

    private static func text(
        _ name: Name,
        _ texts: SiteTexts,
        _ language: Language,
        contact: String
    ) -> Pages.Content {
        var content = Pages.Content(template: "text", title: words.text(name.rawValue, language))
        content.values = [
            "blocks": texts.text(language).values,
            // A text that is there in one language only: which one, nobody has said.
            "text_language": texts.language(for: language).map(\.rawValue) ?? "und",
            "contact": contact,
        ]
        content.isWide = true
        return content
    }

    static let words = PageWords([
        ("sign_up", "Create an account", "회원가입", "アカウント作成"),
        ("sign_in", "Sign in", "로그인", "ログイン"),
        (
            "closed", "This server does not take new accounts at the moment.", "지금은 회원가입을 받지 않습니다.",
            "現在、新規登録を受け付けていません。"
        ),
        ("apps", "Use it with an app", "앱에서 사용하기", "アプリで使う"),
        (
            "use_app", "Any app for Mastodon works here. Sign in with this server address:",
            "마스토돈을 지원하는 앱이면 모두 사용할 수 있습니다. 서버 주소:",
            "Mastodon対応のアプリで使えます。サーバーのアドレス："
        ),
        ("about", "Run with Madang, on a server of its own.", "마당으로 직접 운영하는 서버입니다.", "Madangで運営しているサーバーです。"),
        ("contact", "Questions:", "문의:", "お問い合わせ："),
        ("terms", "Terms of service", "이용약관", "利用規約"),
    ])
}

extension ClientConnection {
    /// The language somebody chose, else the one their browser asks for.
    func language(of exchange: Exchange) -> Language {
        PageRequest.language(exchange.target.parameter("lang"))
            ?? Language(acceptLanguage: exchange.head.headers.first(name: "accept-language"))
    }

    /// Whether this is somebody at a browser, on no path that only programs ask for.
    func wantsPage(_ exchange: Exchange) -> Bool {
        guard exchange.dialect == nil else { return false }
        let path = exchange.target.path
        for prefix in ["/api", "/v1", "/oauth/token", "/oauth/revoke", "/oauth/userinfo", "/socket.io", "/.well-known"]
        where path == prefix || path.hasPrefix(prefix + "/") { return false }
        return Request.wantsPage(accept: exchange.head.headers.first(name: "accept"))
    }

    func show(_ name: LocalPages.Name, to exchange: Exchange) {
        let (pages, language) = (dependencies.pages, language(of: exchange))
        guard name != .landing else {
            return show(pages.answer(name, language) ?? Answer(status: .notFound), to: exchange)
        }
        loop.documents.read(now: loop.monotonic) { [weak self] _ in
            guard let self, self.isOpen(exchange) else { return }
            let published = self.loop.documents.page(name, language) { pages.answer(name, $0.texts, language) }
            guard let page = published ?? pages.answer(name, language) else {
                return self.showPage(of: .notFound, to: exchange)
            }
            self.show(page, to: exchange)
        }
    }

    func showPage(of problem: Problem, to exchange: Exchange) {
        let isRead = exchange.head.method == .GET || exchange.head.method == .HEAD
        let answer = dependencies.pages.answer(
            problem,
            requestID: exchange.requestID,
            language: language(of: exchange),
            path: isRead ? exchange.target.path : nil
        )
        dropUpstream(exchange)
        show(answer, to: exchange)
    }

    private func show(_ page: Answer, to exchange: Exchange) {
        let status = HTTPResponseStatus(statusCode: page.status.code, reasonPhrase: page.status.reasonPhrase)
        // A page brings its own policy; with the standing one besides, nothing of its style would be left.
        answer(status, body: ByteBuffer(bytes: page.body), isOwn: false, to: exchange) { bytes in
            for field in page.headers where Forward.passesBack(field.name.rawName.utf8) {
                let name = field.name.rawName
                if Forward.same(name.utf8, "x-content-type-options") || Forward.same(name.utf8, "referrer-policy") {
                    continue
                }
                bytes.writeString("\(name): \(field.value)\r\n")
            }
        }
    }
}
