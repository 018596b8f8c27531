// SPDX-License-Identifier: Apache-2.0
// What a browser is shown by the gateway itself: the start page, the texts of the operator, problems.

import Crypto
import Domain
import Foundation
import NIOHTTP1
import ServiceKit
import Support
import Testing
import Views

@testable import GatewayService

@Suite(.againstHanging) struct LocalPageTests {
    private static func body(_ answer: String) -> String {
        answer.firstRange(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    }

    private static func values(_ name: String, _ answer: String) -> [String] {
        answer.split(separator: "\r\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
            .filter { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// A page has one policy, under which its own style and nothing else works.
    private static func expectPage(_ answer: String, status: Int, language: String) throws {
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(40))")
        #expect(values("content-type", answer) == ["text/html; charset=utf-8"])
        #expect(values("content-language", answer) == [language])
        let policies = values("content-security-policy", answer)
        #expect(policies.count == 1)
        let page = body(answer)
        let style = try #require(page.split(separator: "<style>").last?.split(separator: "</style>").first)
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        #expect(policies.first?.contains("style-src 'sha256-\(hash)'") == true)
        #expect(directives(policies.first) == pagePolicy())
        #expect(page.contains("<html lang=\"\(language)\">") && page.hasSuffix("</html>\n"))
        #expect(!page.contains("<script") && !page.contains("{{"))
    }

    @Test(arguments: ["/", "/rules", "/privacy-policy"], ["en", "ko", "ja"])
    func pagesSpeakTheLanguageOfTheReader(path: String, language: String) async throws {
        try await TestGateway.run { gateway in
            let answer = try await gateway.ask("GET", path, "Accept-Language: \(language)")
            try Self.expectPage(answer, status: 200, language: language)
            #expect(Self.values("cache-control", answer) == ["public, max-age=300"])
            #expect(Self.values("vary", answer) == ["Accept-Language"])
            let chosen = try await gateway.ask("GET", "\(path)?lang=\(language)", "Accept-Language: fr")
            #expect(Self.body(chosen) == Self.body(answer))
            #expect(gateway.posts.asked.isEmpty)
            // What the operator has published.
            #expect(gateway.auth.asked.allSatisfy { $0.head.uri == "/internal/documents" })
        }
    }

    @Test func theStartPageLeadsOn() async throws {
        try await TestGateway.run(["MADANG_TITLE": "A <b> & c"]) { gateway in
            let page = Self.body(try await gateway.ask("GET", "/?lang=ko"))
            for link in ["/auth/sign_up", "/auth/sign_in", "/rules", "/privacy-policy"] {
                #expect(page.contains("href=\"\(link)?lang=ko\""), "\(link)")
            }
            #expect(page.contains(#"translate="no">localhost:3000</code>"#))
            #expect(page.contains("<h1>A &lt;b&gt; &amp; c</h1>") && !page.contains("<b>"))
        }
        try await TestGateway.run(["MADANG_REGISTRATIONS": "closed"]) { gateway in
            let page = Self.body(try await gateway.ask("GET", "/"))
            #expect(!page.contains("/auth/sign_up") && page.contains("does not take new accounts"))
        }
    }

    @Test func pagesSayWhatTheyAre() async throws {
        try await TestGateway.run(["MADANG_TITLE": "A \"b\""]) { gateway in
            let page = Self.body(try await gateway.ask("GET", "/"))
            for (name, content) in [
                ("title", "A &quot;b&quot;"), ("type", "website"), ("url", "http://localhost:3000/"),
                ("site_name", "localhost:3000"), ("image", "http://localhost:3000/assets/thumbnail.png"),
            ] {
                #expect(page.contains(#"<meta property="og:\#(name)" content="\#(content)">"#), "\(name)")
            }
            #expect(page.contains(#"<meta property="og:description" content=""#))
            for path in ["/", "/rules", "/privacy-policy"] {
                let page = Self.body(try await gateway.ask("GET", path))
                #expect(page.contains(#"<link rel="canonical" href="http://localhost:3000\#(path)">"#))
            }
        }
    }

    /// Caches and link checkers ask like this: the same head, and nothing after it.
    @Test func theHeadOfAPageCanBeAskedForAlone() async throws {
        let html = "Accept: text/html"
        try await TestGateway.run(postsPort: 1) { gateway in
            for path in ["/", "/rules?lang=ja", "/no/such/page", "/@minji", "/api/v1/nothing"] {
                let page = try await gateway.ask("GET", path, html, "Connection: close")
                let head = try await gateway.ask("HEAD", path, html, "Connection: close")
                #expect(head.hasSuffix("\r\n\r\n") && !head.contains("<!doctype"), "\(path)")
                func fields(_ answer: String) -> [Substring] {
                    answer.prefix(answer.count - Self.body(answer).count).split(separator: "\r\n").filter {
                        !$0.lowercased().hasPrefix("date:") && !$0.lowercased().hasPrefix("x-request-id:")
                    }
                }
                #expect(fields(head) == fields(page), "\(path)")
                #expect(Self.values("content-length", head) == ["\(Self.body(page).utf8.count)"], "\(path)")
            }
        }
    }

    @Test func operatorsWriteTheirOwnTexts() async throws {
        let rules = "Hello <you>\nsecond line\n\n# Rules & more\n- One\n- Two <script>\n\nThe end"
        let settings = [
            "MADANG_RULES": rules, "MADANG_RULES_KO": "- 하나\n- 둘", "MADANG_PRIVACY_POLICY": "# Ours\nNothing is kept.",
            "MADANG_CONTACT": "ops@madang.test",
        ]
        try await TestGateway.run(settings) { gateway in
            let english = Self.body(try await gateway.ask("GET", "/rules"))
            #expect(english.contains("<p>Hello &lt;you&gt;<br>second line</p>"))
            #expect(english.contains("<h2>Rules &amp; more</h2>"))
            #expect(english.contains("<li>One</li>\n<li>Two &lt;script&gt;</li>"))
            #expect(english.contains("mailto:ops@madang.test"))
            #expect(Self.body(try await gateway.ask("GET", "/rules?lang=ko")).contains("<li>하나</li>"))
            // There is no Japanese one: then the one for everybody, which is not said to be Japanese.
            let japanese = Self.body(try await gateway.ask("GET", "/rules?lang=ja"))
            #expect(japanese.contains("<li>One</li>") && japanese.contains(#"<div class="text" lang="und">"#))

            let list = Self.body(try await gateway.ask("GET", "/api/v1/instance/rules"))
            let listed = try #require(JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
            #expect(listed.compactMap { $0["id"] as? String } == ["1", "2"])
            #expect(listed.compactMap { $0["text"] as? String } == ["One", "Two <script>"])
            let translations = try #require(listed.first?["translations"] as? [String: [String: String]])
            #expect(translations == ["ko": ["text": "하나", "hint": ""]])
            for path in ["/api/v1/instance", "/api/v2/instance"] {
                let instance = Self.body(try await gateway.ask("GET", path))
                let object = try #require(JSONSerialization.jsonObject(with: Data(instance.utf8)) as? [String: Any])
                #expect((object["rules"] as? [Any])?.count == 2)
            }
            let policy = Self.body(try await gateway.ask("GET", "/api/v1/instance/privacy_policy"))
            #expect(policy.contains(#""content":"<h2>Ours</h2><p>Nothing is kept.</p>""#))
        }
    }

    @Test func whatTheInstanceSaysOfItselfHasADate() async throws {
        try await TestGateway.run { gateway in
            for path in ["extended_description", "privacy_policy"] {
                let text = Self.body(try await gateway.ask("GET", "/api/v1/instance/\(path)", "Accept-Language: ja"))
                let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
                let moment = try #require(object["updated_at"])
                #expect(Timestamp(rfc3339: moment) != nil, "\(path): \(moment)")
                #expect(object["content"]?.isEmpty == false)
            }
        }
    }

    @Test func someoneAtABrowserIsShownProblems() async throws {
        let html = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
        try await TestGateway.run(postsPort: 1) { gateway in
            let lost = try await gateway.ask("GET", "/no/<such>/page", html, "Accept-Language: ja")
            try Self.expectPage(lost, status: 404, language: "ja")
            #expect(lost.contains("ページが見つかりません") && !lost.contains("<such>"))
            #expect(Self.values("cache-control", lost) == ["no-store"])
            let wrong = try await gateway.ask("POST", "/rules", html, "Content-Length: 0")
            try Self.expectPage(wrong, status: 405, language: "en")
            #expect(Self.values("allow", wrong) == ["GET, HEAD, OPTIONS"])
            let away = try await gateway.ask("GET", "/@minji", html, "Accept-Language: ko")
            try Self.expectPage(away, status: 503, language: "ko")
            #expect(Self.values("retry-after", away).count == 1)
            let number = try #require(Self.values("x-request-id", away).first)
            #expect(Self.body(away).contains(number))
        }
    }

    @Test func programsAreToldInJSON() async throws {
        try await TestGateway.run(postsPort: 1) { gateway in
            for path in ["/api/v1/nothing", "/oauth/token/nothing", "/v1/nothing", "/.well-known/nothing"] {
                let answer = try await gateway.ask("GET", path, "Accept: text/html")
                #expect(Self.values("content-type", answer) == ["application/json; charset=utf-8"], "\(path)")
            }
            for accept in ["*/*", "application/json", "text/html;q=0, application/json", ""] {
                let answer = try await gateway.ask("GET", "/nothing", "Accept: \(accept)")
                #expect(Self.values("content-type", answer) == ["application/json; charset=utf-8"], "\(accept)")
            }
        }
    }

    @Test func textsAreReadAsTheyAreWritten() {
        #expect(SiteText("").blocks.isEmpty)
        #expect(SiteText("\r\n  a  \r\nb\r\n\r\nc").blocks == [.paragraph(["a", "b"]), .paragraph(["c"])])
        #expect(SiteText("#no\n- \n-x").blocks == [.paragraph(["#no", "-", "-x"])])
        #expect(SiteText("- a\n\n- b").items == ["a", "b"])
        for language in Language.allCases {
            #expect(SiteText(StandardTexts.rules[language] ?? "").items.count == 5)
            #expect(SiteText(StandardTexts.privacy[language] ?? "").html.components(separatedBy: "<h2>").count == 5)
        }
    }
}
