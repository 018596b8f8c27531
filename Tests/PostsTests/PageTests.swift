// SPDX-License-Identifier: Apache-2.0
// What a browser finds at the addresses of people, posts and tags.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct PageTests {
    private static let html: HTTPFields = [.accept: "text/html"]

    private func page(_ path: String, _ world: GraphWorld, as account: Person? = nil) async throws -> Answer {
        try await world.send(.get, path, as: account, headers: Self.html)
    }

    @Test func aPostIsReadWithoutAnApp() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let jun = try await world.person("jun")
            let id = try await world.write("마당에 <b>핀</b> 꽃 #봄 @jun", as: minji, ["language": "ko"])
            try await world.write("\"답글\" & 인사", as: jun, ["in_reply_to_id": id])
            let answer = try await page("/@minji/\(id)", world)
            #expect(answer.code == 200)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "public, max-age=60")
            #expect(answer.headers[.vary] == "Accept-Language")
            #expect(directives(answer.headers[.contentSecurityPolicy]) == pagePolicy())
            let text = answer.text
            #expect(text.contains("마당에 &lt;b&gt;핀&lt;/b&gt; 꽃 <a href=\"https://madang.example/tags/%EB%B4%84\""))
            #expect(text.contains("&quot;답글&quot; &amp; 인사"))
            #expect(text.contains(#"<div class="content" dir="auto" lang="ko">"#))
            #expect(!text.contains("<b>") && !text.contains("<script") && !text.contains("{{"))
            let address = "https://madang.example/@minji/\(id)"
            for tag in [
                #"<link rel="canonical" href="\#(address)">"#,
                #"<link rel="alternate" type="application/json" href="https://madang.example/api/v1/statuses/\#(id)">"#,
                #"<link rel="alternate" hreflang="ja" href="\#(address)?lang=ja">"#,
                #"<meta property="og:type" content="article">"#, #"<meta property="og:url" content="\#(address)">"#,
                #"<meta property="og:title" content="minji (@minji@madang.example)">"#,
                #"<meta property="og:description" content="마당에 &lt;b&gt;핀&lt;/b&gt; 꽃 #봄 @jun">"#,
            ] { #expect(text.contains(tag), "\(tag)") }
            #expect(text.contains(#"<meta name="robots" content="noindex">"#))
        }
    }

    /// Wherever it stands: names, texts, labels, warnings, tags; in the text, in attributes and in the head.
    @Test func nothingThatPeopleWriteIsMarkup() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let jun = try await world.person("jun")
            let path = "/api/v1/accounts/update_credentials"
            let profile =
                #"{"display_name":"<i>\"Ann' &amp;","note":"<i>note\"","#
                + #""fields_attributes":[{"name":"<i>label\"","value":"<i>valued\""}]}"#
            for person in [minji, jun] {
                let answer = try await world.send(.patch, path, as: person, type: "application/json", body: profile)
                #expect(answer.code == 200)
            }
            let id = try await world.write(
                "<i>wrote\" #tag",
                as: minji,
                ["spoiler_text": "<i>warning\"", "language": "ko"]
            )
            try await world.write("<i>reply\" #tag", as: jun, ["in_reply_to_id": id])
            _ = try await world.act("reblog", on: id, as: jun)
            for (path, words) in [
                ("/@minji", ["Ann", "note", "label", "valued", "warning", "wrote"]), ("/@jun", ["Ann", "warning"]),
                ("/@minji/\(id)", ["Ann", "warning", "wrote", "reply"]), ("/tags/tag", ["Ann", "wrote", "reply"]),
                ("/tags/%3Ci%3Etag", ["tag"]),
            ] {
                let text = try await page(path, world).text
                #expect(!text.contains("<i>"), "\(path)")
                for word in words {
                    #expect(text.contains("&lt;i&gt;\(word == "Ann" ? "&quot;" : "")\(word)"), "\(path) \(word)")
                    // No attribute ends where somebody wrote a quotation mark.
                    if word != "tag" {
                        #expect(!text.contains("\(word)\"") && !text.contains("\"Ann"), "\(path) \(word)")
                    }
                }
                #expect(
                    !text.contains("&amp; <") && (path.hasPrefix("/tags/%") || text.contains("&amp;amp;")),
                    "\(path)"
                )
            }
        }
    }

    @Test(arguments: [
        ("en", "Posts", "There is nothing here"), ("ko", "게시물", "페이지를 찾을 수 없습니다"), ("ja", "投稿", "ページが見つかりません"),
    ])
    func eachPageSpeaksTheLanguageOfTheReader(_ language: String, word: String, lost: String) async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let id = try await world.write("here #tag", as: minji)
            let footer = ["en": "Replies", "ko": "답글", "ja": "返信"][language] ?? ""
            for (path, word) in [
                ("/@minji", word), ("/@minji/\(id)", footer), ("/tags/tag", footer), ("/@nobody", lost),
            ] {
                let asked = try await world.send(
                    .get,
                    path,
                    headers: [.accept: "text/html", .acceptLanguage: language]
                )
                let chosen = try await page("\(path)?lang=\(language)", world)
                for answer in [asked, chosen] {
                    #expect(answer.headers[.contentLanguage] == language, "\(path)")
                    #expect(
                        answer.text.contains("<html lang=\"\(language)\">") && answer.text.contains(word),
                        "\(path)"
                    )
                    #expect(directives(answer.headers[.contentSecurityPolicy]) == pagePolicy(), "\(path)")
                    #expect(!answer.text.contains("<script"), "\(path)")
                }
            }
        }
    }

    /// What other programs show of an address.
    @Test func everyPageSaysWhatItIs() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            try await world.write("here #tag", as: minji)
            for (path, title, type) in [
                ("/@minji", "minji (@minji@madang.example)", "profile"), ("/tags/tag", "#tag", "website"),
            ] {
                let text = try await page(path, world).text
                for (name, content) in [
                    ("title", title), ("type", type), ("url", "https://madang.example\(path)"),
                    ("site_name", "madang.example"),
                ] {
                    #expect(text.contains(#"<meta property="og:\#(name)" content="\#(content)">"#), "\(path) \(name)")
                }
                #expect(text.contains(#"<meta property="og:image" content="https://madang.example/assets/"#))
                #expect(text.contains(#"<link rel="canonical" href="https://madang.example\#(path)">"#))
            }
        }
    }

    @Test func onlyWhatAnybodyMaySeeIsShown() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let jun = try await world.person("jun")
            try await world.follow(minji, as: jun)
            let open = try await world.write("for all #tag", as: minji)
            let unlisted = try await world.write("quietly #tag", as: minji, ["visibility": "unlisted"])
            let secret = try await world.write("for followers #tag", as: minji, ["visibility": "private"])
            let direct = try await world.write("psst @jun #tag", as: minji, ["visibility": "direct"])
            let gone = try await world.write("soon gone #tag", as: minji)
            _ = try await world.send(.delete, "/api/v1/statuses/\(gone)", as: minji)
            // Whoever asks: these pages may be kept for others.
            for viewer in [nil, jun, minji] {
                for id in [open, unlisted] { #expect(try await page("/@minji/\(id)", world, as: viewer).code == 200) }
                for id in [secret, direct, gone] {
                    let answer = try await page("/@minji/\(id)", world, as: viewer)
                    #expect(answer.code == 404)
                    #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
                    #expect(answer.headers[.cacheControl] == "no-store")
                    #expect(!answer.text.contains("followers") && !answer.text.contains("psst"))
                }
                let profile = try await page("/@minji", world, as: viewer).text
                #expect(profile.contains("for all") && profile.contains("quietly"))
                #expect(!profile.contains("for followers #") && !profile.contains("psst") && !profile.contains("gone"))
                let tag = try await page("/tags/tag", world, as: viewer).text
                #expect(tag.contains("for all") && !tag.contains("quietly") && !tag.contains("psst"))
            }
            // A reply that its reader may not see is not on the page of the post either.
            try await world.write("hidden answer", as: jun, ["in_reply_to_id": open, "visibility": "private"])
            #expect(try await !page("/@minji/\(open)", world).text.contains("hidden answer"))
        }
    }

    @Test func whatIsBehindAWarningIsNotToldToOthers() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let id = try await world.write("the butler did it", as: minji, ["spoiler_text": "a novel"])
            let text = try await page("/@minji/\(id)", world).text
            #expect(text.contains("<details><summary dir=\"auto\">a novel</summary>"))
            #expect(text.components(separatedBy: "butler").count == 2)
            #expect(text.contains(#"<meta property="og:description" content="a novel">"#))
        }
    }

    @Test func aProfileIsPagedToItsEnd() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            var written: [String] = []
            for number in 1...45 { written.append(try await world.write("number \(number).", as: minji)) }
            var next: String? = "/@minji?lang=ko"
            var seen: [Int] = []
            while let path = next {
                let text = try await page(path, world).text
                #expect(text.contains("<html lang=\"ko\">"))
                let numbers = text.components(separatedBy: "<p>number ").dropFirst().compactMap {
                    Int($0.prefix { $0 != "." })
                }
                #expect(numbers.count <= 20)
                seen += numbers
                next = text.components(separatedBy: "rel=\"next\" href=\"").dropFirst().first.map {
                    String($0.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
                }
            }
            #expect(seen == (1...45).reversed())
        }
    }

    @Test func searchEnginesAreToldWhatPeopleWant() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let open = try await world.write("open", as: minji)
            let unlisted = try await world.write("quiet", as: minji, ["visibility": "unlisted"])
            let forbids = #"<meta name="robots" content="noindex">"#
            func edit(_ json: String) async throws {
                let path = "/api/v1/accounts/update_credentials"
                #expect(try await world.send(.patch, path, as: minji, type: "application/json", body: json).code == 200)
            }
            #expect(try await page("/@minji", world).text.contains(forbids))
            try await edit(#"{"discoverable":true}"#)
            #expect(try await !page("/@minji", world).text.contains(forbids))
            #expect(try await !page("/@minji/\(open)", world).text.contains(forbids))
            #expect(try await page("/@minji/\(unlisted)", world).text.contains(forbids))
            try await edit(#"{"indexable":false}"#)
            #expect(try await page("/@minji", world).text.contains(forbids))
            #expect(try await page("/@minji/\(open)", world).text.contains(forbids))
        }
    }

    @Test func otherNamesOfAThingLeadToIt() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let jun = try await world.person("jun")
            let id = try await world.write("here", as: minji)
            let boost = try #require(try await world.act("reblog", on: id, as: jun).string("id"))
            for (path, place) in [
                ("/users/minji", "/@minji"), ("/users/minji/statuses/\(id)", "/@minji/\(id)"),
                ("/users/minji/statuses/\(id)/activity", "/@minji/\(id)"), ("/@jun/\(id)", "/@minji/\(id)"),
                ("/@jun/\(boost)?lang=ja", "/@minji/\(id)?lang=ja"),
            ] {
                let answer = try await page(path, world)
                #expect(answer.code == 303 && answer.headers[.location] == place, "\(path)")
            }
            #expect(try await page("/@jun", world).text.contains("jun boosted"))
        }
    }

    @Test(arguments: [
        "/@nobody", "/@nobody/1", "/@minji/0", "/@minji/99999999999999999999", "/@minji/x", "/@%3Cb%3E",
        "/users/nobody/statuses/x",
        "/tags/", "/@",
    ])
    func whatIsNotThereIsAPageToo(path: String) async throws {
        try await GraphWorld.run { world in
            _ = try await world.person("minji")
            let answer = try await page(path, world)
            #expect(answer.code == 404, "\(path)")
            guard path != "/@", path != "/tags/" else { return }
            #expect(answer.text.contains("<!doctype html>"), "\(path)")
            let told = try await world.send(.get, path)
            #expect(told.code == 404 && told.text.hasPrefix("{"), "\(path)")
        }
    }

    @Test func whatCannotBeReadIsRefused() async throws {
        try await GraphWorld.run { world in
            _ = try await world.person("minji")
            for path in ["/@minji?max_id=x", "/@minji?max_id=-1", "/@minji?limit=0", "/tags/a?max_id=1e9"] {
                #expect(try await page(path, world).code == 400, "\(path)")
            }
            #expect(try await page("/@minji?limit=10000&max_id=1&min_id=3&lang=%FF", world).code < 500)
            #expect(try await page("/tags/%23%3Cimg%3E", world).text.contains("#&lt;img&gt;"))
        }
    }
}
