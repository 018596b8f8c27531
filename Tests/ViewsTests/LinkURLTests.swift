// SPDX-License-Identifier: Apache-2.0
// One form for each link.

import Testing
import Views

@Suite struct LinkURLTests {
    @Test(arguments: [
        ("https://a.example", "https://a.example/"), ("HTTPS://A.Example:443/Path?Q=1#x", "https://a.example/Path?Q=1"),
        ("http://a.example:80", "http://a.example/"), ("http://a.example:443/", "http://a.example:443/"),
        ("https://a.example?b=c", "https://a.example/?b=c"),
        ("https://a.example/마당", "https://a.example/%EB%A7%88%EB%8B%B9"),
        ("https://a.example/%EB%A7%88%EB%8B%B9", "https://a.example/%EB%A7%88%EB%8B%B9"),
        ("https://마당.example/", "https://마당.example/"), ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("https://a.example/?utm_source=b", "https://a.example/?utm_source=b"),
        ("https://a.example:/", "https://a.example/"),
        ("https://a.example/a b\"<>", "https://a.example/a%20b%22%3C%3E"),
    ])
    func eachLinkHasOneForm(_ link: String, _ form: String) {
        #expect(LinkURL.canonical(link) == form)
        #expect(LinkURL.canonical(form) == form)
    }

    @Test(arguments: [
        "", "a.example", "ftp://a.example/", "javascript:alert(1)", "file:///etc/passwd", "https://", "https:///a",
        "https://a@b.example/",
        "https://a:b@c.example/", "https://a.example\\@b.example/", "https://:80/", "https://a%2eexample/",
        "https://a example/",
    ])
    func whatIsNoLinkHasNone(_ link: String) { #expect(LinkURL.canonical(link) == nil) }

    @Test func longLinksHaveNone() {
        let base = "https://a.example/"
        #expect(LinkURL.canonical(base + String(repeating: "a", count: 2048 - base.utf8.count)) != nil)
        #expect(LinkURL.canonical(base + String(repeating: "a", count: 2049 - base.utf8.count)) == nil)
        #expect(LinkURL.canonical(base + String(repeating: "마", count: 300)) == nil)
    }

    @Test func theFirstLinkOfATextCounts() {
        #expect(PostText.firstLink(in: "at https://B.example/, https://a.example") == "https://b.example/")
        #expect(PostText.firstLink(in: "https://a@b.example/ https://c.example/") == "https://c.example/")
        #expect(PostText.firstLink(in: "no link: here") == nil)
    }
}
