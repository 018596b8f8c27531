// SPDX-License-Identifier: Apache-2.0
// What is in the text of a post, and its HTML.

public import Domain
public import Events

/// Finds mentions, hashtags and links in a text and renders the text as HTML, in time linear in its length.
public enum PostText {
    /// What a URL counts, however long it is.
    static let urlLength = 23

    /// The names after `@`, in order of appearance, each once. `@name@this-domain` counts as `@name`.
    public static func mentions(in text: String, domain: String) -> [Username] {
        var names: [Username] = []
        var seen: Set<Username> = []
        var scanner = PostTextScanner(text, domain: domain)
        while let token = scanner.next() {
            guard case .mention(let name, _) = token.kind, seen.insert(name).inserted else { continue }
            names.append(name)
        }
        return names
    }

    /// The tags after `#`, in lower case, each once.
    public static func tags(in text: String) -> [String] {
        var tags: [String] = []
        var seen: Set<String> = []
        var scanner = PostTextScanner(text, domain: "")
        while let token = scanner.next() {
            guard case .tag(let name) = token.kind else { continue }
            let tag = scanner.text(name).lowercased()
            if seen.insert(tag).inserted { tags.append(tag) }
        }
        return tags
    }

    /// The addresses that are shown as links, each once.
    public static func links(in text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return [] }
        var links: [String] = []
        var seen: Set<String> = []
        var scanner = PostTextScanner(text, domain: "")
        while let token = scanner.next() {
            guard case .url = token.kind else { continue }
            let link = scanner.text(token.range)
            if seen.insert(link).inserted { links.append(link) }
        }
        return links
    }

    /// The length by the Mastodon API's rule: a URL counts as 23 characters, a mention without its domain.
    ///
    /// Characters are what a reader sees as one (grapheme clusters).
    public static func length(of text: String) -> Int {
        var length = 0
        var scanner = PostTextScanner(text, domain: "")
        while let token = scanner.next() {
            switch token.kind {
            case .url: length += urlLength
            case .mention(_, let name), .remoteMention(let name): length += 1 + name.count
            case .text, .tag: length += scanner.text(token.range).count
            }
        }
        return length
    }

    /// Sanitised HTML: paragraphs, line breaks, links, mentions (`u-url mention`) and hashtags (`mention hashtag`).
    public static func html(_ text: String, mentions: [MentionSnapshot], site: Site) -> String {
        guard !text.isEmpty else { return "" }
        var html = HTMLText(paragraphs: true, capacity: text.utf8.count + text.utf8.count / 4 + 32)
        render(text, mentions: mentions, site: site, into: &html)
        return html.finish()
    }

    /// The same without paragraphs, for a single line.
    public static func inlineHTML(_ text: String, mentions: [MentionSnapshot], site: Site) -> String {
        guard !text.isEmpty else { return "" }
        var html = HTMLText(paragraphs: false, capacity: text.utf8.count + 32)
        render(text, mentions: mentions, site: site, into: &html)
        return html.finish()
    }

    private static func render(_ text: String, mentions: [MentionSnapshot], site: Site, into html: inout HTMLText) {
        let known = Set(mentions.map(\.username))
        var scanner = PostTextScanner(text, domain: site.domain)
        while let token = scanner.next() {
            let bytes = scanner.bytes[token.range]
            switch token.kind {
            case .text, .remoteMention: html.text(bytes)
            case .url: html.link(bytes)
            case .mention(let name, _):
                guard known.contains(name) else {
                    html.text(bytes)
                    continue
                }
                html.markup(#"<span class="h-card"><a href=""#)
                html.escaped(site.profile(name).utf8)
                html.markup(#"" class="u-url mention">@<span>"#)
                html.escaped(name.text.utf8)
                html.markup("</span></a></span>")
            case .tag(let name):
                html.markup(#"<a href=""#)
                html.escaped(site.tagURL(scanner.text(name).lowercased()).utf8)
                html.markup(#"" class="mention hashtag" rel="tag">#<span>"#)
                html.escaped(scanner.bytes[name])
                html.markup("</span></a>")
            }
        }
    }
}

extension Site {
    /// The page of a tag; letters beyond ASCII are percent-encoded.
    public func tagURL(_ name: String) -> String { tag(name.percentEncoded) }
}
